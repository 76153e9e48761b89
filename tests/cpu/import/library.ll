; Functions that are one instruction of a GPU get their bodies, and those of the
; device library that are PTX get others; what the program defines itself, and
; what nothing calls, stays as it is.
; RUN: cufort-opt -passes=cpu-library -device-folder=%build/lib/cufort/device %s | FileCheck %s --implicit-check-not=" asm "

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; cpu-math's.
; CHECK: declare float @__nv_sinf(float)
declare float @__nv_fadd_ru(float, float)
declare i32 @__nv_float_as_int(float)
declare float @llvm.nvvm.div.rz.ftz.f(float, float)
declare double @llvm.nvvm.fma.rm.d(double, double, double)
declare float @llvm.nvvm.d2f.rp(double)
declare float @llvm.nvvm.fma.rn.f(float, float, float)
declare float @__nv_sinf(float)
declare i32 @__nv_popc(i32)
declare double @program_function(double)

; CHECK-LABEL: define ptx_kernel void @kernel(
define ptx_kernel void @kernel(ptr %a) {
  %x = load float, ptr %a
; CHECK: %up = call float @__nv_fadd_ru(float %x, float 1.000000e+00)
  %up = call float @__nv_fadd_ru(float %x, float 1.0)
; CHECK: %bits = call i32 @__nv_float_as_int(float %up)
  %bits = call i32 @__nv_float_as_int(float %up)
; CHECK: call float @__nv_sinf(
  %sine = call float @__nv_sinf(float %up)
; Directed rounding is a function; that to the nearest is cpu-intrinsics'.
; CHECK: %zero = call float @__nv_fdiv_rz(float %sine, float %x)
; CHECK: %wide = fpext
; CHECK: %down = call double @__nv_fma_rd(double %wide, double %wide, double %wide)
; CHECK: %narrow = call float @__nv_double2float_ru(double %down)
; CHECK: call float @llvm.nvvm.fma.rn.f(
  %zero = call float @llvm.nvvm.div.rz.ftz.f(float %sine, float %x)
  %wide = fpext float %zero to double
  %down = call double @llvm.nvvm.fma.rm.d(double %wide, double %wide, double %wide)
  %narrow = call float @llvm.nvvm.d2f.rp(double %down)
  %fused = call float @llvm.nvvm.fma.rn.f(float %narrow, float %sine, float %x)
  %near = fptosi float %fused to i32
  %sum = add i32 %near, %bits
  %hint = call i32 @__cufort_load_cg_4(ptr %a)
  %all = add i32 %sum, %hint
  store i32 %all, ptr %a
  ret void
}

; Of the device library: PTX gives way.
define i32 @__cufort_load_cg_4(ptr %p) noinline {
  %v = call i32 asm "ld.cg.b32 $0, [$1];", "=r,l"(ptr %p)
  ret i32 %v
}

; CHECK-DAG: define internal{{.*}} float @__nv_fadd_ru(
; CHECK-DAG: define internal{{.*}} i32 @__nv_float_as_int(
; CHECK-DAG: define internal{{.*}} float @__nv_fdiv_rz(
; CHECK-DAG: define internal{{.*}} double @__nv_fma_rd(
; CHECK-DAG: define internal{{.*}} float @__nv_double2float_ru(
; CHECK-NOT: define{{.*}}@__nv_fadd_rd(
