; Warp operations become marks; the device library's 64-bit shuffles become one.
; RUN: cufort-opt -passes=...cpu-intrinsics %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare { float, i1 } @llvm.nvvm.shfl.sync.bfly.f32p(i32, float, i32, i32)
declare i32 @llvm.nvvm.shfl.idx.i32(i32, i32, i32)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i32 @llvm.nvvm.vote.ballot(i1)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32, i64)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)

define internal i64 @__cufort_shfl_up_i64(i32 %mask, i64 %value, i32 %b, i32 %c) {
  %low = trunc i64 %value to i32
  %1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %low, i32 %b, i32 %c)
  %2 = zext i32 %1 to i64
  ret i64 %2
}

; CHECK-LABEL: define void @kernel
define ptx_kernel void @kernel(ptr %a, i32 %mask, i32 %x, float %y, i64 %z, i1 %p) {
; CHECK-NEXT: [[V:%.*]] = call i32 @cufort.warp.shuffle.down.i32(i32 %mask, i32 %x, i32 1, i32 31)
; CHECK-NEXT: store volatile i32 [[V]], ptr %a
  %1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %x, i32 1, i32 31)
  store volatile i32 %1, ptr %a
; CHECK-NEXT: [[Y:%.*]] = bitcast float %y to i32
; CHECK-NEXT: [[S:%.*]] = call i32 @cufort.warp.shuffle.xor.i32(i32 %mask, i32 [[Y]], i32 2, i32 31)
; CHECK-NEXT: bitcast i32 [[S]] to float
; CHECK-NEXT: [[L:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
; CHECK: [[J:%.*]] = xor i32 [[L]], 2
; CHECK-NEXT: icmp sle i32 [[J]]
  %2 = call { float, i1 } @llvm.nvvm.shfl.sync.bfly.f32p(i32 %mask, float %y, i32 2, i32 31)
  store volatile { float, i1 } %2, ptr %a
; CHECK: [[M:%.*]] = call i32 @cufort.warp.activemask()
; CHECK-NEXT: call i32 @cufort.warp.shuffle.idx.i32(i32 [[M]], i32 %x, i32 3, i32 31)
  %3 = call i32 @llvm.nvvm.shfl.idx.i32(i32 %x, i32 3, i32 31)
  store volatile i32 %3, ptr %a
; CHECK: [[N:%.*]] = xor i1 %p, true
; CHECK-NEXT: [[B:%.*]] = call i32 @cufort.warp.ballot(i32 %mask, i1 [[N]])
; CHECK-NEXT: icmp eq i32 [[B]], 0
  %4 = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %p)
  store volatile i1 %4, ptr %a
; CHECK: [[B:%.*]] = call i32 @cufort.warp.ballot(i32 %mask, i1 %p)
; CHECK-NEXT: icmp ne i32 [[B]], 0
  %5 = call i1 @llvm.nvvm.vote.any.sync(i32 %mask, i1 %p)
  store volatile i1 %5, ptr %a
; CHECK: [[M:%.*]] = call i32 @cufort.warp.activemask()
; CHECK-NEXT: call i32 @cufort.warp.ballot(i32 [[M]], i1 %p)
  %6 = call i32 @llvm.nvvm.vote.ballot(i1 %p)
  store volatile i32 %6, ptr %a
; CHECK: [[A:%.*]] = call i32 @cufort.warp.match.all.i64(i32 %mask, i64 %z)
; CHECK-NEXT: icmp ne i32 [[A]], 0
  %7 = call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 %mask, i64 %z)
  store volatile { i32, i1 } %7, ptr %a
; CHECK: call i32 @cufort.warp.match.any.i32(i32 %mask, i32 %x)
  %8 = call i32 @llvm.nvvm.match.any.sync.i32(i32 %mask, i32 %x)
  store volatile i32 %8, ptr %a
; CHECK: call i32 @cufort.warp.reduce.umax(i32 %mask, i32 %x)
  %9 = call i32 @llvm.nvvm.redux.sync.umax(i32 %x, i32 %mask)
  store volatile i32 %9, ptr %a
; CHECK: call void @cufort.warp.sync(i32 %mask)
  call void @llvm.nvvm.bar.warp.sync(i32 %mask)
; CHECK: call i64 @cufort.warp.shuffle.up.i64(i32 %mask, i64 %z, i32 4, i32 0)
  %10 = call i64 @__cufort_shfl_up_i64(i32 %mask, i64 %z, i32 4, i32 0)
  store volatile i64 %10, ptr %a
; CHECK: ret void
  ret void
}
