; A quotient and a remainder of 64 bits: both are computed in 32 bits where the
; numbers are small.
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry pair(
; CHECK: div.u32
; CHECK: mul.lo.s32
; CHECK: sub.s32
; CHECK: ret;
define ptx_kernel void @pair(ptr addrspace(1) %to, i64 noundef %x, i64 noundef %y) {
  %quotient = udiv i64 %x, %y
  %remainder = urem i64 %x, %y
  store i64 %quotient, ptr addrspace(1) %to
  %next = getelementptr i64, ptr addrspace(1) %to, i64 1
  store i64 %remainder, ptr addrspace(1) %next
  ret void
}

; CHECK-LABEL: .entry signed_pair(
; CHECK: div.s64
; CHECK-NOT: rem.
; CHECK: div.u32
; CHECK: mul.lo.s32
; CHECK: sub.s32
; CHECK: ret;
define ptx_kernel void @signed_pair(ptr addrspace(1) %to, i64 noundef %x, i64 noundef %y) {
  %quotient = sdiv i64 %x, %y
  %remainder = srem i64 %x, %y
  store i64 %quotient, ptr addrspace(1) %to
  %next = getelementptr i64, ptr addrspace(1) %to, i64 1
  store i64 %remainder, ptr addrspace(1) %next
  ret void
}

; Of 32 bits, or by a constant, a product is less work.
; CHECK-LABEL: .entry short(
; CHECK-NOT: rem.
; CHECK: ret;
define ptx_kernel void @short(ptr addrspace(1) %to, i32 noundef %x, i32 noundef %y, i64 noundef %z) {
  %quotient = udiv i32 %x, %y
  %remainder = urem i32 %x, %y
  store i32 %quotient, ptr addrspace(1) %to
  %next = getelementptr i32, ptr addrspace(1) %to, i64 1
  store i32 %remainder, ptr addrspace(1) %next
  %q = udiv i64 %z, 10
  %r = urem i64 %z, 10
  %sum = add i64 %q, %r
  %last = getelementptr i64, ptr addrspace(1) %to, i64 1
  store i64 %sum, ptr addrspace(1) %last
  ret void
}
