; Matrices for tensor cores are loaded from and stored to shared or global memory
; as such where it is known.
; RUN: cufort-opt -passes=gpu-memory-accesses %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [512 x half] undef, align 16
declare {float, float, float, float, float, float, float, float} @llvm.nvvm.wmma.m16n16k16.load.c.row.stride.f32.p0(ptr, i32)
declare void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr, float, float, float, float, float, float, float, float, i32)

; CHECK-LABEL: define ptx_kernel void @kernel(
; CHECK: @llvm.nvvm.wmma.m16n16k16.load.c.row.stride.f32.p3(ptr addrspace(3) %{{.*}}, i32 16)
; CHECK: @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p1(ptr addrspace(1) %{{.*}}, float %c0,
define ptx_kernel void @kernel(ptr %to, i32 %n) {
  %row = getelementptr half, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 %n
  %c = call {float, float, float, float, float, float, float, float} @llvm.nvvm.wmma.m16n16k16.load.c.row.stride.f32.p0(ptr %row, i32 16)
  %c0 = extractvalue {float, float, float, float, float, float, float, float} %c, 0
  %c1 = extractvalue {float, float, float, float, float, float, float, float} %c, 1
  %c2 = extractvalue {float, float, float, float, float, float, float, float} %c, 2
  %c3 = extractvalue {float, float, float, float, float, float, float, float} %c, 3
  %c4 = extractvalue {float, float, float, float, float, float, float, float} %c, 4
  %c5 = extractvalue {float, float, float, float, float, float, float, float} %c, 5
  %c6 = extractvalue {float, float, float, float, float, float, float, float} %c, 6
  %c7 = extractvalue {float, float, float, float, float, float, float, float} %c, 7
  %place = getelementptr float, ptr %to, i32 %n
  call void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr %place, float %c0, float %c1, float %c2, float %c3, float %c4, float %c5, float %c6, float %c7, i32 16)
  ret void
}

; In a procedure it may be either.
; CHECK-LABEL: define void @procedure(
; CHECK: @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr %to,
define void @procedure(ptr %to, float %x) noinline {
  call void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr %to, float %x, float %x, float %x, float %x, float %x, float %x, float %x, float %x, i32 16)
  ret void
}
