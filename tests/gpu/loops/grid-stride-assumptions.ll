; That the second index of a grid-stride loop is above the first is assumed while
; loops are unrolled, and dropped afterwards. Of the passes gpu-grid-strides and
; gpu-loops-done.
; RUN: cufort-opt -passes=gpu-grid-strides %s | FileCheck %s
; RUN: cufort-opt -passes=gpu-grid-strides,gpu-loops-done %s | FileCheck %s --check-prefix=DONE
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @stride(
; CHECK: [[SECOND:%[0-9]+]] = add i32 %first, %step
; CHECK-NEXT: [[ABOVE:%[0-9]+]] = icmp slt i32 %first, [[SECOND]]
; CHECK-NEXT: call void @llvm.assume(i1 [[ABOVE]])
; DONE-LABEL: define ptx_kernel void @stride(
; DONE-NOT: assume
; DONE: br i1 %more
define ptx_kernel void @stride(ptr addrspace(1) %to, i32 %first, i32 %n, i32 %step) mustprogress {
entry:
  %any = icmp slt i32 %first, %n
  br i1 %any, label %loop, label %out
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %wide = sext i32 %i to i64
  %place = getelementptr inbounds float, ptr addrspace(1) %to, i64 %wide
  store float 1.0, ptr addrspace(1) %place
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
