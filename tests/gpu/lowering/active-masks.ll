; Shuffles and votes without a mask are those of the lanes that execute them:
; GPUs from compute capability 7.0 on have no others.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.shfl.idx.i32(i32, i32, i32)
declare float @llvm.nvvm.shfl.bfly.f32(float, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.up.i32p(i32, i32, i32)
declare i1 @llvm.nvvm.vote.any(i1)
declare i32 @llvm.nvvm.vote.ballot(i1)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)

; CHECK-LABEL: .entry lanes(
; CHECK: activemask.b32 [[MASK:%r[0-9]+]];
; CHECK: shfl.sync.idx.b32 %{{.*}}, 3, 31, [[MASK]];
; CHECK: activemask.b32 [[MASK:%r[0-9]+]];
; CHECK: shfl.sync.bfly.b32 %{{.*}}, 1, 31, [[MASK]];
; CHECK: activemask.b32 [[MASK:%r[0-9]+]];
; CHECK: shfl.sync.up.b32 %{{.*}}|%{{.*}}, 2, 0, [[MASK]];
; CHECK: activemask.b32 [[MASK:%r[0-9]+]];
; CHECK: vote.sync.any.pred %{{.*}}, [[MASK]];
; CHECK: activemask.b32 [[MASK:%r[0-9]+]];
; CHECK: vote.sync.ballot.b32 %{{.*}}, [[MASK]];
; CHECK-NOT: activemask
; CHECK: shfl.sync.down.b32 %{{.*}}, 4, 31, -1;
; CHECK: ret;
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
