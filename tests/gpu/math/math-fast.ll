; -gpu=fastmath takes the GPU's approximate functions.
; RUN: cufort-ptx -fast-math -flush -device-folder=%build/lib/cufort/device %s | FileCheck %s
; CHECK-DAG: sin.approx
; CHECK-DAG: ex2.approx
; CHECK-DAG: lg2.approx
; CHECK-NOT: mul.hi
target triple = "nvptx64-nvidia-cuda"
declare float @__nv_sinf(float)
declare float @__nv_powf(float, float)
define ptx_kernel void @k(ptr %a) {
  %x = load float, ptr %a
  %s = call float @__nv_sinf(float %x)
  %p = call float @__nv_powf(float %s, float %x)
  store float %p, ptr %a
  ret void
}
