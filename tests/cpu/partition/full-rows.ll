; Conditions on the thread index that hold for whole rows: the loop over threads is
; made once without them, for those rows, and once as it was.
; RUN: cufort-opt -passes=...cpu-full-rows -cpu-no-thread-entries %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-full-rows -cpu-no-thread-entries -cpu-disable-pass=cpu-full-rows %s | FileCheck %s --check-prefix=OFF

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@tile = internal addrspace(3) global [256 x float] poison, align 4

; The last thread's index is the greatest; where it wraps around, the row is not
; full. In the full row it says that it does not.
; CHECK-LABEL: define void @kernel
; CHECK: add nsw i32 %base, %thread.x
; CHECK: store float 0
; CHECK: br i1 true
; CHECK: %[[HIGH:.*]] = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %base, i32 %{{.*}})
; CHECK: icmp slt i32 %{{.*}}, %n
; CHECK: br i1 %{{.*}}, label %row.full, label %row.partly
; CHECK: row.partly:
; CHECK: %[[I:.*]] = add i32 %base, %thread.x.partly
; CHECK: %[[INSIDE:.*]] = icmp slt i32 %[[I]], %n
; CHECK: br i1 %[[INSIDE]]
; OFF-LABEL: define void @kernel
; OFF-NOT: row.full
; OFF: }
define ptx_kernel void @kernel(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %k, %w
  %i = add i32 %base, %t
  %place = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float 0.0, ptr addrspace(3) %place
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %load, label %join
load:
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %wide
  %x = load float, ptr %p
  store float %x, ptr addrspace(3) %place
  br label %join
join:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %back = sub i32 255, %t
  %other = getelementptr float, ptr addrspace(3) @tile, i32 %back
  %y = load float, ptr addrspace(3) %other
  %q = getelementptr float, ptr %a, i32 %t
  store float %y, ptr %q
  ret void
}

; What decides is loaded: nothing can be known beforehand.
; CHECK-LABEL: define void @data
; CHECK-NOT: row.full
; CHECK: }
define ptx_kernel void @data(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %a, i32 %t
  %x = load i32, ptr %p
  %small = icmp slt i32 %x, %n
  br i1 %small, label %change, label %join
change:
  store i32 %n, ptr %p
  br label %join
join:
  %place = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float 1.0, ptr addrspace(3) %place
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
