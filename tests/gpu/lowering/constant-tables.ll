; What each thread would store into an array of its own, constants, is a table. Of
; the pass gpu-memory-accesses.
; RUN: cufort-opt -passes=gpu-memory-accesses %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: constant [
; CHECK: @[[TABLE:wheel.*]] = internal addrspace(1) constant [132 x i8] c"\07\07\07\07\01\02\03\04{{(\\07){124}"}}, align 16
; CHECK-NOT: constant [
; CHECK-LABEL: define ptx_kernel void @wheel(
; CHECK-NOT: {{alloca|addrspace\(5\)|store}}
; CHECK: %element = getelementptr i32, ptr addrspace(1) @[[TABLE]], i64 %wide
; CHECK-NEXT: %value = load i32, ptr addrspace(1) %element
; CHECK-NEXT: store i32 %value, ptr addrspace(1) %result
; CHECK-NOT: {{alloca|addrspace\(5\)|store}}
; CHECK: ret void
define ptx_kernel void @wheel(ptr addrspace(1) %result, ptr addrspace(1) readonly %data) {
  %array = alloca [33 x i32], align 16
  store <4 x i32> splat (i32 117901063), ptr %array, align 16
  %1 = getelementptr inbounds nuw i8, ptr %array, i64 16
  store <4 x i32> splat (i32 117901063), ptr %1, align 16
  %2 = getelementptr inbounds nuw i8, ptr %array, i64 32
  store <4 x i32> splat (i32 117901063), ptr %2, align 16
  %3 = getelementptr inbounds nuw i8, ptr %array, i64 48
  store <4 x i32> splat (i32 117901063), ptr %3, align 16
  %4 = getelementptr inbounds nuw i8, ptr %array, i64 64
  store <4 x i32> splat (i32 117901063), ptr %4, align 16
  %5 = getelementptr inbounds nuw i8, ptr %array, i64 80
  store <4 x i32> splat (i32 117901063), ptr %5, align 16
  %6 = getelementptr inbounds nuw i8, ptr %array, i64 96
  store <4 x i32> splat (i32 117901063), ptr %6, align 16
  %7 = getelementptr inbounds nuw i8, ptr %array, i64 112
  store <4 x i32> splat (i32 117901063), ptr %7, align 16
  %8 = getelementptr inbounds nuw i8, ptr %array, i64 128
  store i32 117901063, ptr %8, align 16
  %a1 = getelementptr inbounds nuw i8, ptr %array, i64 4
  store i32 67305985, ptr %a1, align 4
  %place = load i32, ptr addrspace(1) %data, align 4
  %wide = zext nneg i32 %place to i64
  %element = getelementptr i32, ptr %array, i64 %wide
  %value = load i32, ptr %element, align 4
  store i32 %value, ptr addrspace(1) %result, align 4
  ret void
}

; Not what ptxas may take into registers,
; CHECK-LABEL: define ptx_kernel void @small(
; CHECK: %array = alloca [32 x i32], align 16
; CHECK: store <4 x i32> splat (i32 117901063), ptr addrspace(5)
; CHECK: %value = load i32, ptr addrspace(5) %element
define ptx_kernel void @small(ptr addrspace(1) %result, ptr addrspace(1) readonly %data) {
  %array = alloca [32 x i32], align 16
  store <4 x i32> splat (i32 117901063), ptr %array, align 16
  %1 = getelementptr inbounds nuw i8, ptr %array, i64 16
  store <4 x i32> splat (i32 117901063), ptr %1, align 16
  %2 = getelementptr inbounds nuw i8, ptr %array, i64 32
  store <4 x i32> splat (i32 117901063), ptr %2, align 16
  %3 = getelementptr inbounds nuw i8, ptr %array, i64 48
  store <4 x i32> splat (i32 117901063), ptr %3, align 16
  %4 = getelementptr inbounds nuw i8, ptr %array, i64 64
  store <4 x i32> splat (i32 117901063), ptr %4, align 16
  %5 = getelementptr inbounds nuw i8, ptr %array, i64 80
  store <4 x i32> splat (i32 117901063), ptr %5, align 16
  %6 = getelementptr inbounds nuw i8, ptr %array, i64 96
  store <4 x i32> splat (i32 117901063), ptr %6, align 16
  %7 = getelementptr inbounds nuw i8, ptr %array, i64 112
  store <4 x i32> splat (i32 117901063), ptr %7, align 16
  %place = load i32, ptr addrspace(1) %data, align 4
  %wide = zext nneg i32 %place to i64
  %element = getelementptr i32, ptr %array, i64 %wide
  %value = load i32, ptr %element, align 4
  store i32 %value, ptr addrspace(1) %result, align 4
  ret void
}

; nor what is loaded before all is there,
; CHECK-LABEL: define ptx_kernel void @before(
; CHECK: %array = alloca [33 x i32], align 16
; CHECK: store <4 x i32> splat (i32 117901063), ptr addrspace(5)
; CHECK: %value = load i32, ptr addrspace(5) %element
; CHECK: store i32 67305985, ptr addrspace(5)
; CHECK-NEXT: %other = load i32, ptr addrspace(5) %element
define ptx_kernel void @before(ptr addrspace(1) %result, ptr addrspace(1) %data) {
  %array = alloca [33 x i32], align 16
  store <4 x i32> splat (i32 117901063), ptr %array, align 16
  %1 = getelementptr inbounds nuw i8, ptr %array, i64 16
  store <4 x i32> splat (i32 117901063), ptr %1, align 16
  %2 = getelementptr inbounds nuw i8, ptr %array, i64 32
  store <4 x i32> splat (i32 117901063), ptr %2, align 16
  %3 = getelementptr inbounds nuw i8, ptr %array, i64 48
  store <4 x i32> splat (i32 117901063), ptr %3, align 16
  %4 = getelementptr inbounds nuw i8, ptr %array, i64 64
  store <4 x i32> splat (i32 117901063), ptr %4, align 16
  %5 = getelementptr inbounds nuw i8, ptr %array, i64 80
  store <4 x i32> splat (i32 117901063), ptr %5, align 16
  %6 = getelementptr inbounds nuw i8, ptr %array, i64 96
  store <4 x i32> splat (i32 117901063), ptr %6, align 16
  %7 = getelementptr inbounds nuw i8, ptr %array, i64 112
  store <4 x i32> splat (i32 117901063), ptr %7, align 16
  %8 = getelementptr inbounds nuw i8, ptr %array, i64 128
  store i32 117901063, ptr %8, align 16
  %place = load i32, ptr addrspace(1) %data, align 4
  %wide = zext nneg i32 %place to i64
  %element = getelementptr i32, ptr %array, i64 %wide
  %value = load i32, ptr %element, align 4
  store i32 %value, ptr addrspace(1) %result, align 4
  %a1 = getelementptr inbounds nuw i8, ptr %array, i64 4
  store i32 67305985, ptr %a1, align 4
  %other = load i32, ptr %element, align 4
  store i32 %other, ptr addrspace(1) %data, align 4
  ret void
}

; nor where a place,
; CHECK-LABEL: define ptx_kernel void @place(
; CHECK: %array = alloca [33 x i32], align 16
; CHECK: store <4 x i32> splat (i32 117901063), ptr addrspace(5)
; CHECK: store i32 1, ptr addrspace(5) %element
; CHECK: %value = load i32, ptr addrspace(5) %element2
define ptx_kernel void @place(ptr addrspace(1) %result, ptr addrspace(1) readonly %data) {
  %array = alloca [33 x i32], align 16
  store <4 x i32> splat (i32 117901063), ptr %array, align 16
  %1 = getelementptr inbounds nuw i8, ptr %array, i64 16
  store <4 x i32> splat (i32 117901063), ptr %1, align 16
  %2 = getelementptr inbounds nuw i8, ptr %array, i64 32
  store <4 x i32> splat (i32 117901063), ptr %2, align 16
  %3 = getelementptr inbounds nuw i8, ptr %array, i64 48
  store <4 x i32> splat (i32 117901063), ptr %3, align 16
  %4 = getelementptr inbounds nuw i8, ptr %array, i64 64
  store <4 x i32> splat (i32 117901063), ptr %4, align 16
  %5 = getelementptr inbounds nuw i8, ptr %array, i64 80
  store <4 x i32> splat (i32 117901063), ptr %5, align 16
  %6 = getelementptr inbounds nuw i8, ptr %array, i64 96
  store <4 x i32> splat (i32 117901063), ptr %6, align 16
  %7 = getelementptr inbounds nuw i8, ptr %array, i64 112
  store <4 x i32> splat (i32 117901063), ptr %7, align 16
  %8 = getelementptr inbounds nuw i8, ptr %array, i64 128
  store i32 117901063, ptr %8, align 16
  %place = load i32, ptr addrspace(1) %data, align 4
  %wide = zext nneg i32 %place to i64
  %element = getelementptr i32, ptr %array, i64 %wide
  store i32 1, ptr %element, align 4
  %other = load i32, ptr addrspace(1) %result, align 4
  %wide2 = zext nneg i32 %other to i64
  %element2 = getelementptr i32, ptr %array, i64 %wide2
  %value = load i32, ptr %element2, align 4
  store i32 %value, ptr addrspace(1) %result, align 4
  ret void
}

; or a value is known at run time only, or the condition.
; CHECK-LABEL: define ptx_kernel void @value(
; CHECK: %array = alloca [33 x i32], align 16
; CHECK: store <4 x i32> splat (i32 117901063), ptr addrspace(5)
; CHECK: store i32 %place, ptr addrspace(5)
; CHECK: %value = load i32, ptr addrspace(5) %element
define ptx_kernel void @value(ptr addrspace(1) %result, ptr addrspace(1) readonly %data) {
  %array = alloca [33 x i32], align 16
  store <4 x i32> splat (i32 117901063), ptr %array, align 16
  %1 = getelementptr inbounds nuw i8, ptr %array, i64 16
  store <4 x i32> splat (i32 117901063), ptr %1, align 16
  %2 = getelementptr inbounds nuw i8, ptr %array, i64 32
  store <4 x i32> splat (i32 117901063), ptr %2, align 16
  %3 = getelementptr inbounds nuw i8, ptr %array, i64 48
  store <4 x i32> splat (i32 117901063), ptr %3, align 16
  %4 = getelementptr inbounds nuw i8, ptr %array, i64 64
  store <4 x i32> splat (i32 117901063), ptr %4, align 16
  %5 = getelementptr inbounds nuw i8, ptr %array, i64 80
  store <4 x i32> splat (i32 117901063), ptr %5, align 16
  %6 = getelementptr inbounds nuw i8, ptr %array, i64 96
  store <4 x i32> splat (i32 117901063), ptr %6, align 16
  %7 = getelementptr inbounds nuw i8, ptr %array, i64 112
  store <4 x i32> splat (i32 117901063), ptr %7, align 16
  %8 = getelementptr inbounds nuw i8, ptr %array, i64 128
  store i32 117901063, ptr %8, align 16
  %place = load i32, ptr addrspace(1) %data, align 4
  store i32 %place, ptr %array, align 16
  %wide = zext nneg i32 %place to i64
  %element = getelementptr i32, ptr %array, i64 %wide
  %value = load i32, ptr %element, align 4
  store i32 %value, ptr addrspace(1) %result, align 4
  ret void
}

; CHECK-LABEL: define ptx_kernel void @condition(
; CHECK: %array = alloca [33 x i32], align 16
; CHECK: store <4 x i32> splat (i32 117901063), ptr addrspace(5)
; CHECK: store i32 1, ptr addrspace(5)
; CHECK: %value = load i32, ptr addrspace(5) %element
define ptx_kernel void @condition(ptr addrspace(1) %result, ptr addrspace(1) readonly %data) {
  %array = alloca [33 x i32], align 16
  store <4 x i32> splat (i32 117901063), ptr %array, align 16
  %1 = getelementptr inbounds nuw i8, ptr %array, i64 16
  store <4 x i32> splat (i32 117901063), ptr %1, align 16
  %2 = getelementptr inbounds nuw i8, ptr %array, i64 32
  store <4 x i32> splat (i32 117901063), ptr %2, align 16
  %3 = getelementptr inbounds nuw i8, ptr %array, i64 48
  store <4 x i32> splat (i32 117901063), ptr %3, align 16
  %4 = getelementptr inbounds nuw i8, ptr %array, i64 64
  store <4 x i32> splat (i32 117901063), ptr %4, align 16
  %5 = getelementptr inbounds nuw i8, ptr %array, i64 80
  store <4 x i32> splat (i32 117901063), ptr %5, align 16
  %6 = getelementptr inbounds nuw i8, ptr %array, i64 96
  store <4 x i32> splat (i32 117901063), ptr %6, align 16
  %7 = getelementptr inbounds nuw i8, ptr %array, i64 112
  store <4 x i32> splat (i32 117901063), ptr %7, align 16
  %8 = getelementptr inbounds nuw i8, ptr %array, i64 128
  store i32 117901063, ptr %8, align 16
  %place = load i32, ptr addrspace(1) %data, align 4
  %some = icmp sgt i32 %place, 5
  br i1 %some, label %store, label %load
store:
  store i32 1, ptr %array, align 16
  fence seq_cst
  br label %load
load:
  %wide = zext nneg i32 %place to i64
  %element = getelementptr i32, ptr %array, i64 %wide
  %value = load i32, ptr %element, align 4
  store i32 %value, ptr addrspace(1) %result, align 4
  ret void
}
