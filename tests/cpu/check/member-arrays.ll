; Indices of arrays within structures of C are compared with their bounds: here
; one of [8 x i32], whose address goes through a parameter's place in memory, and
; those of [4 x [8 x i32]]. Not constant ones that are within, not an array of one
; element at the end, not what goes on from an element.
; RUN: cufort-opt -passes=...cpu-check -cpu-check %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%pair = type { [8 x i32], [8 x i32] }
%grid = type { [4 x [8 x i32]], i32 }
%tail = type { i32, [1 x i32] }

; CHECK-LABEL: define void @member.checked(
; CHECK: %[[LOW:.+]] = icmp slt i64 %i, 0
; CHECK-NEXT: %[[HIGH:.+]] = icmp sgt i64 %i, 7
; CHECK-NEXT: %[[EITHER:.+]] = or i1 %[[LOW]], %[[HIGH]]
; CHECK: br i1 %{{.+}}, label %[[SAY:.+]], label
; CHECK: [[SAY]]:
; CHECK: call void @__cufort_cpu_check_index(
define ptx_kernel void @member(ptr %p, i64 %i) {
  %slot = alloca ptr
  %y = getelementptr %pair, ptr %p, i32 0, i32 1
  %at = getelementptr [8 x i32], ptr %y, i64 0, i64 %i
  store ptr %at, ptr %slot
  %same = load ptr, ptr %slot
  store i32 1, ptr %same
  ret void
}

; CHECK-LABEL: define void @rows.checked(
; CHECK: icmp sgt i64 %{{.+}}, 3
; CHECK: icmp sgt i64 %{{.+}}, 7
; CHECK: call void @__cufort_cpu_check_index(
define ptx_kernel void @rows(ptr %g, i64 %i, i64 %j) {
  %at = getelementptr %grid, ptr %g, i32 0, i32 0, i64 %i, i64 %j
  %value = atomicrmw add ptr %at, i32 1 monotonic
  ret void
}

; CHECK-LABEL: define void @within.checked(
; CHECK-NOT: call void @__cufort_cpu_check_index(
define ptx_kernel void @within(ptr %p, ptr %t, i64 %i) {
  %third = getelementptr %pair, ptr %p, i32 0, i32 0, i64 3
  store i32 1, ptr %third
  %data = getelementptr %tail, ptr %t, i32 0, i32 1, i64 %i
  store i32 1, ptr %data
  %end = getelementptr %pair, ptr %p, i32 0, i32 1, i64 %i
  %before = getelementptr i32, ptr %end, i64 -1
  store i32 1, ptr %before
  ret void
}
