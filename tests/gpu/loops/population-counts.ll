; A loop that takes a number's bits one by one, and counts them, is the GPU's
; instruction for it.
; RUN: cufort-opt -passes=gpu-population-counts %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @count(
; CHECK: [[COUNT:%.*]] = call {{.*}}i64 @llvm.ctpop.i64(i64 %x)
; CHECK: [[NUMBER:%.*]] = trunc {{.*}}i64 [[COUNT]] to i32
; What is left of the loop computes nothing that is used.
; CHECK: phi i32 [ [[NUMBER]], %loop ]
; CHECK: ret void
define ptx_kernel void @count(ptr addrspace(1) %a) mustprogress {
  %x = load i64, ptr addrspace(1) %a
  %some = icmp ne i64 %x, 0
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %rest = phi i64 [ %x, %before ], [ %less, %loop ]
  %n = phi i32 [ 0, %before ], [ %next, %loop ]
  %below = add i64 %rest, -1
  %less = and i64 %rest, %below
  %next = add nuw nsw i32 %n, 1
  %done = icmp eq i64 %less, 0
  br i1 %done, label %end, label %loop
end:
  %all = phi i32 [ 0, %0 ], [ %next, %loop ]
  store i32 %all, ptr addrspace(1) %a
  ret void
}

; Not one that does more.
; CHECK-LABEL: define ptx_kernel void @list(
; CHECK-NOT: ctpop
; CHECK: ret void
define ptx_kernel void @list(ptr addrspace(1) %a, i32 %x) mustprogress {
  %some = icmp ne i32 %x, 0
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %rest = phi i32 [ %x, %before ], [ %less, %loop ]
  %n = phi i32 [ 0, %before ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %n
  store i32 %rest, ptr addrspace(1) %p
  %below = add i32 %rest, -1
  %less = and i32 %rest, %below
  %next = add nuw nsw i32 %n, 1
  %done = icmp eq i32 %less, 0
  br i1 %done, label %end, label %loop
end:
  ret void
}
