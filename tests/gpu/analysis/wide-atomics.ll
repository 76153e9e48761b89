; Atomic operations of 128 bits need PTX 8.3.
; RUN: cufort-ptx -arch=90 %s | FileCheck %s
; CHECK: .version 8.3
; CHECK: .target sm_90
; CHECK: atom.relaxed.gpu.global.cas.b128
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @swap(ptr addrspace(1) %p, i128 %old, i128 %new) {
  %pair = cmpxchg ptr addrspace(1) %p, i128 %old, i128 %new syncscope("device") monotonic monotonic
  ret void
}
