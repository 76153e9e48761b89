; Structures are copied in pieces as wide as their alignment allows, all loads
; before the first store, also where a loop is unrolled.
; RUN: cufort-ptx -arch=80 %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)

; CHECK-LABEL: .entry wide(
; CHECK-COUNT-2: ld.global.v4.b32
; CHECK-NOT: ld.global
; CHECK-COUNT-2: st.global.v4.b32
; CHECK: ret;
define ptx_kernel void @wide(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %to, ptr addrspace(1) align 16 %from, i64 32, i1 false)
  ret void
}

; Two words and one of half the size, since the addresses are not aligned better.
; CHECK-LABEL: .entry words(
; CHECK-COUNT-2: ld.global.b32
; CHECK: ld.global.b16
; CHECK: st.global
; CHECK: ret;
define ptx_kernel void @words(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 4 %from, i64 10, i1 false)
  ret void
}

; A long one is LLVM's own.
; CHECK-LABEL: .entry long(
; CHECK: bra
; CHECK: ret;
define ptx_kernel void @long(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 4 %from, i64 4096, i1 false)
  ret void
}
