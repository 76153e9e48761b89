; What unrolled loops and sunk stores leave is simplified. Of the pass
; gpu-loop-cleanup.
; RUN: cufort-opt -passes=gpu-loop-cleanup %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK-NOT: = add
; CHECK: store i64 %n, ptr addrspace(1) %to
; CHECK-NEXT: ret void
define ptx_kernel void @k(ptr addrspace(1) %to, i64 %n) {
  %sum = add i64 %n, 0
  br label %next
next:
  %only = phi i64 [ %sum, %0 ]
  store i64 %only, ptr addrspace(1) %to
  ret void
}
