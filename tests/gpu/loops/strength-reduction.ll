; Loops through memory in steps known at run time only carry an address from iteration
; to iteration; LLVM would multiply the counter in each. The counter itself stays.
; RUN: cufort-opt -passes=gpu-strength-reduction %s | FileCheck %s --check-prefix=ALONE
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; ALONE-LABEL: define ptx_kernel void @strided(
; ALONE: [[START:%.*]] = getelementptr i8, ptr addrspace(1) %from,
; ALONE: [[STEP:%.*]] = shl nsw i64 %{{.*}}, 2
; ALONE: loop:
; ALONE-NEXT: [[P:%.*]] = phi ptr addrspace(1) [ [[START]], %0 ], [ [[NEXT:%.*]], %loop ]
; ALONE-NEXT: %i = phi i32
; ALONE-NOT: mul
; ALONE: [[NEXT]] = getelementptr i8, ptr addrspace(1) [[P]], i64 [[STEP]]
; ALONE: %v = load float, ptr addrspace(1) [[P]]
; ALONE-NOT: mul
; ALONE: ret void
define ptx_kernel void @strided(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %thread, i32 %n, i32 %step) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %row = mul nsw i32 %i, %step
  %place = add nsw i32 %row, %thread
  %index = sext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %from, i64 %index
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  store float %sum.next, ptr addrspace(1) %to
  ret void
}

; The second load's step is a constant: an offset of the counter does.
; CHECK-LABEL: .entry carried(
; CHECK: and.b32 {{%r[0-9]+}}, {{%r[0-9]+}}, 2147483644;
; CHECK: mul.wide.s32
; CHECK: mul.wide.s32 [[STEP:%rd[0-9]+]], {{%r[0-9]+}}, 4;
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK-COUNT-4: add.s64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, [[STEP]];
; CHECK-NOT: mad.lo
; CHECK-COUNT-8: ld.global
; CHECK-NOT: mad.lo
; CHECK: setp.ne
; CHECK: bra {{.*}}[[LOOP]];
; CHECK: ret;
define ptx_kernel void @carried(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, ptr addrspace(1) readonly %by, i32 %thread, i32 %n, i32 %step) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %row = mul nsw i32 %i, %step
  %place = add nsw i32 %row, %thread
  %index = sext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %from, i64 %index
  %v = load float, ptr addrspace(1) %p
  %w = zext nneg i32 %i to i64
  %q = getelementptr float, ptr addrspace(1) %by, i64 %w
  %u = load float, ptr addrspace(1) %q
  %product = fmul contract float %v, %u
  %sum.next = fadd contract float %sum, %product
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  store float %r, ptr addrspace(1) %to
  ret void
}

