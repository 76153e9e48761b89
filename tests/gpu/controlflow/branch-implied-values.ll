; What the branch behind a sum or a selection decides is taken apart: no condition
; becomes a number, and none selects.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry iterations(
; CHECK-NOT: selp
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK-NOT: selp
; CHECK: bra
; CHECK-NOT: selp
; CHECK: st.volatile
; CHECK-NOT: selp
; CHECK: bra [[LOOP]];
; CHECK-NOT: selp
; CHECK: ret;
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
; CHECK-LABEL: .entry both(
; CHECK: selp
; CHECK: ret;
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
