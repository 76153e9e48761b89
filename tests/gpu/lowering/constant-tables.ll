; What each thread would store into an array of its own, constants, is a table.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK: .global .align 16 .b8 wheel_$_table[132] = {7, 7, 7, 7, 1, 2, 3, 4, 7, 7,
; CHECK-LABEL: .entry wheel(
; CHECK-NOT: local
; CHECK: ld.global.nc.b32
; CHECK-NOT: local
; CHECK: ret;
define ptx_kernel void @wheel(ptr addrspace(1) %result, ptr addrspace(1) %data) {
  %array = alloca [33 x i32], align 16
  call void @llvm.memset.p0.i64(ptr %array, i8 7, i64 132, i1 false)
  %a1 = getelementptr i32, ptr %array, i64 1
  store i32 67305985, ptr %a1
  %place = load i32, ptr addrspace(1) %data
  %wide = zext nneg i32 %place to i64
  %element = getelementptr i32, ptr %array, i64 %wide
  %value = load i32, ptr %element
  store i32 %value, ptr addrspace(1) %result
  ret void
}

; Not what ptxas may take into registers,
; CHECK-LABEL: .entry small(
; CHECK: st.local
define ptx_kernel void @small(ptr addrspace(1) %result, ptr addrspace(1) %data) {
  %array = alloca [32 x i32], align 16
  call void @llvm.memset.p0.i64(ptr %array, i8 7, i64 128, i1 false)
  %place = load i32, ptr addrspace(1) %data
  %wide = zext nneg i32 %place to i64
  %element = getelementptr i32, ptr %array, i64 %wide
  %value = load i32, ptr %element
  store i32 %value, ptr addrspace(1) %result
  ret void
}

; nor what is loaded before all is there,
; CHECK-LABEL: .entry before(
; CHECK: st.local
define ptx_kernel void @before(ptr addrspace(1) %result, ptr addrspace(1) %data) {
  %array = alloca [33 x i32], align 16
  call void @llvm.memset.p0.i64(ptr %array, i8 7, i64 132, i1 false)
  %place = load i32, ptr addrspace(1) %data
  %wide = zext nneg i32 %place to i64
  %element = getelementptr i32, ptr %array, i64 %wide
  %value = load i32, ptr %element
  store i32 %value, ptr addrspace(1) %result
  %a1 = getelementptr i32, ptr %array, i64 1
  store i32 67305985, ptr %a1
  %other = load i32, ptr %element
  store i32 %other, ptr addrspace(1) %data
  ret void
}

; nor where a place,
; CHECK-LABEL: .entry place(
; CHECK: st.local
define ptx_kernel void @place(ptr addrspace(1) %result, ptr addrspace(1) %data) {
  %array = alloca [33 x i32], align 16
  call void @llvm.memset.p0.i64(ptr %array, i8 7, i64 132, i1 false)
  %place = load i32, ptr addrspace(1) %data
  %wide = zext nneg i32 %place to i64
  %element = getelementptr i32, ptr %array, i64 %wide
  store i32 1, ptr %element
  %other = load i32, ptr addrspace(1) %result
  %wide2 = zext nneg i32 %other to i64
  %element2 = getelementptr i32, ptr %array, i64 %wide2
  %value = load i32, ptr %element2
  store i32 %value, ptr addrspace(1) %result
  ret void
}

; or a value is known at run time only, or the condition.
; CHECK-LABEL: .entry value(
; CHECK: st.local
define ptx_kernel void @value(ptr addrspace(1) %result, ptr addrspace(1) %data) {
  %array = alloca [33 x i32], align 16
  call void @llvm.memset.p0.i64(ptr %array, i8 7, i64 132, i1 false)
  %place = load i32, ptr addrspace(1) %data
  store i32 %place, ptr %array
  %wide = zext nneg i32 %place to i64
  %element = getelementptr i32, ptr %array, i64 %wide
  %value = load i32, ptr %element
  store i32 %value, ptr addrspace(1) %result
  ret void
}
; CHECK-LABEL: .entry condition(
; CHECK: st.local
define ptx_kernel void @condition(ptr addrspace(1) %result, ptr addrspace(1) %data) {
  %array = alloca [33 x i32], align 16
  call void @llvm.memset.p0.i64(ptr %array, i8 7, i64 132, i1 false)
  %place = load i32, ptr addrspace(1) %data
  %some = icmp sgt i32 %place, 5
  br i1 %some, label %store, label %load
store:
  store i32 1, ptr %array
  fence seq_cst
  br label %load
load:
  %wide = zext nneg i32 %place to i64
  %element = getelementptr i32, ptr %array, i64 %wide
  %value = load i32, ptr %element
  store i32 %value, ptr addrspace(1) %result
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
