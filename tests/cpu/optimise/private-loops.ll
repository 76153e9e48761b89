; Loops through small private arrays are unrolled where that makes registers of
; the arrays.
; RUN: cufort-opt -passes=...cpu-private-loops %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; The second loop begins where the first one ends, and is made ready for it. A
; loop around them that indexes nothing stays.
; CHECK-LABEL: define void @registers(
; CHECK-NOT: alloca
; CHECK: [[SUM:%.*]] = phi i32
; CHECK-COUNT-4: add i32
; CHECK: call i32 @cufort.warp.shuffle
; CHECK: br i1
; CHECK: ret void
define ptx_kernel void @registers(ptr %a) {
  %p = alloca [4 x i32]
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 16, i1 false)
  br label %outer
outer:
  %o = phi i32 [ 1, %0 ], [ %o.next, %outer.next ]
  %sum = phi i32 [ 0, %0 ], [ %sum.next, %outer.next ]
  br label %first
first:
  %i = phi i32 [ 0, %outer ], [ %i.next, %first.iteration ]
  %c = icmp ult i32 %i, 4
  br i1 %c, label %first.iteration, label %second
first.iteration:
  %e = zext nneg i32 %i to i64
  %q = getelementptr inbounds i32, ptr %p, i64 %e
  %v = load i32, ptr %q
  %w = add i32 %v, %sum
  store i32 %w, ptr %q
  %i.next = add nuw nsw i32 %i, 1
  br label %first
second:
  %j = phi i32 [ 3, %first ], [ %j.next, %second.iteration ]
  %d = icmp sge i32 %j, 0
  br i1 %d, label %second.iteration, label %outer.next
second.iteration:
  %f = sext i32 %j to i64
  %r = getelementptr inbounds i32, ptr %p, i64 %f
  %x = load i32, ptr %r
  %y = mul i32 %x, 3
  store i32 %y, ptr %r
  %j.next = add nsw i32 %j, -1
  br label %second
outer.next:
  %z = load i32, ptr %p
  %sum.next = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %z, i32 %o, i32 31)
  %o.next = shl i32 %o, 1
  %again = icmp ult i32 %o.next, 32
  br i1 %again, label %outer, label %end
end:
  store i32 %sum.next, ptr %a
  ret void
}

; One index that comes from elsewhere, and all loops stay.
; CHECK-LABEL: define void @elsewhere(
; CHECK: alloca [4 x i32]
; CHECK: phi i32
; CHECK: ret void
define ptx_kernel void @elsewhere(ptr %a, i32 %k) {
  %p = alloca [4 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %q = getelementptr inbounds i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i.next, 4
  br i1 %c, label %loop, label %end
end:
  %r = getelementptr inbounds i32, ptr %p, i32 %k
  %v = load i32, ptr %r
  store i32 %v, ptr %a
  ret void
}

; Barriers are not copied.
; CHECK-LABEL: define void @barrier(
; CHECK: alloca [4 x i32]
; CHECK: call i32 @cufort.barrier
; CHECK-NOT: call i32 @cufort.barrier
; CHECK: ret void
define ptx_kernel void @barrier(ptr %a) {
  %p = alloca [4 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %q = getelementptr inbounds i32, ptr %p, i32 %i
  store i32 %t, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i.next, 4
  br i1 %c, label %loop, label %end
end:
  %r = getelementptr inbounds i32, ptr %p, i32 2
  %v = load i32, ptr %r
  store i32 %v, ptr %a
  ret void
}

; Where lanes exchange something in each of many iterations, the code for that would
; be too long.
; CHECK-LABEL: define void @exchanges(
; CHECK-COUNT-2: call i32 @cufort.warp.shuffle
; CHECK-NOT: call i32 @cufort.warp.shuffle
; CHECK: ret void
define ptx_kernel void @exchanges(ptr %a) {
  %p = alloca [64 x i32]
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 256, i1 false)
  br label %outer
outer:
  %o = phi i32 [ 0, %0 ], [ %o.next, %outer.next ]
  br label %loop
loop:
  %i = phi i32 [ 0, %outer ], [ %i.next, %loop ]
  %e = zext nneg i32 %i to i64
  %f = zext nneg i32 %o to i64
  %g = mul i64 %f, 8
  %h = add i64 %g, %e
  %q = getelementptr inbounds i32, ptr %p, i64 %h
  %v = load i32, ptr %q
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 1, i32 31)
  %s2 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %s, i32 2, i32 31)
  %s3 = add i32 %s2, %i
  store i32 %s3, ptr %q
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i.next, 8
  br i1 %c, label %loop, label %outer.next
outer.next:
  %o.next = add nuw nsw i32 %o, 1
  %d = icmp ult i32 %o.next, 8
  br i1 %d, label %outer, label %end
end:
  %z = load i32, ptr %p
  store i32 %z, ptr %a
  ret void
}
