; RUN: not cufort-opt -passes=cpu-flatten,cpu-host-functions,cpu-inline,cpu-math %s 2>&1 | FileCheck %s
; CHECK: error: kernel 'kernel': the device function '__nv_normcdf' is not supported on the CPU yet

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare double @__nv_normcdf(double)
define ptx_kernel void @kernel(ptr %a, double %d) {
  %1 = call double @__nv_normcdf(double %d)
  store double %1, ptr %a
  ret void
}