; An index that may overflow is not a line in 64 bits.
; ALONE-LABEL: define ptx_kernel void @wrapping(
; ALONE: %row = mul i32 %i, %step
; CHECK-LABEL: .entry wrapping(
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK: mad.lo
; CHECK: mul.wide.s32
; CHECK: bra {{.*}}[[LOOP]];
; CHECK: ret;
define ptx_kernel void @wrapping(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %thread, i32 %n, i32 %step) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %row = mul i32 %i, %step
  %place = add i32 %row, %thread
  %index = sext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %from, i64 %index
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  store float %r, ptr addrspace(1) %to
  ret void
}

; Of known steps one address and distances from it do, where nothing but loads of
; neighbours is done: an index of 32 bits might overflow, and would be extended by
; each copy that ptxas makes of the iteration.
; CHECK-LABEL: .entry neighbours(
; CHECK: .pragma "nounroll";
; CHECK: mul.wide.s32
; CHECK: mul.wide.s32
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK-NOT: mul.wide
; CHECK: ld.global.b32 {{.*}}, [[[ADDRESS:%rd[0-9]+]]];
; CHECK: ld.global.b32 {{.*}}, [[[ADDRESS]]+1024];
; CHECK: ld.global.b32 {{.*}}, [[[ADDRESS]]+2048];
; CHECK: ld.global.b32 {{.*}}, [[[ADDRESS]]+3072];
; CHECK: add.s64 [[ADDRESS]], [[ADDRESS]], 4096;
; CHECK-NEXT: @{{%p[0-9]+}} bra [[LOOP]];
; CHECK: ret;
define ptx_kernel void @neighbours(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %first, i32 %n) {
  %some = icmp slt i32 %first, %n
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %index = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %from, i64 %index
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %i.next = add nsw i32 %i, 256
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  store float %r, ptr addrspace(1) %to
  ret void
}

; An unsigned index may overflow as well. Of known steps it is carried itself,
; if nothing is stored and if it is more than one instruction.
; ALONE-LABEL: define ptx_kernel void @merged(
; ALONE: [[START:%.*]] = add i32 %block, %{{.*}}
; ALONE: loop:
; ALONE-NEXT: [[INDEX:%.*]] = phi i32 [ [[START]], %0 ], [ [[NEXT:%.*]], %loop ]
; ALONE: %index = zext i32 [[INDEX]] to i64
; ALONE: [[NEXT]] = add i32 [[INDEX]], 16384
; CHECK-LABEL: .entry merged(
; CHECK: shl.b32
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK-NOT: shl.b32
; CHECK: mul.wide.u32 %{{.*}}, [[INDEX:%r[0-9]+]], 4;
; CHECK-NOT: shl.b32
; CHECK: add.s32 [[INDEX]], [[INDEX]], 16384;
; CHECK: bra {{.*}}[[LOOP]];
; CHECK: ret;
define ptx_kernel void @merged(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %thread, i32 %block, i32 %n) {
  %some = icmp ult i32 %thread, %n
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ %thread, %0 ], [ %i.next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %sum.next, %loop ]
  %row = shl i32 %i, 6
  %place = add i32 %row, %block
  %index = zext i32 %place to i64
  %p = getelementptr inbounds nuw i32, ptr addrspace(1) %from, i64 %index
  %v = load i32, ptr addrspace(1) %p
  %sum.next = add i32 %v, %sum
  %i.next = add i32 %i, 256
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi i32 [ 0, %0 ], [ %sum.next, %loop ]
  store i32 %r, ptr addrspace(1) %to
  ret void
}

; A loop that only loads, by an address in known steps and by an index that may
; overflow, carries both.
; CHECK-LABEL: .entry both(
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK: cvt.u64.u32 %[[WIDE:.*]], [[INDEX:%r[0-9]+]];
; CHECK: add.s64 %[[PLACE:.*]], %{{.*}}, %[[WIDE]];
; CHECK: ld.global.b8 %{{.*}}, [%[[PLACE]]];
; CHECK: ld.global.b8 %{{.*}}, [[[ADDRESS:%rd[0-9]+]]];
; CHECK: add.s32 [[NEXT:%r[0-9]+]], [[INDEX]], 1;
; CHECK: cvt.u64.u32 %{{.*}}, [[NEXT]];
; CHECK: ld.global.b8 %{{.*}}, [[[ADDRESS]]+1];
; CHECK-DAG: add.s64 [[ADDRESS]], [[ADDRESS]], 2;
; CHECK-DAG: add.s32 [[INDEX]], [[INDEX]], 2;
; CHECK: bra [[LOOP]];
; CHECK: ret;
define ptx_kernel void @both(ptr addrspace(1) %to, ptr addrspace(1) readonly %text, ptr addrspace(1) readonly %word, i32 %thread, i32 %first, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %sum.next, %loop ]
  %place = add i32 %i, %thread
  %index = zext i32 %place to i64
  %p = getelementptr inbounds nuw i8, ptr addrspace(1) %text, i64 %index
  %v = load i8, ptr addrspace(1) %p
  %letter = add nuw nsw i32 %i, %first
  %wide = zext nneg i32 %letter to i64
  %q = getelementptr inbounds nuw i8, ptr addrspace(1) %word, i64 %wide
  %u = load i8, ptr addrspace(1) %q
  %differ = icmp ne i8 %v, %u
  %one = zext i1 %differ to i32
  %sum.half = add i32 %sum, %one
  %i.half = or disjoint i32 %i, 1
  %place1 = add i32 %i.half, %thread
  %index1 = zext i32 %place1 to i64
  %p1 = getelementptr inbounds nuw i8, ptr addrspace(1) %text, i64 %index1
  %v1 = load i8, ptr addrspace(1) %p1
  %letter1 = add nuw nsw i32 %i.half, %first
  %wide1 = zext nneg i32 %letter1 to i64
  %q1 = getelementptr inbounds nuw i8, ptr addrspace(1) %word, i64 %wide1
  %u1 = load i8, ptr addrspace(1) %q1
  %differ1 = icmp ne i8 %v1, %u1
  %one1 = zext i1 %differ1 to i32
  %sum.next = add i32 %sum.half, %one1
  %i.next = add nuw nsw i32 %i, 2
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end, !llvm.loop !0
end:
  %r = phi i32 [ 0, %0 ], [ %sum.next, %loop ]
  store i32 %r, ptr addrspace(1) %to
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
