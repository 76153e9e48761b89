; Loads of neighbours are one where the address is aligned for it, and two where
; it is not. Of the pass gpu-memory-accesses.
; RUN: cufort-opt -passes=gpu-memory-accesses %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @pair(
; CHECK-NEXT: load <2 x float>, ptr addrspace(1) %from, align 16
; CHECK-NOT: load
; CHECK: ret
define ptx_kernel void @pair(ptr addrspace(1) %to, ptr addrspace(1) align 16 %from) {
  %a = load float, ptr addrspace(1) %from, align 16
  %next = getelementptr i8, ptr addrspace(1) %from, i64 4
  %b = load float, ptr addrspace(1) %next, align 4
  %sum = fadd float %a, %b
  store float %sum, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unaligned(
; CHECK-NEXT: load float
; CHECK: load float
; CHECK: ret
define ptx_kernel void @unaligned(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  %a = load float, ptr addrspace(1) %from, align 4
  %next = getelementptr i8, ptr addrspace(1) %from, i64 4
  %b = load float, ptr addrspace(1) %next, align 4
  %sum = fadd float %a, %b
  store float %sum, ptr addrspace(1) %to
  ret void
}
