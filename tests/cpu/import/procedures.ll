; Recursive procedures, and those called through a pointer that is not known
; here, stay functions. What they read of the special registers and of shared
; variables comes in a record, which the kernel fills before the call.
; RUN: cufort-opt -passes=cpu-flatten,cpu-host-functions,cpu-inline,cpu-procedures %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@table = internal addrspace(3) global [64 x i32] poison

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define i32 @leaf(i32 %n) {
  %r = add i32 %n, 3
  ret i32 %r
}
define i32 @even(i32 %n) {
  %m = call i32 @leaf(i32 %n)
  %r = call i32 @odd(i32 %m)
  ret i32 %r
}
define i32 @odd(i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @table, i32 %n
  %v = load i32, ptr addrspace(3) %p
  %s = add i32 %t, %v
  %r = call i32 @even(i32 %s)
  ret i32 %r
}
define i32 @apply(ptr %f, i32 %n) {
  %r = call i32 %f(i32 %n)
  ret i32 %r
}

; A procedure that is passed on is known once its caller is inlined.
; CHECK-LABEL: define void @known
; CHECK-NOT: call i32 @leaf
; CHECK-NOT: @apply
; CHECK: ret void
define ptx_kernel void @known(ptr %a) {
  %r = call i32 @apply(ptr @leaf, i32 4)
  store i32 %r, ptr %a
  ret void
}

; CHECK-LABEL: define void @kernel
; CHECK: %place = alloca { i32, ptr }
; CHECK: %[[TID:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: store i32 %[[TID]], ptr %
; CHECK: store ptr @table, ptr %
; CHECK: call i32 @even(i32 4, ptr %place) #[[CALL:[0-9]+]]
define ptx_kernel void @kernel(ptr %a) {
  %r = call i32 @even(i32 4)
  store i32 %r, ptr %a
  ret void
}

; CHECK-NOT: define {{.*}}@leaf
; CHECK: define {{.*}}i32 @even(i32 %n, ptr %place) #[[PROCEDURE:[0-9]+]]
; CHECK-NOT: call i32 @leaf
; CHECK: call i32 @odd(i32 %{{.*}}, ptr %place) #[[CALL]]
; CHECK: define {{.*}}i32 @odd(i32 %n, ptr %place) #[[PROCEDURE]]
; CHECK-NOT: sreg
; CHECK-NOT: @table
; CHECK: call i32 @even(

; CHECK: attributes #[[PROCEDURE]] = {{.*}}"cufort-procedure"
; CHECK: attributes #[[CALL]] = {{.*}}"cufort-procedure"
