; libdevice's names become intrinsics, which can be vectorised, or libm calls.
; RUN: cufort-opt -passes=cpu-flatten,cpu-host-functions,cpu-inline,cpu-math %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare float @__nv_sinf(float)
declare double @__nv_exp(double)
declare float @__nv_fast_expf(float)
declare double @__nv_pow(double, double)
declare double @__nv_erf(double)
declare float @__nv_erff(float)
declare i32 @__nv_popcll(i64)
declare i32 @__nv_isnand(double)
declare float @__nv_rsqrtf(float)
declare double @__nv_powi(double, i32)
declare i32 @__nv_umulhi(i32, i32)
declare void @__nv_sincosf(float, ptr, ptr)

define ptx_kernel void @kernel(ptr %a, float %f, double %d, i64 %i) {
; CHECK: call float @llvm.sin.f32(float %f)
  %1 = call float @__nv_sinf(float %f)
  store float %1, ptr %a
; CHECK: call contract double @llvm.exp.f64(double %d)
  %2 = call contract double @__nv_exp(double %d)
  store double %2, ptr %a
; CHECK: call float @llvm.exp.f32(float %f)
  %3 = call float @__nv_fast_expf(float %f)
  store float %3, ptr %a
; CHECK: call double @llvm.pow.f64(double %d, double %d)
  %4 = call double @__nv_pow(double %d, double %d)
  store double %4, ptr %a
; CHECK: call double @erf(double %d)
  %5 = call double @__nv_erf(double %d)
  store double %5, ptr %a
; CHECK: call float @erff(float %f)
  %6 = call float @__nv_erff(float %f)
  store float %6, ptr %a
; CHECK: call i64 @llvm.ctpop.i64(i64 %i)
  %7 = call i32 @__nv_popcll(i64 %i)
  store i32 %7, ptr %a
; CHECK: fcmp uno double %d, %d
  %8 = call i32 @__nv_isnand(double %d)
  store i32 %8, ptr %a
; CHECK: [[ROOT:%.*]] = call float @llvm.sqrt.f32(float %f)
; CHECK: fdiv float 1.000000e+00, [[ROOT]]
  %9 = call float @__nv_rsqrtf(float %f)
  store float %9, ptr %a
; CHECK: call double @llvm.powi.f64.i32(double %d, i32 3)
  %10 = call double @__nv_powi(double %d, i32 3)
  store double %10, ptr %a
; CHECK: mul i64
; CHECK: lshr i64 {{.*}}, 32
  %t = trunc i64 %i to i32
  %11 = call i32 @__nv_umulhi(i32 %t, i32 %t)
  store i32 %11, ptr %a
; CHECK: call float @llvm.sin.f32(float %f)
; CHECK: call float @llvm.cos.f32(float %f)
  call void @__nv_sincosf(float %f, ptr %a, ptr %a)
  ret void
}
