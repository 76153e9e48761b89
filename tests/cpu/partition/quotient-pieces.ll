; Rows and columns of an index: the loop over threads goes in pieces in which no
; quotient changes, if the divisors are large enough, and as it was otherwise.
; RUN: cufort-opt -passes=...cpu-quotient-pieces -cpu-no-thread-entries %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-quotient-pieces -cpu-no-thread-entries -cpu-disable-pass=cpu-quotient-pieces %s | FileCheck %s --check-prefix=OFF
; RUN: cufort-opt -passes=cpu -cpu-no-thread-entries -cpu-processor=x86-64-v3 %s | FileCheck %s --check-prefix=VECTORS

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; The neighbour in a row whose ends are joined: what is divided second is a
; remainder and one more. Both end pieces.
; CHECK-LABEL: define void @joined(
; CHECK: %[[N:divisor]] = freeze i32 %n
; CHECK: sub i32 %[[N]], 32
; CHECK: icmp ule i32 %{{.*}}, 1073741792
; CHECK: br i1 %{{.*}}, label %pieces, label %pieces.none
; CHECK: piece:
; CHECK-NEXT: %begin = phi i32 [ 0, %pieces ], [ %end, %piece.next ]
; CHECK: %[[I:.*]] = add i32 %{{.*}}, %begin
; CHECK: %[[Q:.*]] = sdiv i32 %[[I]], %[[N]]
; CHECK: %[[P:.*]] = mul i32 %[[Q]], %[[N]]
; CHECK: %[[R:.*]] = sub i32 %[[I]], %[[P]]
; CHECK: call i64 @llvm.umin.i64(
; CHECK: add i32 %[[R]], 1
; CHECK: sdiv i32
; CHECK: %end = add nuw nsw i32 %begin, %
; CHECK: %[[D:.*]] = sub nsw i32 %[[R]], %begin
; CHECK: {{^}}piece.next:
; CHECK-NEXT: icmp ult i32 %end, %nx
; CHECK: pieces.none:
; CHECK: srem i32
; CHECK: srem i32
; CHECK: }
; OFF-LABEL: define void @joined(
; OFF-NOT: piece
; OFF: }
; A sum of two columns is no gather, and nothing is divided for each thread.
; VECTORS-LABEL: define {{.*}}void @joined.v3(
; VECTORS: piece
; VECTORS: load <8 x float>
; VECTORS: load <8 x float>
; VECTORS: store <8 x float>
define ptx_kernel void @joined(ptr %a, ptr noalias %b, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %k, %w
  %i = add i32 %base, %t
  %column = srem i32 %i, %n
  %right = add nsw i32 %column, 1
  %next = srem i32 %right, %n
  %p = getelementptr float, ptr %a, i32 %column
  %q = getelementptr float, ptr %a, i32 %next
  %x = load float, ptr %p
  %y = load float, ptr %q
  %sum = fadd float %x, %y
  %place = getelementptr float, ptr %b, i32 %i
  store float %sum, ptr %place
  ret void
}

; A quotient of a quotient is the same for all of a piece; its divisor only must be
; positive. Numbers without a sign end at the greatest there is.
; CHECK-LABEL: define void @axes(
; CHECK-DAG: icmp sgt i64 %{{.*}}, 0
; CHECK-DAG: icmp ule i64 %{{.*}}, 1073741792
; CHECK: piece:
; CHECK: %[[I:i[0-9]+]] = zext i32 %{{.*}} to i64
; CHECK: udiv i64 %[[I]]
; CHECK: sub i64 -1, %[[I]]
; CHECK: sub i32 -1, %
; CHECK-NOT: udiv i64 %{{.*}}, %m
; CHECK: pieces.none:
; CHECK: udiv i64 %{{.*}}, %m
; CHECK: }
define ptx_kernel void @axes(ptr %a, i64 %n, i64 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %k, %w
  %sum = add i32 %base, %t
  %i = zext i32 %sum to i64
  %row = udiv i64 %i, %n
  %z = udiv i64 %row, %m
  %p = getelementptr i64, ptr %a, i32 %t
  store i64 %z, ptr %p
  ret void
}

; Numbers that go in other steps, or come from memory, and divisors that differ from
; thread to thread.
; CHECK-LABEL: define void @others(
; CHECK-NOT: piece
; CHECK: }
define ptx_kernel void @others(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %twice = shl i32 %t, 1
  %q = sdiv i32 %twice, %n
  %down = sub i32 %n, %t
  %r = srem i32 %down, %n
  %p = getelementptr i32, ptr %a, i32 %t
  %v = load i32, ptr %p
  %s = urem i32 %v, %n
  %some = or i32 %t, 1
  %u = udiv i32 %n, %some
  %x = add i32 %q, %r
  %y = add i32 %s, %u
  %z = xor i32 %x, %y
  store i32 %z, ptr %p
  ret void
}

; Divisors that are quotients themselves are computed in front of the loop, where they
; can be divided by. (i % n) / m is in pieces, too, where m is large enough; where it is
; not, the rows are.
; CHECK-LABEL: define void @nested(
; CHECK: %[[M:divisor.*]] = freeze i32 %m
; CHECK: %[[SOME:.*]] = icmp sgt i32 %[[M]], 0
; CHECK: %[[SAFE:.*]] = select i1 %[[SOME]], i32 %[[M]], i32 1
; CHECK: %[[N:.*]] = sdiv i32 %n, %[[SAFE]]
; CHECK: br i1 %{{.*}}, label %pieces, label %pieces.none
; CHECK: br i1 %{{.*}}, label %pieces[[AGAIN:[0-9]+]], label %pieces.none
; CHECK: piece{{[0-9]+}}:
; CHECK: thread.x.none:
; CHECK: %remainder{{.*}} = add nsw i32
; CHECK: sdiv i32 %remainder{{.*}}, %m
; CHECK: }
define ptx_kernel void @nested(ptr %a, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %columns = sdiv i32 %n, %m
  %column = srem i32 %t, %columns
  %half = sdiv i32 %column, %m
  %p = getelementptr i32, ptr %a, i32 %half
  %q = getelementptr i32, ptr %a, i32 %t
  %x = load i32, ptr %p
  store i32 %x, ptr %q
  ret void
}

; A stride that is known at run time mostly is one: neighbours then lie side by side.
; CHECK-LABEL: define void @strided(
; CHECK: mul i32 %remainder, 1
; CHECK: br i1 %{{.*}}, label %pieces, label %pieces.none
; CHECK: piece:
; CHECK: %[[ONE:.*]] = icmp eq i32 %s, 1
; CHECK: %[[ALL:.*]] = and i1 true, %[[ONE]]
; CHECK: %[[UNIT:.*]] = freeze i1 %[[ALL]]
; CHECK: br i1 %[[UNIT]], label %piece.unit, label %piece.strided
; CHECK: piece.strided:
; CHECK: }
; VECTORS-LABEL: define {{.*}}void @strided.v3(
; VECTORS: load <8 x i32>
define ptx_kernel void @strided(ptr %a, ptr %b, i32 %n, i32 %s) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %column = srem i32 %t, %n
  %far = mul i32 %column, %s
  %p = getelementptr i32, ptr %a, i32 %far
  %q = getelementptr i32, ptr %b, i32 %t
  %x = load i32, ptr %p
  store i32 %x, ptr %q
  ret void
}

; The copy of the loop has a private array of its own: one for both would be
; nobody's, and all lanes of a vector would write to it.
; CHECK-LABEL: define void @private(
; CHECK: %array = alloca [4096 x i8]
; CHECK-NEXT: %[[OTHER:.*]] = alloca [4096 x i8]
; CHECK: %p = getelementptr i8, ptr %array, i64
; CHECK: br i1 %{{.*}}, label %pieces, label %pieces.none
; CHECK: %p.none = getelementptr i8, ptr %[[OTHER]], i64
; CHECK: %q.none = getelementptr i8, ptr %[[OTHER]], i64
; CHECK: }
define ptx_kernel void @private(ptr noalias %b, i32 %n) {
  %array = alloca [4096 x i8]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %k, %w
  %i = add i32 %base, %t
  %column = srem i32 %i, %n
  %row = sdiv i32 %i, %n
  %p = getelementptr i8, ptr %array, i32 %column
  store i8 7, ptr %p
  %q = getelementptr i8, ptr %array, i32 %row
  %x = load i8, ptr %q
  %place = getelementptr i8, ptr %b, i32 %i
  store i8 %x, ptr %place
  ret void
}
