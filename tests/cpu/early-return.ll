; A thread that returns before a barrier is marked and then goes, for the
; analyses, where the others go.
; RUN: cufort-opt -passes=...cpu-intrinsics,cpu-entry,cpu-barriers,cpu-early-return %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare void @llvm.nvvm.bar.warp.sync(i32)
@tile = internal addrspace(3) global [256 x float] poison, align 4

; CHECK-LABEL: define i32 @kernel
; CHECK: br i1 %{{.*}}, label %[[LEAVE:[a-z.]*leave[0-9]*]], label %[[STAY:stay[0-9]*]]
; CHECK: [[STAY]]:
; CHECK: call i32 @cufort.barrier(i32 0)
; CHECK: [[LEAVE]]:
; CHECK-NEXT: store i32 7
; CHECK-NEXT: call void @cufort.thread.exit()
; CHECK-NEXT: br label %[[STAY]]
define ptx_kernel void @kernel(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %out = icmp sge i32 %t, %n
  br i1 %out, label %leave, label %go
leave:
  store i32 7, ptr %a
  ret void
go:
  store i32 1, ptr %a
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 2, ptr %a
  ret void
}
; A uniform return stays what it is.
; CHECK-LABEL: define i32 @uniform
; CHECK-NOT: call void @cufort.thread.exit
; CHECK: ret i32 0
; CHECK: }
define ptx_kernel void @uniform(ptr %a, i32 %n) {
  %out = icmp sge i32 %n, 5
  br i1 %out, label %leave, label %go
leave:
  ret void
go:
  store i32 1, ptr %a
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 2, ptr %a
  ret void
}
; The impossible case of a divergent switch is no way out.
; CHECK-LABEL: define i32 @impossible
; CHECK-NOT: call void @cufort.thread.exit
; CHECK-NOT: unreachable
; CHECK: }
define ptx_kernel void @impossible(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = and i32 %t, 1
  switch i32 %c, label %never [ i32 0, label %one
                                i32 1, label %two ]
never:
  unreachable
one:
  store i32 1, ptr %a
  br label %join
two:
  store i32 2, ptr %a
  br label %join
join:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 3, ptr %a
  ret void
}
