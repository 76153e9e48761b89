; Shuffles and votes without a mask are those of the lanes that execute them:
; GPUs from compute capability 7.0 on have no others.
; RUN: cufort-opt -passes=gpu-lowering %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.shfl.idx.i32(i32, i32, i32)
declare float @llvm.nvvm.shfl.bfly.f32(float, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.up.i32p(i32, i32, i32)
declare i1 @llvm.nvvm.vote.any(i1)
declare i32 @llvm.nvvm.vote.ballot(i1)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)

; CHECK-LABEL: define ptx_kernel void @lanes(
; CHECK: [[MASK:%.*]] = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 [[MASK]], i32 %x, i32 3, i32 31)
; CHECK: [[MASK:%.*]] = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT: call float @llvm.nvvm.shfl.sync.bfly.f32(i32 [[MASK]], float %f, i32 1, i32 31)
; CHECK: [[MASK:%.*]] = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT: call { i32, i1 } @llvm.nvvm.shfl.sync.up.i32p(i32 [[MASK]], i32 %x, i32 2, i32 0)
; CHECK: [[MASK:%.*]] = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT: call i1 @llvm.nvvm.vote.any.sync(i32 [[MASK]], i1 %there)
; CHECK: [[MASK:%.*]] = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT: call i32 @llvm.nvvm.vote.ballot.sync(i32 [[MASK]], i1 %there)
; CHECK-NOT: activemask
; CHECK: call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %x, i32 4, i32 31)
; CHECK: ret void
define ptx_kernel void @lanes(ptr %p, i32 %x, float %f) {
  %1 = call i32 @llvm.nvvm.shfl.idx.i32(i32 %x, i32 3, i32 31)
  store volatile i32 %1, ptr %p
  %2 = call float @llvm.nvvm.shfl.bfly.f32(float %f, i32 1, i32 31)
  store volatile float %2, ptr %p
  %3 = call {i32, i1} @llvm.nvvm.shfl.up.i32p(i32 %x, i32 2, i32 0)
  %v = extractvalue {i32, i1} %3, 0
  %there = extractvalue {i32, i1} %3, 1
  store volatile i32 %v, ptr %p
  %4 = call i1 @llvm.nvvm.vote.any(i1 %there)
  %w = zext i1 %4 to i32
  store volatile i32 %w, ptr %p
  %5 = call i32 @llvm.nvvm.vote.ballot(i1 %there)
  store volatile i32 %5, ptr %p
  %6 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %x, i32 4, i32 31)
  store volatile i32 %6, ptr %p
  ret void
}
