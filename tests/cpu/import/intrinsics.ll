; NVVM's arithmetic, atomics and fences become LLVM's, barriers become marks.
; RUN: cufort-opt -passes=cpu-flatten,cpu-host-functions,cpu-inline,cpu-intrinsics %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.nvvm.fma.rn.f(float, float, float)
declare float @llvm.nvvm.rcp.approx.ftz.f(float)
declare float @llvm.nvvm.fmin.f(float, float)
declare float @llvm.nvvm.ex2.approx.f32(float)
declare i32 @llvm.nvvm.f2i.rz(float)
declare i32 @llvm.nvvm.f2ui.rn(float)
declare i32 @llvm.nvvm.mulhi.ui(i32, i32)
declare i32 @llvm.nvvm.sad.i(i32, i32, i32)
declare i64 @llvm.nvvm.sad.ull(i64, i64, i64)
declare i32 @llvm.nvvm.d2i.hi(double)
declare i32 @llvm.nvvm.d2i.lo(double)
declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define void @kernel
define ptx_kernel void @kernel(ptr %a, float %f, i32 %i) {
; CHECK: call float @llvm.fma.f32(float %f, float %f, float %f)
  %1 = call float @llvm.nvvm.fma.rn.f(float %f, float %f, float %f)
  store float %1, ptr %a
; CHECK: fdiv float 1.000000e+00, %f
  %2 = call float @llvm.nvvm.rcp.approx.ftz.f(float %f)
  store float %2, ptr %a
; CHECK: call float @llvm.minnum.f32(float %f, float %f)
  %3 = call float @llvm.nvvm.fmin.f(float %f, float %f)
  store float %3, ptr %a
; CHECK: call float @llvm.exp2.f32(float %f)
  %4 = call float @llvm.nvvm.ex2.approx.f32(float %f)
  store float %4, ptr %a
; CHECK: call i32 @llvm.fptosi.sat.i32.f32(float %f)
  %5 = call i32 @llvm.nvvm.f2i.rz(float %f)
  store i32 %5, ptr %a
; CHECK: call float @llvm.roundeven.f32(float %f)
; CHECK: call i32 @llvm.fptoui.sat.i32.f32(
  %whole = call i32 @llvm.nvvm.f2ui.rn(float %f)
  store i32 %whole, ptr %a
; CHECK: zext i32 %i to i64
; CHECK: lshr i64 {{.*}}, 32
  %6 = call i32 @llvm.nvvm.mulhi.ui(i32 %i, i32 %i)
  store i32 %6, ptr %a
; CHECK: call i32 @llvm.smax.i32(i32 %i, i32 7)
; CHECK: call i32 @llvm.smin.i32(i32 %i, i32 7)
; CHECK: add i32 {{.*}}, %i
  %distance = call i32 @llvm.nvvm.sad.i(i32 %i, i32 7, i32 %i)
  store i32 %distance, ptr %a
  %wide = zext i32 %i to i64
; CHECK: call i64 @llvm.umax.i64(i64 %wide, i64 7)
  %far = call i64 @llvm.nvvm.sad.ull(i64 %wide, i64 7, i64 %wide)
  %number = bitcast i64 %far to double
; CHECK: lshr i64 {{.*}}, 32
; CHECK: trunc i64 {{.*}} to i32
; CHECK: trunc i64 {{.*}} to i32
; CHECK: or i64
; CHECK: bitcast i64 {{.*}} to double
  %high = call i32 @llvm.nvvm.d2i.hi(double %number)
  %low = call i32 @llvm.nvvm.d2i.lo(double %number)
  %again = call double @llvm.nvvm.lohi.i2d(i32 %low, i32 %high)
  store double %again, ptr %a
; A GPU's conversions saturate.
; CHECK: call i32 @llvm.fptosi.sat.i32.f32(float %f)
; CHECK: call i64 @llvm.fptoui.sat.i64.f32(float %f)
; CHECK: fptoui float %f to i8
  %signed = fptosi float %f to i32
  store i32 %signed, ptr %a
  %unsigned = fptoui float %f to i64
  store i64 %unsigned, ptr %a
  %byte = fptoui float %f to i8
  store i8 %byte, ptr %a
; CHECK: fence seq_cst
  call void @llvm.nvvm.membar.gl()
; CHECK: atomicrmw add ptr %a, i32 1 seq_cst
; CHECK-NOT: syncscope
  %7 = atomicrmw add ptr %a, i32 1 syncscope("block") seq_cst
; CHECK: call i32 @cufort.barrier(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c = icmp sgt i32 %i, 3
; CHECK: call void @cufort.vote(i1 %c)
; CHECK: call i32 @cufort.barrier(i32 1)
  %8 = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %c)
  store i32 %8, ptr %a
; CHECK: call void @cufort.vote(i1 %c)
; CHECK: call i32 @cufort.barrier(i32 3)
  %9 = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %c)
  store i1 %9, ptr %a
; Thread indices wait for cpu-fission.
; CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %10, ptr %a
  ret void
}
