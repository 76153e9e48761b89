; What waits for no division is loaded before it.
; RUN: cufort-opt -passes=gpu-load-order %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; What waits for no division is loaded before it, with what it is loaded from.
; CHECK-LABEL: define ptx_kernel void @divisions(
; CHECK-NEXT: %x = load float, ptr %a
; CHECK-NEXT: %y = load float, ptr %b
; CHECK-NEXT: %p = load ptr, ptr %c
; CHECK-NEXT: %z = load float, ptr %p
; CHECK-NEXT: %q = fdiv float %x, %y
; CHECK-NEXT: %r = fdiv float %q, %z
define ptx_kernel void @divisions(ptr %a, ptr %b, ptr %c, ptr %s) {
  %x = load float, ptr %a
  %y = load float, ptr %b
  %q = fdiv float %x, %y
  %p = load ptr, ptr %c
  %z = load float, ptr %p
  %r = fdiv float %q, %z
  store float %r, ptr %s
  ret void
}

; Not what waits for it, nor across a store; and approximate divisions are short.
; CHECK-LABEL: define ptx_kernel void @kept(
; CHECK-NEXT: %i = sdiv i64 %m, %n
; CHECK-NEXT: %p = getelementptr float, ptr %a, i64 %i
; CHECK-NEXT: %x = load float, ptr %p
; CHECK-NEXT: %q = fdiv float 1.0{{.*}}, %x
; CHECK-NEXT: store float %q, ptr %s
; CHECK: %y = load float, ptr %p1
; CHECK-NEXT: %r = fdiv {{.*}}float %x, %y
; CHECK: %z = load float, ptr %p2
define ptx_kernel void @kept(ptr %a, ptr %s, i64 %m, i64 %n) {
  %i = sdiv i64 %m, %n
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p
  %q = fdiv float 1.0, %x
  store float %q, ptr %s
  %p1 = getelementptr i8, ptr %p, i64 400
  %y = load float, ptr %p1
  %r = fdiv afn arcp float %x, %y
  %p2 = getelementptr i8, ptr %p, i64 800
  %z = load float, ptr %p2
  %t = fadd float %z, %r
  store float %t, ptr %s
  ret void
}

; What most likely comes with something loaded before stays behind a division,
; unless another load waits for it.
; CHECK-LABEL: define ptx_kernel void @neighbours(
; CHECK: %x = load double, ptr %p
; CHECK: %i = load i32, ptr %p1
; CHECK-NEXT: %w = sext i32 %i to i64
; CHECK-NEXT: %p3 = getelementptr double, ptr %b, i64 %w
; CHECK-NEXT: %z = load double, ptr %p3
; CHECK-NEXT: %q = fdiv double %x, %d
; CHECK: %y = load double, ptr %p2
define ptx_kernel void @neighbours(ptr noalias readonly %a, ptr noalias readonly %b, ptr noalias %s, i64 %j, double %d) {
  %p = getelementptr { double, i32, double }, ptr %a, i64 %j
  %x = load double, ptr %p
  %q = fdiv double %x, %d
  %k = fptosi double %q to i32
  %v = sext i32 %k to i64
  %p4 = getelementptr double, ptr %b, i64 %v
  %u = load double, ptr %p4
  %p2 = getelementptr i8, ptr %p, i64 16
  %y = load double, ptr %p2
  %p1 = getelementptr i8, ptr %p, i64 8
  %i = load i32, ptr %p1
  %w = sext i32 %i to i64
  %p3 = getelementptr double, ptr %b, i64 %w
  %z = load double, ptr %p3
  %n = fadd double %u, %y
  %m = fadd double %q, %n
  %r = fmul double %m, %z
  store double %r, ptr %s
  ret void
}

; The reciprocal of a float is short.
; CHECK-LABEL: define ptx_kernel void @reciprocal(
; CHECK-NEXT: %q = fdiv float 1.0{{.*}}, %d
; CHECK: %u = load float, ptr %p
; CHECK-NEXT: %x = load float, ptr %a
define ptx_kernel void @reciprocal(ptr noalias readonly %a, ptr noalias readonly %b, ptr noalias %s, float %d) {
  %q = fdiv float 1.0, %d
  %k = fptosi float %q to i32
  %v = sext i32 %k to i64
  %p = getelementptr float, ptr %b, i64 %v
  %u = load float, ptr %p
  %x = load float, ptr %a
  %r = fmul float %u, %x
  store float %r, ptr %s
  ret void
}
