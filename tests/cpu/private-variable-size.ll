; RUN: not cufort-opt -passes=...cpu-private %s 2>&1 | FileCheck %s
; CHECK: error: kernel 'kernel': a private array of variable size is not supported on the CPU yet

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
