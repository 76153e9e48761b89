; RUN: not cufort-opt -passes=cpu-flatten,cpu-inline %s 2>&1 | FileCheck %s
; CHECK: error: device procedure 'odd': recursion is not supported in device code: 'even' calls itself

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define i32 @even(i32 %n) {
  %r = call i32 @odd(i32 %n)
  ret i32 %r
}
define i32 @odd(i32 %n) {
  %r = call i32 @even(i32 %n)
  ret i32 %r
}
define ptx_kernel void @kernel(ptr %a) {
  %r = call i32 @even(i32 4)
  store i32 %r, ptr %a
  ret void
}
