; Device procedures go into the kernels, also through several levels; what no
; kernel reaches is dropped, whatever it does.
; RUN: cufort-opt -passes=cpu-flatten,cpu-host-functions,cpu-inline %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: define {{.*}}@inner
; CHECK-NOT: define {{.*}}@unused
define float @inner(float %x) noinline optnone {
  %y = fmul float %x, 3.0
  ret float %y
}
define float @outer(float %x) {
  %y = call float @inner(float %x)
  ret float %y
}
define void @unused(ptr %f) {
  call void %f()
  call void @unused(ptr %f)
  ret void
}
; CHECK: define void @kernel(ptr %a)
; CHECK-NOT: call
; CHECK: fmul float {{.*}}, 3.0
define ptx_kernel void @kernel(ptr %a) {
  %x = load float, ptr %a
  %y = call float @outer(float %x)
  store float %y, ptr %a
  ret void
}
