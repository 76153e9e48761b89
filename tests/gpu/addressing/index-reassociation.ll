; The parts of a long index are added up, and then to the address.
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry product(
; CHECK: mad.lo.s64 [[I:%rd[0-9]+]],
; CHECK: shl.b64 [[B:%rd[0-9]+]], [[I]], 2
; CHECK-NOT: shl
; CHECK: ret;
define ptx_kernel void @product(ptr addrspace(1) %a, ptr addrspace(1) %to, i64 %i, i64 %j, i64 %n) {
  %row = mul i64 %j, %n
  %index = add i64 %row, %i
  %p = getelementptr float, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %p
  store float %v, ptr addrspace(1) %to
  ret void
}

; What is extended from 32 bits is multiplied, and added, in one.
; CHECK-LABEL: .entry extended(
; CHECK: mul.lo.s64
; CHECK: mul.wide.s32
; CHECK: ret;
define ptx_kernel void @extended(ptr addrspace(1) %a, ptr addrspace(1) %to, i32 %i, i64 %j, i64 %n) {
  %row = mul i64 %j, %n
  %wide = sext i32 %i to i64
  %index = add i64 %row, %wide
  %p = getelementptr float, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %p
  store float %v, ptr addrspace(1) %to
  ret void
}
