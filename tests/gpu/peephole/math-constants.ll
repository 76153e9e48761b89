; Approximate functions of constants are computed where the GPU's instructions
; are exact, so that a loop that asks for the logarithm of its size has a known
; number of iterations; other constants are left to the GPU.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare float @llvm.nvvm.lg2.approx.f(float)
declare float @llvm.nvvm.ex2.approx.f32(float)

; CHECK-LABEL: .entry known(
; CHECK-NOT: approx
; CHECK-DAG: st.global.b32 [{{.*}}], 1082130432;
; CHECK-DAG: st.global.b32 [{{.*}}+4], 1040187392;
; CHECK-NOT: approx
; CHECK: ret;
define ptx_kernel void @known(ptr addrspace(1) %out) {
  %four = call float @llvm.nvvm.lg2.approx.f(float 16.0)
  store float %four, ptr addrspace(1) %out
  %eighth = call float @llvm.nvvm.ex2.approx.f32(float -3.0)
  %next = getelementptr float, ptr addrspace(1) %out, i64 1
  store float %eighth, ptr addrspace(1) %next
  ret void
}

; CHECK-LABEL: .entry left(
; CHECK: lg2.approx.f32
; CHECK: lg2.approx.f32
; CHECK: lg2.approx.f32
; CHECK: ex2.approx.f32
; CHECK: ex2.approx.f32
define ptx_kernel void @left(ptr addrspace(1) %out) {
  %a = call float @llvm.nvvm.lg2.approx.f(float 3.0)
  %b = call float @llvm.nvvm.lg2.approx.f(float -2.0)
  %c = call float @llvm.nvvm.lg2.approx.f(float 0.0)
  %d = call float @llvm.nvvm.ex2.approx.f32(float 0.5)
  %e = call float @llvm.nvvm.ex2.approx.f32(float 1000.0)
  store volatile float %a, ptr addrspace(1) %out
  store volatile float %b, ptr addrspace(1) %out
  store volatile float %c, ptr addrspace(1) %out
  store volatile float %d, ptr addrspace(1) %out
  store volatile float %e, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .entry iterations(
; CHECK-COUNT-4: st.volatile.global
; CHECK-NOT: bra
; CHECK: ret;
define ptx_kernel void @iterations(ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 1, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %out
  %next = add i32 %i, 1
  %real = sitofp i32 %next to float
  %levels = call float @llvm.nvvm.lg2.approx.f(float 16.0)
  %again = fcmp ole float %real, %levels
  br i1 %again, label %loop, label %done
done:
  ret void
}
