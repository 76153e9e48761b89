; A copy of each procedure at each call would be too many instructions: the
; one stays a function with which the kernel is short enough and that is called
; least often. What threads do together goes into the kernel.
; RUN: cufort-opt -passes=cpu-flatten,cpu-host-functions,cpu-inline %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CHECK-LABEL: define void @kernel(
; CHECK-COUNT-12: call i64 @third(
; CHECK-NOT: call i64
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(
; CHECK-NOT: call i64
; CHECK: define internal i64 @third(
; CHECK-NOT: call i64
; CHECK-NOT: define
define ptx_kernel void @kernel(ptr %a) {
  %x0 = load i64, ptr %a
  %x1 = call i64 @fourth(i64 %x0)
  %x2 = call i64 @fourth(i64 %x1)
  %x3 = call i64 @fourth(i64 %x2)
  %x4 = call i64 @fourth(i64 %x3)
  %x5 = call i64 @fourth(i64 %x4)
  %x6 = call i64 @fourth(i64 %x5)
  %x7 = call i64 @fourth(i64 %x6)
  %x8 = call i64 @fourth(i64 %x7)
  %x9 = call i64 @fourth(i64 %x8)
  %x10 = call i64 @fourth(i64 %x9)
  %x11 = call i64 @fourth(i64 %x10)
  %x12 = call i64 @fourth(i64 %x11)
  %y = call i64 @together(i64 %x12)
  store i64 %y, ptr %a
  ret void
}
define i64 @together(i64 %x0) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret i64 %x0
}
define i64 @first(i64 %x0) {
  %y0 = shl i64 %x0, 13
  %x1 = xor i64 %y0, %x0
  %y1 = shl i64 %x1, 13
  %x2 = xor i64 %y1, %x1
  %y2 = shl i64 %x2, 13
  %x3 = xor i64 %y2, %x2
  %y3 = shl i64 %x3, 13
  %x4 = xor i64 %y3, %x3
  %y4 = shl i64 %x4, 13
  %x5 = xor i64 %y4, %x4
  %y5 = shl i64 %x5, 13
  %x6 = xor i64 %y5, %x5
  %y6 = shl i64 %x6, 13
  %x7 = xor i64 %y6, %x6
  %y7 = shl i64 %x7, 13
  %x8 = xor i64 %y7, %x7
  %y8 = shl i64 %x8, 13
  %x9 = xor i64 %y8, %x8
  %y9 = shl i64 %x9, 13
  %x10 = xor i64 %y9, %x9
  %y10 = shl i64 %x10, 13
  %x11 = xor i64 %y10, %x10
  %y11 = shl i64 %x11, 13
  %x12 = xor i64 %y11, %x11
  %y12 = shl i64 %x12, 13
  %x13 = xor i64 %y12, %x12
  %y13 = shl i64 %x13, 13
  %x14 = xor i64 %y13, %x13
  %y14 = shl i64 %x14, 13
  %x15 = xor i64 %y14, %x14
  ret i64 %x15
}
define i64 @second(i64 %x0) {
  %x1 = call i64 @first(i64 %x0)
  %x2 = call i64 @first(i64 %x1)
  %x3 = call i64 @first(i64 %x2)
  %x4 = call i64 @first(i64 %x3)
  %x5 = call i64 @first(i64 %x4)
  %x6 = call i64 @first(i64 %x5)
  %x7 = call i64 @first(i64 %x6)
  %x8 = call i64 @first(i64 %x7)
  %x9 = call i64 @first(i64 %x8)
  %x10 = call i64 @first(i64 %x9)
  %x11 = call i64 @first(i64 %x10)
  %x12 = call i64 @first(i64 %x11)
  ret i64 %x12
}
define i64 @third(i64 %x0) {
  %x1 = call i64 @second(i64 %x0)
  %x2 = call i64 @second(i64 %x1)
  %x3 = call i64 @second(i64 %x2)
  %x4 = call i64 @second(i64 %x3)
  %x5 = call i64 @second(i64 %x4)
  %x6 = call i64 @second(i64 %x5)
  %x7 = call i64 @second(i64 %x6)
  %x8 = call i64 @second(i64 %x7)
  %x9 = call i64 @second(i64 %x8)
  %x10 = call i64 @second(i64 %x9)
  %x11 = call i64 @second(i64 %x10)
  %x12 = call i64 @second(i64 %x11)
  ret i64 %x12
}
define i64 @fourth(i64 %x0) {
  %x1 = call i64 @third(i64 %x0)
  ret i64 %x1
}
