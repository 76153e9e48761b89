; What a thread uses of a structure that it has copied must have been written: the
; second number of two, which nothing changes meanwhile, not the first, nor what
; goes on to memory.
; RUN: cufort-opt -passes=...cpu-check -cpu-check %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-LABEL: define void @used.checked(
; CHECK: call void @__cufort_cpu_check_range(ptr %p, i64 8,
; CHECK: %[[SECOND:.+]] = getelementptr inbounds i8, ptr %p, i64 4
; CHECK: call ptr @__cufort_cpu_check_read(ptr %[[SECOND]],
; CHECK: call void @llvm.memcpy
; CHECK-NOT: call ptr @__cufort_cpu_check_read(
; CHECK: call ptr @__cufort_cpu_check_write(ptr %q,
define ptx_kernel void @used(ptr %p, ptr %q) {
  %mine = alloca [2 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr %mine, ptr %p, i64 8, i1 false)
  store i32 0, ptr %mine
  %first = load i32, ptr %mine
  %at = getelementptr i8, ptr %mine, i64 4
  %second = load i32, ptr %at
  %sum = add i32 %first, %second
  store i32 %sum, ptr %q
  ret void
}

; What others may look at, or is copied on, is not known.
; CHECK-LABEL: define void @handed_on.checked(
; CHECK-NOT: call ptr @__cufort_cpu_check_read(
; CHECK: ret void
define ptx_kernel void @handed_on(ptr %p, ptr %q) {
  %mine = alloca [2 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr %mine, ptr %p, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %mine, i64 8, i1 false)
  ret void
}

; To set some bits of a number is to copy the others.
; CHECK-LABEL: define void @bits.checked(
; CHECK-NOT: call ptr @__cufort_cpu_check_read(
; CHECK: call void @__cufort_cpu_check_range(ptr %p, i64 4,
; CHECK: ret void
define ptx_kernel void @bits(ptr %p) {
  %all = load i32, ptr %p
  %others = and i32 %all, -16
  %new = or i32 %others, 3
  store i32 %new, ptr %p
  ret void
}
