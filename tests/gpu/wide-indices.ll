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
