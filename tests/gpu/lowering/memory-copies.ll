; What is copied or filled in a length that is known is so in pieces as wide as the
; alignment allows: structures with all loads before the first store, also where a
; loop is unrolled; what is longer in loops.
; RUN: cufort-ptx -arch=80 %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

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

; A long one takes a loop, and what is left over two stores.
; CHECK-LABEL: .entry long(
; CHECK-NOT: b8
; CHECK: ld.global.b32
; CHECK: st.global.b32
; CHECK: bra
; CHECK: st.global.b16
; CHECK: st.global.b8
; CHECK: ret;
define ptx_kernel void @long(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 4 %from, i64 40003, i1 false)
  ret void
}

; CHECK-LABEL: .entry bytes(
; CHECK: ld.global.b8
; CHECK: bra
; CHECK: ret;
define ptx_kernel void @bytes(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 1 %to, ptr addrspace(1) align 1 %from, i64 40003, i1 false)
  ret void
}

; CHECK-LABEL: .entry fill(
; CHECK-COUNT-15: st.global.v2.b32
; CHECK-NOT: st.
; CHECK: ret;
define ptx_kernel void @fill(ptr addrspace(1) %to) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 8 %to, i8 0, i64 120, i1 false)
  ret void
}

; 0x0707 and 0x07070707.
; CHECK-LABEL: .entry sevens(
; CHECK-DAG: st.global.b32 {{.*}}, 117901063;
; CHECK-DAG: st.global.b16 {{.*}}, 1799;
; CHECK-DAG: st.global.b8 {{.*}}, 7;
; CHECK: ret;
define ptx_kernel void @sevens(ptr addrspace(1) %to) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 %to, i8 7, i64 7, i1 false)
  ret void
}

; A byte that is known when it runs only.
; CHECK-LABEL: .entry any(
; CHECK: mul.{{.*}}16843009
; CHECK: st.global.v4.b32
; CHECK: ret;
define ptx_kernel void @any(ptr addrspace(1) %to, i8 %byte) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 16 %to, i8 %byte, i64 16, i1 false)
  ret void
}

; Counters of each thread.
; CHECK-LABEL: .entry counters(
; CHECK-NOT: st.local.b8
; CHECK: st.local.v4.b32
; CHECK-NOT: st.local.b8
; CHECK: ret;
define ptx_kernel void @counters(ptr addrspace(1) %to, i32 %i, i32 %n) {
  %counts = alloca [2048 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %counts, i8 0, i64 8192, i1 false)
  %p = getelementptr i32, ptr %counts, i32 %i
  store i32 %n, ptr %p
  %q = getelementptr i32, ptr %counts, i32 %n
  %v = load i32, ptr %q
  store i32 %v, ptr addrspace(1) %to
  ret void
}
