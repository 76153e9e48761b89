; Of a loop in steps that are known at run time, each `i` is above the one before:
; the number of iterations is a quotient of the distance to the limit.
; RUN: cufort-ptx -arch=80 %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; Four iterations at a time, and a loop for up to three.
; CHECK-LABEL: .entry up(
; CHECK-NOT: max.s32
; CHECK-NOT: selp
; CHECK: not.b32 [[BELOW:%r[0-9]+]], [[FIRST:%r[0-9]+]];
; CHECK-NEXT: add.s32 [[DISTANCE:%r[0-9]+]], [[LIMIT:%r[0-9]+]], [[BELOW]];
; CHECK-NEXT: div.u32 {{%r[0-9]+}}, [[DISTANCE]], [[STEP:%r[0-9]+]];
; CHECK: ld.global
; CHECK: bra
; CHECK-COUNT-4: ld.global
; CHECK-NOT: ld.global
; CHECK: ret;
define ptx_kernel void @up(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %first, i32 %n, i32 %step) mustprogress {
  %any = icmp slt i32 %first, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %from, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %to, i32 %i
  store i32 %v, ptr addrspace(1) %q
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: .entry unsigned(
; CHECK-NOT: max.u32
; CHECK-NOT: selp
; CHECK: not.b32 [[BELOW:%r[0-9]+]], [[FIRST:%r[0-9]+]];
; CHECK-NEXT: add.s32 [[DISTANCE:%r[0-9]+]], [[LIMIT:%r[0-9]+]], [[BELOW]];
; CHECK-NEXT: div.u32 {{%r[0-9]+}}, [[DISTANCE]], [[STEP:%r[0-9]+]];
; CHECK: ret;
define ptx_kernel void @unsigned(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %first, i32 %n, i32 %step) mustprogress {
  %any = icmp ult i32 %first, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %from, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %to, i32 %i
  store i32 %v, ptr addrspace(1) %q
  %next = add nuw i32 %i, %step
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The first iteration is without a condition: the second `i` may be above the limit
; because the step goes down and the first `i` is far above it.
; CHECK-LABEL: .entry once(
; CHECK: max.s32
; CHECK: div.u32
; CHECK: ret;
define ptx_kernel void @once(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %first, i32 %n, i32 %step) mustprogress {
  br label %loop
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %from, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %to, i32 %i
  store i32 %v, ptr addrspace(1) %q
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The sum may wrap: with 100 below 200 and steps of 2^32 - 50 there are three iterations.
; CHECK-LABEL: .entry wraps(
; CHECK-NOT: div
; CHECK: ld.global
; CHECK-NOT: ld.global
; CHECK: ret;
define ptx_kernel void @wraps(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %first, i32 %n, i32 %step) mustprogress {
  %any = icmp ult i32 %first, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %from, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %to, i32 %i
  store i32 %v, ptr addrspace(1) %q
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What can be seen of a loop that goes on for ever stays.
; CHECK-LABEL: .entry seen(
; CHECK-NOT: div
; CHECK: ld.global
; CHECK: st.volatile.global
; CHECK-NOT: ld.global
; CHECK: ret;
define ptx_kernel void @seen(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %first, i32 %n, i32 %step) mustprogress {
  %any = icmp slt i32 %first, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %from, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %to, i32 %i
  store volatile i32 %v, ptr addrspace(1) %q
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A language that does not promise an end.
; CHECK-LABEL: .entry endless(
; CHECK-NOT: div
; CHECK: ld.global
; CHECK-NOT: ld.global
; CHECK: ret;
define ptx_kernel void @endless(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %first, i32 %n, i32 %step) {
  %any = icmp slt i32 %first, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %from, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %to, i32 %i
  store i32 %v, ptr addrspace(1) %q
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
