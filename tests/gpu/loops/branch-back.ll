; The branch at a loop's latch goes back where its condition holds. Of the pass
; gpu-loop-cleanup.
; RUN: cufort-opt -passes=gpu-loop-cleanup %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: %done = icmp ne i64 %next, %n
; CHECK-NEXT: br i1 %done, label %loop, label %out
define ptx_kernel void @back(ptr addrspace(1) %to, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr inbounds float, ptr addrspace(1) %to, i64 %i
  store float 1.0, ptr addrspace(1) %place
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %out, label %loop
out:
  %zero = add i64 %n, 0
  store i64 %zero, ptr addrspace(1) %to
  ret void
}
