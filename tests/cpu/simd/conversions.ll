; Conversions to integers that saturate become comparisons and a plain conversion,
; which vectors have instructions for.
; RUN: cufort-opt -passes=cpu-conversions %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; Both bounds are numbers of the format.
; CHECK-LABEL: define i32 @exact(double %x)
; CHECK: [[ABOVE:%.*]] = fcmp ogt double %x, 0xC1E0000000000000
; CHECK: [[RAISED:%.*]] = select i1 [[ABOVE]], double %x, double 0xC1E0000000000000
; CHECK: [[BELOW:%.*]] = fcmp olt double [[RAISED]], 0x41DFFFFFFFC00000
; CHECK: [[CLAMPED:%.*]] = select i1 [[BELOW]], double [[RAISED]], double 0x41DFFFFFFFC00000
; CHECK: [[INTEGER:%.*]] = fptosi double [[CLAMPED]] to i32
; CHECK: [[NONE:%.*]] = fcmp uno double %x, 0.000000e+00
; CHECK: [[RESULT:%.*]] = select i1 [[NONE]], i32 0, i32 [[INTEGER]]
; CHECK: ret i32 [[RESULT]]
define i32 @exact(double %x) {
  %r = call i32 @llvm.fptosi.sat.i32.f64(double %x)
  ret i32 %r
}

; The upper bound is none.
; CHECK-LABEL: define i32 @rounded(float %x)
; CHECK: [[INTEGER:%.*]] = fptosi float
; CHECK: [[OVER:%.*]] = fcmp ogt float %x, 0x41DFFFFFE0000000
; CHECK: select i1 [[OVER]], i32 2147483647, i32 [[INTEGER]]
define i32 @rounded(float %x) {
  %r = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  ret i32 %r
}

; CHECK-LABEL: define <4 x i64> @vector(<4 x double> %x)
; CHECK-NOT: llvm.fptoui.sat
; CHECK: fptoui <4 x double> {{.*}} to <4 x i64>
; CHECK-NOT: fcmp uno
; CHECK: ret
define <4 x i64> @vector(<4 x double> %x) {
  %r = call <4 x i64> @llvm.fptoui.sat.v4i64.v4f64(<4 x double> %x)
  ret <4 x i64> %r
}

; CHECK-LABEL: define i32 @half(half %x)
; CHECK: llvm.fptosi.sat
define i32 @half(half %x) {
  %r = call i32 @llvm.fptosi.sat.i32.f16(half %x)
  ret i32 %r
}
