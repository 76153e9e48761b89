; Of the pass gpu-memory-accesses.
; A pointer that lay in global memory when the kernel began points to global
; memory.
; RUN: cufort-opt -passes=gpu-memory-accesses %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

@matrix = addrspace(1) global ptr null, align 8
@tile = internal addrspace(3) global [32 x i32] undef, align 4

; Of a parameter's memory, and of a variable, and of what such a pointer shows.
; CHECK-LABEL: define ptx_kernel void @rows(
; CHECK: %row = load ptr, ptr addrspace(1) %p
; CHECK: %x = load i32, ptr addrspace(1)
; CHECK: %all = load ptr, ptr addrspace(1) @matrix
; CHECK: %y = load i32, ptr addrspace(1) %q
; CHECK: %z = load i32, ptr addrspace(1)
; CHECK: store i32 %t, ptr addrspace(1)
define ptx_kernel void @rows(ptr %a, ptr noalias %b, i64 %i) {
  %p = getelementptr ptr, ptr %a, i64 %i
  %row = load ptr, ptr %p, align 8
  %x = load i32, ptr %row
  %all = load ptr, ptr addrspacecast (ptr addrspace(1) @matrix to ptr), align 8
  %q = getelementptr i32, ptr %all, i64 %i
  %y = load i32, ptr %q
  %r = getelementptr i8, ptr %row, i64 8
  %next = load ptr, ptr %r, align 8
  %z = load i32, ptr %next
  %s = add i32 %x, %y
  %t = add i32 %s, %z
  store i32 %t, ptr %b
  ret void
}

; Not what the kernel itself may have put there.
; CHECK-LABEL: define ptx_kernel void @own(
; CHECK: %back = load ptr, ptr addrspace(1)
; CHECK-NEXT: %x = load i32, ptr %back
define ptx_kernel void @own(ptr %a, ptr %b, i64 %i) {
  %p = getelementptr ptr, ptr %b, i64 %i
  %place = getelementptr i32, ptr addrspace(3) @tile, i64 %i
  store i32 7, ptr addrspace(3) %place
  %shared = addrspacecast ptr addrspace(3) %place to ptr
  store ptr %shared, ptr %p, align 8
  %back = load ptr, ptr %a, align 8
  %x = load i32, ptr %back
  store i32 %x, ptr %b
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; Nor what other threads may have, before a barrier.
; CHECK-LABEL: define ptx_kernel void @others(
; CHECK: barrier
; CHECK-NEXT: %row = load ptr, ptr addrspace(1)
; CHECK-NEXT: %x = load i32, ptr %row
define ptx_kernel void @others(ptr %a, ptr %b) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %row = load ptr, ptr %a, align 8
  %x = load i32, ptr %row
  store i32 %x, ptr %b
  ret void
}
