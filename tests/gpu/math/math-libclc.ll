; Without libdevice: our own functions on top of libclc, inlined or internal,
; none left undefined.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s --implicit-check-not=__nv_ --implicit-check-not=.extern
; CHECK: .entry k(
; Payne and Hanek's reduction for large arguments.
; CHECK: mul.hi.u32
; The correctly rounded square root.
; CHECK: sqrt.rn.f32
target triple = "nvptx64-nvidia-cuda"
declare float @__nv_sinf(float)
declare double @__nv_pow(double, double)
declare float @__nv_sqrtf(float)
declare double @__nv_erf(double)
define ptx_kernel void @k(ptr %a, ptr %b) {
  %x = load float, ptr %a
  %s = call float @__nv_sinf(float %x)
  %r = call float @__nv_sqrtf(float %s)
  store float %r, ptr %a
  %y = load double, ptr %b
  %p = call double @__nv_pow(double %y, double 1.7)
  %e = call double @__nv_erf(double %p)
  store double %e, ptr %b
  ret void
}
