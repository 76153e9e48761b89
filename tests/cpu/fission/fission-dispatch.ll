; A barrier under a condition that may differ between threads: the general path.
; RUN: cufort-opt -passes=...cpu-fission -cpu-no-thread-entries %s | FileCheck %s

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

; CHECK-LABEL: define void @kernel
; CHECK: phase:
; CHECK: thread.x:
; CHECK: switch i32 %{{.*}}, label %thread.x.next [
; CHECK-NEXT: i32 0, label
; CHECK-NEXT: i32 1, label
; CHECK-NEXT: ]
; There is only one barrier to be at.
; CHECK-NOT: compare_statements
; CHECK: br i1 {{.*}}, label %phase, label %end
; CHECK: end:
; CHECK-NEXT: ret void
define ptx_kernel void @kernel(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = getelementptr i32, ptr %a, i32 %t
  %n = load i32, ptr %c
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %j, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  store i32 %i, ptr %c
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %j = add i32 %i, 1
  br label %head
end:
  ret void
}
