; What the branch behind a sum or a selection decides is taken apart: no condition
; becomes a number, and none selects.
; RUN: cufort-opt -passes=gpu-branches %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @iterations(
; CHECK: loop:
; CHECK: %count = phi i32 [ 0, %entry ], [ [[MORE:%.*]], %latch ]
; CHECK: [[MORE]] = add i32 %count, 1
; CHECK-NEXT: br i1 %inside, label %latch, label %out
; CHECK: out:
; CHECK-NEXT: %found = phi i32 [ 0, %entry ], [ %count, %loop ], [ [[MORE]], %latch ]
define ptx_kernel void @iterations(ptr addrspace(1) %result, ptr addrspace(1) %trace, float %c, i32 %most) {
entry:
  %any = icmp sgt i32 %most, 0
  br i1 %any, label %loop, label %out
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %count = phi i32 [ 0, %entry ], [ %more, %latch ]
  %z = phi float [ %c, %entry ], [ %square, %latch ]
  %square = fmul float %z, %z
  %inside = fcmp ult float %square, 4.0
  %one = zext i1 %inside to i32
  %more = add i32 %count, %one
  br i1 %inside, label %latch, label %out
latch:
  store volatile float %square, ptr addrspace(1) %trace
  %next = add i32 %i, 3
  %again = icmp slt i32 %next, %most
  br i1 %again, label %loop, label %out
out:
  %found = phi i32 [ 0, %entry ], [ %more, %loop ], [ %more, %latch ]
  store i32 %found, ptr addrspace(1) %result
  ret void
}

; A use behind both ways needs the number.
; CHECK-LABEL: define ptx_kernel void @both(
; CHECK: %one = zext i1 %less to i32
; CHECK-NEXT: %more = add i32 %a, %one
; CHECK: store i32 %more, ptr addrspace(1) %result
; CHECK: ret void
define ptx_kernel void @both(ptr addrspace(1) %result, ptr addrspace(1) %other, i32 %a, i32 %b) {
  %less = icmp slt i32 %a, %b
  %one = zext i1 %less to i32
  %more = add i32 %a, %one
  br i1 %less, label %write, label %out
write:
  store volatile i32 %more, ptr addrspace(1) %other
  br label %out
out:
  store i32 %more, ptr addrspace(1) %result
  ret void
}
