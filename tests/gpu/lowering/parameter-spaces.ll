; What a kernel is handed points to global memory; a procedure may be handed
; anything. Of the pass gpu-annotation.
; RUN: cufort-opt -passes=gpu-annotation %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK-NEXT: [[GLOBAL:%[0-9]+]] = addrspacecast ptr %to to ptr addrspace(1)
; CHECK-NEXT: [[GENERIC:%[0-9]+]] = addrspacecast ptr addrspace(1) [[GLOBAL]] to ptr
; CHECK-NEXT: store i32 %n, ptr [[GENERIC]]
define ptx_kernel void @k(ptr %to, i32 %n) {
  store i32 %n, ptr %to
  ret void
}

; CHECK-LABEL: define void @procedure(
; CHECK-NEXT: store i32 %n, ptr %to
define void @procedure(ptr %to, i32 %n) {
  store i32 %n, ptr %to
  ret void
}
