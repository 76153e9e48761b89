; Rows of a length known at run time only: each address is the one before and a
; product, which is computed once. Of the pass gpu-addressing.
; RUN: cufort-opt -passes=gpu-addressing %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @rows(
; CHECK: [[WIDE:%[0-9]+]] = sext i32 %n to i64
; CHECK-NEXT: [[ROW:%[0-9]+]] = mul i64 [[WIDE]], 4
; CHECK-NEXT: [[ONE:%[0-9]+]] = getelementptr i8, ptr addrspace(1) %p0, i64 [[ROW]]
; CHECK-NEXT: store float 1.000000e+00, ptr addrspace(1) [[ONE]]
; CHECK-NEXT: [[TWO:%[0-9]+]] = getelementptr i8, ptr addrspace(1) [[ONE]], i64 [[ROW]]
; CHECK-NEXT: store float 1.000000e+00, ptr addrspace(1) [[TWO]]
; CHECK-NEXT: [[THREE:%[0-9]+]] = getelementptr i8, ptr addrspace(1) [[TWO]], i64 [[ROW]]
; CHECK-NEXT: [[PLACE:%[0-9]+]] = getelementptr i8, ptr addrspace(1) [[THREE]], i64 4
; CHECK-NEXT: store float 1.000000e+00, ptr addrspace(1) [[PLACE]]
; CHECK-NEXT: ret void
define ptx_kernel void @rows(ptr addrspace(1) %x, i32 %i, i32 %n) {
  %first = sext i32 %i to i64
  %p0 = getelementptr float, ptr addrspace(1) %x, i64 %first
  store float 1.000000e+00, ptr addrspace(1) %p0, align 4
  %r1 = add nsw i32 %n, %i
  %w1 = sext i32 %r1 to i64
  %p1 = getelementptr float, ptr addrspace(1) %x, i64 %w1
  store float 1.000000e+00, ptr addrspace(1) %p1, align 4
  %n2 = shl nsw i32 %n, 1
  %r2 = add nsw i32 %n2, %i
  %w2 = sext i32 %r2 to i64
  %p2 = getelementptr float, ptr addrspace(1) %x, i64 %w2
  store float 1.000000e+00, ptr addrspace(1) %p2, align 4
  %n3 = mul nsw i32 %n, 3
  %r3 = add nsw i32 %n3, %i
  %w3 = sext i32 %r3 to i64
  %p3 = getelementptr float, ptr addrspace(1) %x, i64 %w3
  %q3 = getelementptr i8, ptr addrspace(1) %p3, i64 4
  store float 1.000000e+00, ptr addrspace(1) %q3, align 4
  ret void
}

; Indices that may overflow stay: 2^32 elements lie between them.
; CHECK-LABEL: define ptx_kernel void @wrapping(
; CHECK: %p0 = getelementptr float, ptr addrspace(1) %x, i64 %first
; CHECK-NEXT: store float 1.000000e+00, ptr addrspace(1) %p0
; CHECK: %p1 = getelementptr float, ptr addrspace(1) %x, i64 %w1
; CHECK-NEXT: store float 1.000000e+00, ptr addrspace(1) %p1
; CHECK: %p2 = getelementptr float, ptr addrspace(1) %x, i64 %w2
; CHECK-NEXT: store float 1.000000e+00, ptr addrspace(1) %p2
; CHECK: %p3 = getelementptr float, ptr addrspace(1) %x, i64 %w3
; CHECK-NEXT: store float 1.000000e+00, ptr addrspace(1) %p3
; CHECK-NEXT: ret void
define ptx_kernel void @wrapping(ptr addrspace(1) %x, i32 %i, i32 %n) {
  %first = zext i32 %i to i64
  %p0 = getelementptr float, ptr addrspace(1) %x, i64 %first
  store float 1.0, ptr addrspace(1) %p0, align 4
  %r1 = add i32 %n, %i
  %w1 = zext i32 %r1 to i64
  %p1 = getelementptr float, ptr addrspace(1) %x, i64 %w1
  store float 1.0, ptr addrspace(1) %p1, align 4
  %n2 = shl i32 %n, 1
  %r2 = add i32 %n2, %i
  %w2 = zext i32 %r2 to i64
  %p2 = getelementptr float, ptr addrspace(1) %x, i64 %w2
  store float 1.0, ptr addrspace(1) %p2, align 4
  %n3 = mul i32 %n, 3
  %r3 = add i32 %n3, %i
  %w3 = zext i32 %r3 to i64
  %p3 = getelementptr float, ptr addrspace(1) %x, i64 %w3
  store float 1.0, ptr addrspace(1) %p3, align 4
  ret void
}
