; For block shapes that are constants at launches, copies in which the shape is a
; constant: four at most, the most frequent ones, and only of kernels that have a
; barrier or a loop, or of any where blocks have one thread in x. The general code
; stays.
; RUN: cufort-opt -passes=...cpu-shapes -cpu-no-thread-entries %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-fission -cpu-no-thread-entries %s | FileCheck %s --check-prefix=LOOPS
; RUN: cufort-opt -passes=cpu -cpu-no-thread-entries -cpu-disable-pass=cpu-shapes %s | FileCheck %s --check-prefix=WITHOUT
; RUN: cufort-opt -passes=cpu -cpu-no-thread-entries -cpu-processor=x86-64-v3 %s | FileCheck %s --check-prefix=VECTORS
; RUN: cufort-opt -passes=cpu -cpu-no-thread-entries -cpu-levels=6 %s | FileCheck %s --check-prefix=LEVELS

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CHECK-LABEL: define void @barrier(
; CHECK: %blockDim.x = load i32
; CHECK: %blockDim.y = load i32
; CHECK: mul nuw nsw i32 %blockDim.x, %blockDim.y
; CHECK-LABEL: define void @straight(
; CHECK-LABEL: define void @upright(
; CHECK-LABEL: define void @loop(

; The kernel's most frequent shape comes first, then the others in their order;
; those no launch can have are left out.
; CHECK-LABEL: define void @barrier.16x8x1(
; CHECK-SAME: [[SHAPE:#[0-9]+]]
; CHECK-NOT: load i32
; CHECK: store i32 128,
; CHECK: ret void
; CHECK-LABEL: define void @barrier.1x1x64(
; CHECK-LABEL: define void @barrier.2x1x1(
; CHECK-LABEL: define void @barrier.3x1x1(
; Where there is one thread in x, the first axis with more takes its place; along
; the others an index of which there is one is 0.
; CHECK-LABEL: define void @upright.1x64x1(
; CHECK-SAME: [[UPRIGHT:#[0-9]+]]
; CHECK: [[Y:%.*]] = call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK-NOT: sreg
; CHECK: zext nneg i32 [[Y]] to i64
; CHECK: store i32 [[Y]],
; CHECK: ret void
; CHECK-LABEL: define void @upright.1x4x8(
; CHECK: %y = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: %z = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
; CHECK-LABEL: define void @upright.1x1x32(
; CHECK-SAME: [[DEEP:#[0-9]+]]
; CHECK-NOT: sreg.tid.z
; CHECK: call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: ret void
; CHECK-LABEL: define void @loop.7x1x1(
; Parts of an index that threads of larger blocks would differ in are nothing, the
; others the index; a sum stays a sum.
; CHECK-LABEL: define void @parts.128x1x1(
; CHECK: %t = call range(i32 0, 128) i32
; CHECK-NEXT: [[WIDE:%.*]] = zext nneg i32 %t to i64
; CHECK-NEXT: %p = getelementptr float, ptr %shared, i64 [[WIDE]]
; CHECK-NOT: and
; CHECK-NOT: urem
; CHECK: %far = add nuw nsw i32 %t, 512
; CHECK: ret void
; CHECK-NOT: define
; CHECK-DAG: attributes [[SHAPE]] = { {{.*}}"cufort-shape"="16,8,1"
; CHECK-DAG: attributes [[UPRIGHT]] = { {{.*}}"cufort-along"="1"{{.*}}"cufort-shape"="1,64,1"
; CHECK-DAG: attributes [[DEEP]] = { {{.*}}"cufort-along"="2"{{.*}}"cufort-shape"="1,1,32"

; The loops over the threads have constant bounds.
; LOOPS-LABEL: define void @barrier.16x8x1(
; LOOPS: icmp ult i32 {{.*}}, 16
; LOOPS: icmp ult i32 {{.*}}, 8
; LOOPS: icmp ult i32 {{.*}}, 1

; LOOPS-LABEL: define void @upright.1x4x8(
; LOOPS: icmp ult i32 {{.*}}, 4
; LOOPS: icmp ult i32 {{.*}}, 1
; LOOPS: icmp ult i32 {{.*}}, 8

; WITHOUT-NOT: define {{.*}}16x8x1

; VECTORS-LABEL: define {{.*}}void @upright.1x64x1.v3(
; VECTORS: store <8 x i32>

; LEVELS-DAG: define {{.*}}void @barrier.16x8x1.v3(
; LEVELS-DAG: define {{.*}}void @barrier.16x8x1.v4(
; LEVELS-DAG: define {{.*}}void @barrier.v3(

define ptx_kernel void @barrier(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %n = mul i32 %nx, %ny
  %c = getelementptr i32, ptr %a, i32 %t
  store i32 %n, ptr %c
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr %a
  %d = getelementptr i32, ptr %c, i32 1024
  store i32 %v, ptr %d
  ret void
}
define ptx_kernel void @straight(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = getelementptr i32, ptr %a, i32 %t
  store i32 %t, ptr %c
  ret void
}
define ptx_kernel void @upright(ptr %a) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %row = mul i32 %z, 4
  %yz = add i32 %y, %row
  %c = getelementptr i32, ptr %a, i32 %yz
  %sum = add i32 %x, %y
  store i32 %sum, ptr %c
  ret void
}
define ptx_kernel void @loop(ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %iteration
iteration:
  %i = phi i32 [ %t, %entry ], [ %next, %iteration ]
  %c = getelementptr i32, ptr %a, i32 %i
  store i32 %t, ptr %c
  %next = add i32 %i, 32
  %more = icmp slt i32 %next, %n
  br i1 %more, label %iteration, label %end
end:
  ret void
}

@tile = internal addrspace(3) global [256 x float] poison, align 16
define ptx_kernel void @parts(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %twice = shl i32 %t, 1
  %block = and i32 %twice, 1792
  %low = urem i32 %t, 128
  %i = or disjoint i32 %block, %low
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %v = load float, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %far = add nuw nsw i32 %t, 512
  %q = getelementptr float, ptr %a, i32 %t
  store float %v, ptr %q
  %r = getelementptr i32, ptr %q, i32 128
  store i32 %far, ptr %r
  ret void
}

!cufort.launches = !{!0, !1, !2, !3, !4, !5, !6, !7, !0, !8, !9, !10, !11, !12, !13, !14, !15}
!0 = !{!"straight", i32 32, i32 1, i32 1}
!1 = !{!"barrier", i32 1, i32 1, i32 64}
!2 = !{!"barrier", i32 2, i32 1, i32 1}
!3 = !{!"barrier", i32 16, i32 8, i32 1}
!4 = !{!"barrier", i32 3, i32 1, i32 1}
!5 = !{!"barrier", i32 4, i32 1, i32 1}
!6 = !{!"barrier", i32 16, i32 8, i32 1}
!7 = !{!"elsewhere", i32 4, i32 1, i32 1}
!8 = !{!"barrier", i32 64, i32 32, i32 1}
!9 = !{!"barrier", i32 0, i32 1, i32 1}
!10 = !{!"barrier", i32 -1, i32 1, i32 1}
!11 = !{!"loop", i32 7, i32 1, i32 1}
!12 = !{!"upright", i32 1, i32 64, i32 1}
!13 = !{!"upright", i32 1, i32 4, i32 8}
!14 = !{!"upright", i32 1, i32 1, i32 32}
!15 = !{!"parts", i32 128, i32 1, i32 1}
