; What a kernel only reads from, and nobody writes to under another name, comes
; through the cache for that, also in kernels of templates, which several files
; may define.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK: .visible .entry own(
; CHECK: ld.global.nc.b32
; CHECK: .weak .entry templates(
; CHECK: ld.global.nc.b32
define ptx_kernel void @own(ptr noalias %a, ptr noalias %b) {
  %v = load i32, ptr %a
  store i32 %v, ptr %b
  ret void
}

$templates = comdat any

define weak_odr ptx_kernel void @templates(ptr noalias %a, ptr noalias %b) comdat {
  %v = load i32, ptr %a
  store i32 %v, ptr %b
  ret void
}
