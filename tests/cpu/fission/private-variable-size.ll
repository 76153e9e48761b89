; A private array of variable size is one on each thread's own stack.
; RUN: cufort-opt -passes=...cpu-private %s | FileCheck %s
; RUN: not cufort-opt -passes=...cpu-private -cpu-no-thread-entries %s 2>&1 | FileCheck %s --check-prefix=WITHOUT
; CHECK-NOT: define void @kernel
; CHECK: define void @kernel.thread({{.*}} [[FIBERS:#[0-9]+]]
; CHECK: alloca float, i64 %
; CHECK-NOT: define void @kernel
; CHECK: attributes [[FIBERS]] = {{.*}}"cufort-fibers"="a private array of variable size"
; WITHOUT: error: kernel 'kernel': a private array of variable size is not supported on the CPU without the code that runs one fiber for each thread

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %a, i32 %n, i32 %i) {
  %p = alloca float, i32 %n
  %c = getelementptr float, ptr %p, i32 %i
  store float 1.0, ptr %c
  %v = load float, ptr %p
  store float %v, ptr %a
  ret void
}
