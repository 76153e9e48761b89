; Indices are extended in the blocks that use them, where the extension becomes
; part of the address: a multiplication with a wide result, which the assembler
; makes one with the addition.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry blocks(
; CHECK-NOT: cvt.
; CHECK-NOT: shl.
; CHECK: mul.wide.u32 {{.*}}, 8;
; CHECK-NOT: cvt.
; CHECK-NOT: shl.
; CHECK: mul.wide.u32 {{.*}}, 4;
; CHECK-NOT: cvt.
; CHECK-NOT: shl.
; CHECK: ret;
define ptx_kernel void @blocks(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %i, i32 %n) {
entry:
  %index = zext i32 %i to i64
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %last

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %index
  store volatile i64 7, ptr addrspace(1) %p
  %next = add i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %last

last:
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %index
  store i32 5, ptr addrspace(1) %q
  ret void
}

; Extended on both ways, and joined.
; CHECK-LABEL: .entry joined(
; CHECK-NOT: cvt.
; CHECK: mul.wide.u32 {{.*}}, 4;
; CHECK-NOT: cvt.
; CHECK: ret;
define ptx_kernel void @joined(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %i, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %one, label %other

one:
  %first = zext nneg i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %first
  store volatile i32 7, ptr addrspace(1) %p
  br label %last

other:
  %second = zext i32 %i to i64
  store volatile i32 9, ptr addrspace(1) %b
  br label %last

last:
  %index = phi i64 [ %first, %one ], [ %second, %other ]
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %index
  store i32 5, ptr addrspace(1) %q
  ret void
}

; A block that adds one distance again and again shifts it once.
; CHECK-LABEL: .entry strides(
; CHECK: @%p{{.*}} bra
; CHECK-NOT: mul.wide
; CHECK: shl.b64 %[[D:.*]], %{{.*}}, 2;
; CHECK-NOT: mul.wide
; CHECK: add.s64 %{{.*}}, %{{.*}}, %[[D]];
; CHECK-NOT: mul.wide
; CHECK: ret;
define ptx_kernel void @strides(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %i, i32 %n) {
entry:
  %index = sext i32 %i to i64
  %distance = shl i64 %index, 2
  %p0 = getelementptr i8, ptr addrspace(1) %a, i64 %distance
  store volatile i32 1, ptr addrspace(1) %p0
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %next, label %last

next:
  %p1 = getelementptr i8, ptr addrspace(1) %b, i64 %distance
  store volatile i32 1, ptr addrspace(1) %p1
  %p2 = getelementptr i8, ptr addrspace(1) %p1, i64 %distance
  store volatile i32 2, ptr addrspace(1) %p2
  %p3 = getelementptr i8, ptr addrspace(1) %p2, i64 %distance
  store volatile i32 3, ptr addrspace(1) %p3
  %p4 = getelementptr i8, ptr addrspace(1) %p3, i64 %distance
  store volatile i32 4, ptr addrspace(1) %p4
  %p5 = getelementptr i8, ptr addrspace(1) %p4, i64 %distance
  store volatile i32 5, ptr addrspace(1) %p5
  %p6 = getelementptr i8, ptr addrspace(1) %p5, i64 %distance
  store volatile i32 6, ptr addrspace(1) %p6
  %p7 = getelementptr i8, ptr addrspace(1) %p6, i64 %distance
  store volatile i32 7, ptr addrspace(1) %p7
  %p8 = getelementptr i8, ptr addrspace(1) %p7, i64 %distance
  store volatile i32 8, ptr addrspace(1) %p8
  %p9 = getelementptr i8, ptr addrspace(1) %p8, i64 %distance
  store volatile i32 9, ptr addrspace(1) %p9
  %p10 = getelementptr i8, ptr addrspace(1) %p9, i64 %distance
  store volatile i32 10, ptr addrspace(1) %p10
  %p11 = getelementptr i8, ptr addrspace(1) %p10, i64 %distance
  store volatile i32 11, ptr addrspace(1) %p11
  %p12 = getelementptr i8, ptr addrspace(1) %p11, i64 %distance
  store volatile i32 12, ptr addrspace(1) %p12
  br label %last

last:
  ret void
}

; A block that takes many indices whose products another block has computed shifts
; them: so many multiplications would wait for each other.
; CHECK-LABEL: .entry many(
; CHECK-COUNT-8: mul.wide.u32
; CHECK: @%p{{.*}} bra
; CHECK-NOT: mul.wide
; CHECK-COUNT-8: shl.b64
; CHECK-NOT: mul.wide
; CHECK: ret;
define ptx_kernel void @many(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, i32 %i0, i32 %i1, i32 %i2, i32 %i3, i32 %i4, i32 %i5, i32 %i6, i32 %i7) {
entry:
  %index0 = zext i32 %i0 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %a, i64 %index0
  %v0 = load volatile i32, ptr addrspace(1) %p0
  %index1 = zext i32 %i1 to i64
  %p1 = getelementptr i32, ptr addrspace(1) %a, i64 %index1
  %v1 = load volatile i32, ptr addrspace(1) %p1
  %index2 = zext i32 %i2 to i64
  %p2 = getelementptr i32, ptr addrspace(1) %a, i64 %index2
  %v2 = load volatile i32, ptr addrspace(1) %p2
  %index3 = zext i32 %i3 to i64
  %p3 = getelementptr i32, ptr addrspace(1) %a, i64 %index3
  %v3 = load volatile i32, ptr addrspace(1) %p3
  %index4 = zext i32 %i4 to i64
  %p4 = getelementptr i32, ptr addrspace(1) %a, i64 %index4
  %v4 = load volatile i32, ptr addrspace(1) %p4
  %index5 = zext i32 %i5 to i64
  %p5 = getelementptr i32, ptr addrspace(1) %a, i64 %index5
  %v5 = load volatile i32, ptr addrspace(1) %p5
  %index6 = zext i32 %i6 to i64
  %p6 = getelementptr i32, ptr addrspace(1) %a, i64 %index6
  %v6 = load volatile i32, ptr addrspace(1) %p6
  %index7 = zext i32 %i7 to i64
  %p7 = getelementptr i32, ptr addrspace(1) %a, i64 %index7
  %v7 = load volatile i32, ptr addrspace(1) %p7
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %next, label %last

next:
  %q0 = getelementptr i32, ptr addrspace(1) %b, i64 %index0
  store volatile i32 %v0, ptr addrspace(1) %q0
  %q1 = getelementptr i32, ptr addrspace(1) %b, i64 %index1
  store volatile i32 %v1, ptr addrspace(1) %q1
  %q2 = getelementptr i32, ptr addrspace(1) %b, i64 %index2
  store volatile i32 %v2, ptr addrspace(1) %q2
  %q3 = getelementptr i32, ptr addrspace(1) %b, i64 %index3
  store volatile i32 %v3, ptr addrspace(1) %q3
  %q4 = getelementptr i32, ptr addrspace(1) %b, i64 %index4
  store volatile i32 %v4, ptr addrspace(1) %q4
  %q5 = getelementptr i32, ptr addrspace(1) %b, i64 %index5
  store volatile i32 %v5, ptr addrspace(1) %q5
  %q6 = getelementptr i32, ptr addrspace(1) %b, i64 %index6
  store volatile i32 %v6, ptr addrspace(1) %q6
  %q7 = getelementptr i32, ptr addrspace(1) %b, i64 %index7
  store volatile i32 %v7, ptr addrspace(1) %q7
  br label %last

last:
  ret void
}

; A few are multiplied.
; CHECK-LABEL: .entry few(
; CHECK-NOT: shl.b64
; CHECK: ret;
define ptx_kernel void @few(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, i32 %i0, i32 %i1) {
entry:
  %index0 = zext i32 %i0 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %a, i64 %index0
  %v0 = load volatile i32, ptr addrspace(1) %p0
  %index1 = zext i32 %i1 to i64
  %p1 = getelementptr i32, ptr addrspace(1) %a, i64 %index1
  %v1 = load volatile i32, ptr addrspace(1) %p1
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %next, label %last

next:
  %q0 = getelementptr i32, ptr addrspace(1) %b, i64 %index0
  store volatile i32 %v0, ptr addrspace(1) %q0
  %q1 = getelementptr i32, ptr addrspace(1) %b, i64 %index1
  store volatile i32 %v1, ptr addrspace(1) %q1
  br label %last

last:
  ret void
}

; The upper half of an index with a sign is only computed as part of a product.
; CHECK-LABEL: .entry signed(
; CHECK-NOT: shl.b64
; CHECK: ret;
define ptx_kernel void @signed(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, i32 %i0, i32 %i1, i32 %i2, i32 %i3, i32 %i4, i32 %i5, i32 %i6, i32 %i7) {
entry:
  %index0 = sext i32 %i0 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %a, i64 %index0
  %v0 = load volatile i32, ptr addrspace(1) %p0
  %index1 = sext i32 %i1 to i64
  %p1 = getelementptr i32, ptr addrspace(1) %a, i64 %index1
  %v1 = load volatile i32, ptr addrspace(1) %p1
  %index2 = sext i32 %i2 to i64
  %p2 = getelementptr i32, ptr addrspace(1) %a, i64 %index2
  %v2 = load volatile i32, ptr addrspace(1) %p2
  %index3 = sext i32 %i3 to i64
  %p3 = getelementptr i32, ptr addrspace(1) %a, i64 %index3
  %v3 = load volatile i32, ptr addrspace(1) %p3
  %index4 = sext i32 %i4 to i64
  %p4 = getelementptr i32, ptr addrspace(1) %a, i64 %index4
  %v4 = load volatile i32, ptr addrspace(1) %p4
  %index5 = sext i32 %i5 to i64
  %p5 = getelementptr i32, ptr addrspace(1) %a, i64 %index5
  %v5 = load volatile i32, ptr addrspace(1) %p5
  %index6 = sext i32 %i6 to i64
  %p6 = getelementptr i32, ptr addrspace(1) %a, i64 %index6
  %v6 = load volatile i32, ptr addrspace(1) %p6
  %index7 = sext i32 %i7 to i64
  %p7 = getelementptr i32, ptr addrspace(1) %a, i64 %index7
  %v7 = load volatile i32, ptr addrspace(1) %p7
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %next, label %last

next:
  %q0 = getelementptr i32, ptr addrspace(1) %b, i64 %index0
  store volatile i32 %v0, ptr addrspace(1) %q0
  %q1 = getelementptr i32, ptr addrspace(1) %b, i64 %index1
  store volatile i32 %v1, ptr addrspace(1) %q1
  %q2 = getelementptr i32, ptr addrspace(1) %b, i64 %index2
  store volatile i32 %v2, ptr addrspace(1) %q2
  %q3 = getelementptr i32, ptr addrspace(1) %b, i64 %index3
  store volatile i32 %v3, ptr addrspace(1) %q3
  %q4 = getelementptr i32, ptr addrspace(1) %b, i64 %index4
  store volatile i32 %v4, ptr addrspace(1) %q4
  %q5 = getelementptr i32, ptr addrspace(1) %b, i64 %index5
  store volatile i32 %v5, ptr addrspace(1) %q5
  %q6 = getelementptr i32, ptr addrspace(1) %b, i64 %index6
  store volatile i32 %v6, ptr addrspace(1) %q6
  %q7 = getelementptr i32, ptr addrspace(1) %b, i64 %index7
  store volatile i32 %v7, ptr addrspace(1) %q7
  br label %last

last:
  ret void
}

; What is compared in 64 bits is there with both halves, and shifted. Not so a
; product that is no shift.
; CHECK-LABEL: .entry compared(
; CHECK: cvt.u64.u32 %[[WIDE:rd[0-9]+]], %
; CHECK: shl.b64 %{{.*}}, %[[WIDE]], 2;
; CHECK: ret;
define ptx_kernel void @compared(ptr %a, i32 %k, i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %t, %k
  %index = zext i32 %i to i64
  %some = icmp sgt i64 %n, %index
  br i1 %some, label %next, label %last

next:
  %p = getelementptr float, ptr %a, i64 %index
  %v = load float, ptr %p
  %u = fadd float %v, 1.0
  %w = fdiv float %u, %v
  %x = fdiv float %w, %u
  %y = fdiv float %x, %w
  store float %y, ptr %p
  br label %last

last:
  ret void
}

; CHECK-LABEL: .entry structures(
; CHECK: mul.wide.u32 %{{.*}}, %{{.*}}, 24;
; CHECK: ret;
define ptx_kernel void @structures(ptr %a, i32 %k, i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %t, %k
  %index = zext i32 %i to i64
  %some = icmp sgt i64 %n, %index
  br i1 %some, label %next, label %last

next:
  %p = getelementptr [3 x double], ptr %a, i64 %index
  %v = load float, ptr %p
  %u = fadd float %v, 1.0
  %w = fdiv float %u, %v
  %x = fdiv float %w, %u
  %y = fdiv float %x, %w
  store float %y, ptr %p
  br label %last

last:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
