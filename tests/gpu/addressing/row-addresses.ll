; Rows of a length known at run time only: each address is the one before and a
; product.
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry rows(
; CHECK: st.global.b32
; CHECK: mul.wide.s32 [[STEP:%rd[0-9]+]], %r{{[0-9]+}}, 4;
; CHECK: add.s64 [[P1:%rd[0-9]+]], {{%rd[0-9]+}}, [[STEP]];
; CHECK-NOT: mul
; CHECK: add.s64 [[P2:%rd[0-9]+]], [[P1]], [[STEP]];
; CHECK-NOT: mul
; CHECK: add.s64 [[P3:%rd[0-9]+]], [[P2]], [[STEP]];
; CHECK: st.global.b32 [[[P3]]+4],
; CHECK: ret;
define ptx_kernel void @rows(ptr addrspace(1) %x, i32 %i, i32 %n) {
  %first = sext i32 %i to i64
  %p0 = getelementptr float, ptr addrspace(1) %x, i64 %first
  store float 1.0, ptr addrspace(1) %p0
  %r1 = add nsw i32 %i, %n
  %w1 = sext i32 %r1 to i64
  %p1 = getelementptr float, ptr addrspace(1) %x, i64 %w1
  store float 1.0, ptr addrspace(1) %p1
  %n2 = shl nsw i32 %n, 1
  %r2 = add nsw i32 %i, %n2
  %w2 = sext i32 %r2 to i64
  %p2 = getelementptr float, ptr addrspace(1) %x, i64 %w2
  store float 1.0, ptr addrspace(1) %p2
  %n3 = mul nsw i32 %n, 3
  %r3 = add nsw i32 %i, %n3
  %w3 = sext i32 %r3 to i64
  %p3 = getelementptr float, ptr addrspace(1) %x, i64 %w3
  %q3 = getelementptr i8, ptr addrspace(1) %p3, i64 4
  store float 1.0, ptr addrspace(1) %q3
  ret void
}

; Indices that may overflow stay: 2^32 elements lie between them.
; CHECK-LABEL: .entry wrapping(
; CHECK-COUNT-4: mul.wide.u32
; CHECK: ret;
define ptx_kernel void @wrapping(ptr addrspace(1) %x, i32 %i, i32 %n) {
  %first = zext i32 %i to i64
  %p0 = getelementptr float, ptr addrspace(1) %x, i64 %first
  store float 1.0, ptr addrspace(1) %p0
  %r1 = add i32 %i, %n
  %w1 = zext i32 %r1 to i64
  %p1 = getelementptr float, ptr addrspace(1) %x, i64 %w1
  store float 1.0, ptr addrspace(1) %p1
  %n2 = shl i32 %n, 1
  %r2 = add i32 %i, %n2
  %w2 = zext i32 %r2 to i64
  %p2 = getelementptr float, ptr addrspace(1) %x, i64 %w2
  store float 1.0, ptr addrspace(1) %p2
  %n3 = mul i32 %n, 3
  %r3 = add i32 %i, %n3
  %w3 = zext i32 %r3 to i64
  %p3 = getelementptr float, ptr addrspace(1) %x, i64 %w3
  store float 1.0, ptr addrspace(1) %p3
  ret void
}
