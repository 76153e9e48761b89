; A kernel whose stores all go through __restrict__ pointers reads other
; parameters as constants, and before what it stores first.
; RUN: cufort-opt -passes=gpu-read-only-parameters %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@variable = addrspace(1) global i32 0

; CHECK-LABEL: define ptx_kernel void @split(ptr noalias %q, ptr noalias %k, ptr noalias readonly %from,
define ptx_kernel void @split(ptr noalias %q, ptr noalias %k, ptr readonly %from, i64 %n) {
  %v = load i32, ptr %from
  store i32 %v, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %p = getelementptr i32, ptr %from, i64 %n
  %w = load i32, ptr %p
  store i32 %w, ptr %k
  ret void
}

; One that is not said to be reached in no other way.
; CHECK-LABEL: define ptx_kernel void @other(ptr noalias %q, ptr %k, ptr readonly %from,
define ptx_kernel void @other(ptr noalias %q, ptr %k, ptr readonly %from, i64 %n) {
  %v = load i32, ptr %from
  store i32 %v, ptr %q
  %p = getelementptr i32, ptr %from, i64 %n
  %w = load i32, ptr %p
  store i32 %w, ptr %k
  ret void
}

; A variable of the program, whose address the host can hand over.
; CHECK-LABEL: define ptx_kernel void @known(ptr noalias %q, ptr readonly %from,
define ptx_kernel void @known(ptr noalias %q, ptr readonly %from, i64 %n) {
  %v = load i32, ptr %from
  store i32 %v, ptr addrspace(1) @variable
  %p = getelementptr i32, ptr %from, i64 %n
  %w = load i32, ptr %p
  store i32 %w, ptr %q
  ret void
}

; What is written through the pointer itself.
; CHECK-LABEL: define ptx_kernel void @itself(ptr noalias %q, ptr %from,
define ptx_kernel void @itself(ptr noalias %q, ptr %from, i64 %n) {
  %v = load i32, ptr %from
  store i32 %v, ptr %q
  %p = getelementptr i32, ptr %from, i64 %n
  store i32 %v, ptr %p
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
