; Parameters that are noalias: accesses through one of them and through anything
; else are told apart; those through what may be any of them are not.
; RUN: cufort-opt -passes=...cpu-entry %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@g = addrspace(1) global i32 0

; CHECK: load i32, ptr %a, {{.*}}!alias.scope [[A:![0-9]+]], !noalias [[B:![0-9]+]]
; CHECK: store i32 %{{.*}}, ptr %{{.*}}, {{.*}}!alias.scope [[B]], !noalias [[A]]
; CHECK: store i32 1, ptr %c, align 4{{$}}
; CHECK: store i32 2, ptr @g, {{.*}}!noalias [[AB:![0-9]+]]
; CHECK: store i32 3, ptr %either, {{.*}}!alias.scope [[AB]]{{$}}
; CHECK: store i32 4, ptr %loaded, align 4{{$}}
define ptx_kernel void @kernel(ptr noalias %a, ptr noalias %b, ptr %c, i64 %i, i1 %which) {
  %x = load i32, ptr %a
  %p = getelementptr i32, ptr %b, i64 %i
  store i32 %x, ptr %p
  store i32 1, ptr %c
  store i32 2, ptr addrspace(1) @g
  %either = select i1 %which, ptr %a, ptr %b
  store i32 3, ptr %either
  %loaded = load ptr, ptr %b
  store i32 4, ptr %loaded
  ret void
}
; CHECK-DAG: [[A]] = !{[[SA:![0-9]+]]}
; CHECK-DAG: [[B]] = !{[[SB:![0-9]+]]}
; CHECK-DAG: [[AB]] = !{[[SA]], [[SB]]}
