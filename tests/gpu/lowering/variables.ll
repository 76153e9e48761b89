; Variables that the host names are visible, with their initial values.
; RUN: cufort-ptx %s | FileCheck %s
; CHECK-DAG: .visible .global .align 4 .b8 _QMmEtable[8] = {1, 0, 0, 0, 2};
; CHECK-DAG: .visible .const .align 4 .f32 _QMmEfactor = 0f40200000;
; CHECK-DAG: .visible .global .align 4 .f32 _QMmEsum;
target triple = "nvptx64-nvidia-cuda"
@_QMmEtable = addrspace(1) global [2 x i32] [i32 1, i32 2], align 4
@_QMmEfactor = addrspace(4) global float 2.5, align 4
@_QMmEsum = addrspace(1) global float 0.0, align 4
define ptx_kernel void @k(i32 %i) {
  %f = load float, ptr addrspace(4) @_QMmEfactor
  %p = getelementptr i32, ptr addrspace(1) @_QMmEtable, i32 %i
  %t = load i32, ptr addrspace(1) %p
  %c = sitofp i32 %t to float
  %m = fmul float %c, %f
  store float %m, ptr addrspace(1) @_QMmEsum
  ret void
}
