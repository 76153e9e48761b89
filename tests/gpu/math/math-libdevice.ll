; A libdevice, where there is one, is asked first; its questions are answered by
; the options; what it lacks comes from our own functions.
; RUN: llvm-as %S/../Inputs/libdevice.ll -o %t.bc
; RUN: cufort-ptx -libdevice=%t.bc -device-folder=%build/lib/cufort/device %s | FileCheck %s --check-prefix=EXACT
; RUN: cufort-ptx -libdevice=%t.bc -device-folder=%build/lib/cufort/device -flush %s | FileCheck %s --check-prefix=FLUSH
; RUN: cufort-ptx -libdevice=%t.bc -device-folder=%build/lib/cufort/device -fast-math -flush %s | FileCheck %s --check-prefix=FAST
; EXACT: sqrt.rn.f32
; EXACT-NOT: sqrt.approx
; EXACT: div.rz.f32
; EXACT: fma.rn.f32
; FLUSH: sqrt.rn.ftz.f32
; FAST: sqrt.approx.ftz.f32
target triple = "nvptx64-nvidia-cuda"
declare float @__nv_sqrtf(float)
declare double @__nv_cbrt(double)
declare float @__nv_fmodf(float, float)
define ptx_kernel void @k(ptr %a, ptr %b) {
  %x = load float, ptr %a
  %r = call float @__nv_sqrtf(float %x)
  store float %r, ptr %a
  %y = load double, ptr %b
  %c = call double @__nv_cbrt(double %y)
  store double %c, ptr %b
  %m = call float @__nv_fmodf(float %x, float %r)
  store float %m, ptr %a
  ret void
}
