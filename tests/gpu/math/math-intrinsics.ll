; Math intrinsics without an instruction become calls of device math; those with
; one stay.
; RUN: cufort-opt -passes=gpu-math -device-folder=%build/lib/cufort/device %s | FileCheck %s --implicit-check-not="declare {{.*}}@__nv_"
; CHECK-LABEL: define ptx_kernel void @k(
; Rounding half away from zero, then conversion.
; CHECK: [[ROUNDED:%.*]] = call float @llvm.round.f32(float %x)
; CHECK-NEXT: fptosi float [[ROUNDED]] to i32
; CHECK: %s = call double @llvm.sqrt.f64(double %y)
; CHECK-NEXT: [[ROUNDED:%.*]] = call double @llvm.rint.f64(double %s)
; CHECK-NEXT: fptosi double [[ROUNDED]] to i64
; CHECK: call double @__nv_pow(double %y, double %s)
; CHECK: call float @__nv_powif(float %x, i32 %{{.*}})
; CHECK: define internal double @__nv_pow(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.lround.i32.f32(float)
declare i64 @llvm.llrint.i64.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.pow.f64(double, double)
declare float @llvm.powi.f32.i32(float, i32)
define ptx_kernel void @k(ptr %i, ptr %l, ptr %a, ptr %b) {
  %x = load float, ptr %a
  %r = call i32 @llvm.lround.i32.f32(float %x)
  store i32 %r, ptr %i
  %y = load double, ptr %b
  %s = call double @llvm.sqrt.f64(double %y)
  %n = call i64 @llvm.llrint.i64.f64(double %s)
  store i64 %n, ptr %l
  %p = call double @llvm.pow.f64(double %y, double %s)
  store double %p, ptr %b
  %q = call float @llvm.powi.f32.i32(float %x, i32 %r)
  store float %q, ptr %a
  ret void
}
