; What is copied or filled in a length that is known is so in pieces as wide as the
; alignment allows: structures with all loads before the first store, also where a
; loop is unrolled; what is longer in loops.
; RUN: cufort-opt -passes=gpu-memory-copies %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; CHECK-LABEL: define ptx_kernel void @wide(
; CHECK: [[A:%.*]] = load <4 x i32>, ptr addrspace(1) %{{.*}}, align 16
; CHECK: [[B:%.*]] = load <4 x i32>, ptr addrspace(1) %{{.*}}, align 16
; CHECK: store <4 x i32> [[A]], ptr addrspace(1) %{{.*}}, align 16
; CHECK: store <4 x i32> [[B]], ptr addrspace(1) %{{.*}}, align 16
; CHECK: ret void
define ptx_kernel void @wide(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %to, ptr addrspace(1) align 16 %from, i64 32, i1 false)
  ret void
}

; Two words and one of half the size, since the addresses are not aligned better.
; CHECK-LABEL: define ptx_kernel void @words(
; CHECK-COUNT-2: load i32, ptr addrspace(1) %{{.*}}, align 4
; CHECK: load i16, ptr addrspace(1) %{{.*}}, align 4
; CHECK-COUNT-2: store i32 %{{.*}}, ptr addrspace(1) %{{.*}}, align 4
; CHECK: store i16 %{{.*}}, ptr addrspace(1) %{{.*}}, align 4
; CHECK: ret void
define ptx_kernel void @words(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 4 %from, i64 10, i1 false)
  ret void
}

; A long one takes a loop, and what is left over two stores.
; CHECK-LABEL: define ptx_kernel void @long(
; CHECK: [[V:%.*]] = load i32, ptr addrspace(1)
; CHECK: store i32 [[V]], ptr addrspace(1)
; CHECK: [[DONE:%.*]] = icmp eq i64 %{{.*}}, 10000
; CHECK-NEXT: br i1 [[DONE]],
; CHECK: store i16
; CHECK: store i8
; CHECK: ret void
define ptx_kernel void @long(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %to, ptr addrspace(1) align 4 %from, i64 40003, i1 false)
  ret void
}

; LLVM makes a loop over bytes of it, which is all that there is.
; CHECK-LABEL: define ptx_kernel void @bytes(
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: ret void
define ptx_kernel void @bytes(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 1 %to, ptr addrspace(1) align 1 %from, i64 40003, i1 false)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @fill(
; CHECK-COUNT-15: store <2 x i32> zeroinitializer, ptr addrspace(1) %{{.*}}, align 8
; CHECK-NOT: store
; CHECK: ret void
define ptx_kernel void @fill(ptr addrspace(1) %to) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 8 %to, i8 0, i64 120, i1 false)
  ret void
}

; 0x0707 and 0x07070707.
; CHECK-LABEL: define ptx_kernel void @sevens(
; CHECK-DAG: store i32 117901063, ptr addrspace(1)
; CHECK-DAG: store i16 1799, ptr addrspace(1)
; CHECK-DAG: store i8 7, ptr addrspace(1)
; CHECK: ret void
define ptx_kernel void @sevens(ptr addrspace(1) %to) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 %to, i8 7, i64 7, i1 false)
  ret void
}

; A byte that is known when it runs only.
; CHECK-LABEL: define ptx_kernel void @any(
; CHECK: [[WIDE:%.*]] = zext i8 %byte to i32
; CHECK-NEXT: [[WORD:%.*]] = mul i32 [[WIDE]], 16843009
; CHECK: store <4 x i32> %{{.*}}, ptr addrspace(1) %{{.*}}, align 16
; CHECK: ret void
define ptx_kernel void @any(ptr addrspace(1) %to, i8 %byte) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 16 %to, i8 %byte, i64 16, i1 false)
  ret void
}

; Counters of each thread.
; CHECK-LABEL: define ptx_kernel void @counters(
; CHECK-NOT: memset
; CHECK: store i32 0, ptr %{{.*}}, align 4
; CHECK: icmp eq i64 %{{.*}}, 2048
; CHECK: ret void
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
