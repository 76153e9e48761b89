; Of the pass gpu-memory-accesses.
; Static shared memory keeps its size, every dynamic array starts after it, and
; barriers stay where they are.
; RUN: cufort-ptx %s | FileCheck %s
; CHECK: .extern .shared .align 16 .b8 dynamic[];
; CHECK: .entry k(
; CHECK: .shared .align 16 .b8 tile[512];
; CHECK: st.shared.b32
; CHECK: bar.sync 0;
; CHECK: ld.shared.b32
; CHECK: st.shared.b32 [dynamic
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [128 x float] poison, align 16
@dynamic = external addrspace(3) global [0 x float], align 16
define ptx_kernel void @k(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr float, ptr %a, i32 %t
  %v = load float, ptr %from
  %here = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float %v, ptr addrspace(3) %here
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %back = xor i32 %t, 127
  %there = getelementptr float, ptr addrspace(3) @tile, i32 %back
  %w = load float, ptr addrspace(3) %there
  store float %w, ptr addrspace(3) @dynamic
  store float %w, ptr %from
  ret void
}
