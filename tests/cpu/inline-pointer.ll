; RUN: not cufort-opt -passes=cpu-flatten,cpu-inline %s 2>&1 | FileCheck %s
; CHECK: error: kernel 'kernel': a call through a procedure pointer is not supported in device code on the CPU

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %f) {
  call void %f()
  ret void
}
