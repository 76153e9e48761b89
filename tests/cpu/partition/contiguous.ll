; RUN: cufort-opt -passes=...cpu-contiguous %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; An assumed-shape array of reals: if its elements follow each other, their
; distance is a constant.
; CHECK-LABEL: define void @scale(
; CHECK: [[PLACE:%.*]] = getelementptr inbounds nuw i8, ptr %x, i64 40
; CHECK: [[DISTANCE:%.*]] = load i64, ptr [[PLACE]]
; CHECK: [[IS:%.*]] = icmp eq i64 [[DISTANCE]], 4
; CHECK: br i1 [[IS]], label %general.contiguous, label %general
; CHECK: general:
; CHECK: mul i64 [[DISTANCE]], %i
; CHECK: fmul float
; CHECK: general.contiguous:
; CHECK-NOT: [[DISTANCE]]
; CHECK: shl {{.*}}, 2
; CHECK: fmul float
define ptx_kernel void @scale(ptr byval({ ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }) align 8 %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %data = load ptr, ptr %x
  %place = getelementptr i8, ptr %x, i64 40
  %distance = load i64, ptr %place
  %offset = mul i64 %i, %distance
  %element = getelementptr i8, ptr %data, i64 %offset
  %value = load float, ptr %element
  %twice = fmul float %value, 2.0
  store float %twice, ptr %element
  ret void
}

; Barriers are copied with the rest: all threads of a grid go to the same body.
; CHECK-LABEL: define void @waits(
; CHECK: br i1 {{.*}}, label %general.contiguous, label %general
; CHECK: general:
; CHECK: call i32 @cufort.barrier(
; CHECK: general.contiguous:
; CHECK: call i32 @cufort.barrier(
define ptx_kernel void @waits(ptr byval({ ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }) align 8 %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %data = load ptr, ptr %x
  %place = getelementptr i8, ptr %x, i64 40
  %distance = load i64, ptr %place
  %offset = mul i64 %i, %distance
  %element = getelementptr i8, ptr %data, i64 %offset
  store float 1.0, ptr %element
  call void @llvm.nvvm.barrier0()
  ret void
}

; A record that a C kernel takes by value is no descriptor.
; CHECK-LABEL: define void @record(
; CHECK-NOT: br i1
; CHECK: ret void
define ptx_kernel void @record(ptr byval({ ptr, i64 }) align 8 %x) {
  %data = load ptr, ptr %x
  store float 1.0, ptr %data
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
