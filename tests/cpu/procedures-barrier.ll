; What the threads of a block do together would need all of them at the same
; depth of the recursion.
; RUN: not cufort-opt -passes=cpu-flatten,cpu-inline,cpu-procedures %s 2>&1 | FileCheck %s
; CHECK: error: device procedure 'down': a barrier is not supported on the CPU in a device procedure that is recursive or called through a pointer: move it to the kernel

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define i32 @down(i32 %n) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = call i32 @down(i32 %n)
  ret i32 %r
}
define ptx_kernel void @kernel(ptr %a) {
  %r = call i32 @down(i32 4)
  store i32 %r, ptr %a
  ret void
}
