; In the naive copy a warp operation is a call of the runtime, and lanes go to
; volatile accesses together. Places in a loop have lower numbers than those
; behind it.
; RUN: cufort-opt -passes=...cpu-thread-entry %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32, i64)
declare i32 @llvm.nvvm.activemask()
declare void @llvm.nvvm.bar.warp.sync(i32)

; CHECK-LABEL: define void @kernel.thread(
; CHECK: [[V:%.*]] = zext i32 %x to i64
; CHECK: [[R:%.*]] = call i64 @__cufort_cpu_warp_operation(i32 1, i32 -1, i64 [[V]], i32 2, i32 0, i32 {{[0-9]+}})
; CHECK: trunc i64 [[R]] to i32
; CHECK: zext i1 {{.*}} to i64
; CHECK: call i64 @__cufort_cpu_warp_operation(i32 4, i32 255,
; CHECK: call i64 @__cufort_cpu_warp_operation(i32 6, i32 -1, i64 %z,
; CHECK: icmp ne i32 {{.*}}, 0
; CHECK: call i64 @__cufort_cpu_warp_operation(i32 16, i32 15,
; A place in a loop: the loop's number, the iteration, the block's number; one behind
; it: the block's number, which is greater.
; CHECK: {{^}}more:
; CHECK: [[TURN:%.*]] = phi i32 [ [[NEXT:%.*]], %more ], [ 0, %{{.*}} ]
; CHECK: [[NEXT]] = call i32 @llvm.umin.i32(
; CHECK: [[AT:%.*]] = or i64 {{.*}}, 2
; CHECK: [[VALUE:%.*]] = shl i64 [[AT]], 16
; CHECK: [[V:%.*]] = or i64 [[VALUE]], 0
; CHECK: @__cufort_cpu_warp_operation(i32 17, i32 -1, i64 [[V]], i32 0, i32 0,
; CHECK-NEXT: load volatile
; CHECK: @__cufort_cpu_warp_operation(i32 17, i32 -1, i64
; CHECK-NEXT: store volatile
; CHECK: {{^}}end:
; CHECK: @__cufort_cpu_warp_operation(i32 15, i32 -1, i64 844424930131968, i32 0, i32 0,
define ptx_kernel void @kernel(ptr %a, i32 %x, i64 %z) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %x, i32 2, i32 0)
  store i32 %1, ptr %a
  %p = icmp slt i32 %t, 5
  %2 = call i32 @llvm.nvvm.vote.ballot.sync(i32 255, i1 %p)
  store i32 %2, ptr %a
  %3 = call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 -1, i64 %z)
  store { i32, i1 } %3, ptr %a
  call void @llvm.nvvm.bar.warp.sync(i32 15)
  br label %more
more:
  %i = phi i32 [ 0, %0 ], [ %j, %more ]
  %4 = load volatile i32, ptr %a
  %5 = add i32 %4, %1
  store volatile i32 %5, ptr %a
  %j = add i32 %i, 1
  %again = icmp slt i32 %j, %t
  br i1 %again, label %more, label %end
end:
  %6 = call i32 @llvm.nvvm.activemask()
  store i32 %6, ptr %a
  ret void
}
