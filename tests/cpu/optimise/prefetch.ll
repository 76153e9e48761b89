; Kernels with barriers ask for the next block's data before they read their own;
; without a barrier blocks follow each other closely. Atomics on shared memory
; are plain in the end, those on global memory stay.
; RUN: cufort-opt -passes=...cpu-prefetch -cpu-no-thread-entries %s | FileCheck %s
; RUN: cufort-opt -passes=cpu -cpu-levels=4 -cpu-no-thread-entries %s | FileCheck %s --check-prefix=PLAIN

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@tile = internal addrspace(3) global [256 x i32] poison, align 4

; CHECK-LABEL: define void @barrier
; CHECK: add {{.*}}%blockIdx.x, 1
; CHECK: prefetch:
; CHECK: call void @llvm.prefetch.p0(
; PLAIN-LABEL: define {{.*}}@barrier.v4
; PLAIN-NOT: atomicrmw or
; PLAIN: atomicrmw add ptr {{.*}} seq_cst
; PLAIN-NOT: atomicrmw or
define ptx_kernel void @barrier(ptr %a, ptr %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %k, 256
  %i = add i32 %base, %t
  %p = getelementptr i32, ptr %a, i32 %i
  %x = load i32, ptr %p
  %bin = and i32 %x, 255
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %bin
  %old = atomicrmw or ptr addrspace(3) %q, i32 1 seq_cst
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %y = load i32, ptr addrspace(3) %r
  %s = getelementptr i32, ptr %b, i32 %t
  %sum = atomicrmw add ptr %s, i32 %y seq_cst
  ret void
}

; CHECK-LABEL: define void @plain
; CHECK-NOT: prefetch
; CHECK: ret void
define ptx_kernel void @plain(ptr %a, ptr %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %k, 256
  %i = add i32 %base, %t
  %p = getelementptr i32, ptr %a, i32 %i
  %x = load i32, ptr %p
  %q = getelementptr i32, ptr %b, i32 %i
  store i32 %x, ptr %q
  ret void
}

; Two rows: where the second follows the first, one instruction asks for both.
; CHECK-LABEL: define void @two
; CHECK: icmp ule i64 %{{.*}}, 64
; CHECK: %[[FOLLOWS:.*]] = and i1
; CHECK: %[[END:.*]] = select i1 %[[FOLLOWS]], i64 %{{.*}}, i64 %{{.*}}
; CHECK: xor i1 %[[FOLLOWS]], true
; CHECK: prefetch:
; CHECK: call void @llvm.prefetch.p0(
; CHECK: icmp ule i64 %{{.*}}, %[[END]]
; CHECK: call void @llvm.prefetch.p0(
define ptx_kernel void @two(ptr %a, ptr %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %k, 512
  %i = add i32 %base, %t
  %j = add i32 %i, 256
  %p = getelementptr i32, ptr %a, i32 %i
  %q = getelementptr i32, ptr %a, i32 %j
  %x = load i32, ptr %p
  %y = load i32, ptr %q
  %z = add i32 %x, %y
  %place = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %z, ptr addrspace(3) %place
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %back = sub i32 255, %t
  %other = getelementptr i32, ptr addrspace(3) @tile, i32 %back
  %v = load i32, ptr addrspace(3) %other
  %r = getelementptr i32, ptr %b, i32 %t
  store i32 %v, ptr %r
  ret void
}

; Iterations of the whole grid over rows that stay scalar: every 16th thread asks for a
; line, so that rows are unrolled 16 times. The iterations are not, though the loops
; over y and z between them go.
; PLAIN-LABEL: define {{.*}}@iterations.256x1x1.v4(
; PLAIN: call void @llvm.prefetch.p0({{.*}}, i32 0, i32 2, i32 1)
; PLAIN-NOT: call void @llvm.prefetch.p0({{.*}}, i32 0, i32 2, i32 1)
; PLAIN: ret void
define ptx_kernel void @iterations(ptr %a, ptr %b, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %r = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 0, ptr addrspace(3) %r
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %base = mul i32 %k, %w
  %first = add i32 %base, %t
  %step = mul i32 %w, %blocks
  br label %test
test:
  %i = phi i32 [ %first, %entry ], [ %next, %iteration ]
  %in = icmp slt i32 %i, %n
  br i1 %in, label %iteration, label %after
iteration:
  %p = getelementptr i32, ptr %a, i32 %i
  %x = load i32, ptr %p
  %bin = and i32 %x, 255
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %bin
  %old = atomicrmw add ptr addrspace(3) %q, i32 1 seq_cst
  %next = add nsw i32 %i, %step
  br label %test
after:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %y = load i32, ptr addrspace(3) %r
  %s = getelementptr i32, ptr %b, i32 %t
  %sum = atomicrmw add ptr %s, i32 %y seq_cst
  ret void
}

!cufort.launches = !{!0}
!0 = !{!"iterations", i32 256, i32 1, i32 1}
