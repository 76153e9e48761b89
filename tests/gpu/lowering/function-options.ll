; Functions do not say what processor the host has. What may be contracted stays so.
; RUN: cufort-opt -passes=gpu-options %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: %m = fmul contract float %x, %x
; CHECK-NEXT: %s = fadd float %m, 1.0
; CHECK-NOT: target-
; CHECK: attributes #{{[0-9]+}} = { "frame-pointer"="all" }
; CHECK-NOT: target-
define ptx_kernel void @k(ptr %a, float %x) #0 {
  %m = fmul contract float %x, %x
  %s = fadd float %m, 1.0
  store float %s, ptr %a
  ret void
}
attributes #0 = { "frame-pointer"="all" "target-cpu"="x86-64" "target-features"="+cx8,+mmx" }
