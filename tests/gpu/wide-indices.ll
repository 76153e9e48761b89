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
