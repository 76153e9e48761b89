; A byte or a half of a register becomes a real from a permutation.
; RUN: cufort-opt -passes=gpu-peephole %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @alone(
; CHECK: [[BYTE:%.*]] = call i32 @llvm.nvvm.prmt(i32 %x, i32 0, i32 [[#0x4441]])
; CHECK-NEXT: %first = uitofp i32 [[BYTE]] to float
; CHECK: [[HALF:%.*]] = call i32 @llvm.nvvm.prmt(i32 %y, i32 0, i32 [[#0x4432]])
; CHECK-NEXT: %second = uitofp i32 [[HALF]] to float
; CHECK: ret void
define ptx_kernel void @alone(ptr addrspace(1) %a, i32 %x, i32 %y) {
  %shifted = lshr i32 %x, 8
  %byte = and i32 %shifted, 255
  %first = uitofp i32 %byte to float
  %upper = lshr i32 %y, 16
  %second = uitofp i32 %upper to float
  store float %first, ptr addrspace(1) %a
  %b = getelementptr float, ptr addrspace(1) %a, i64 10
  store float %second, ptr addrspace(1) %b
  ret void
}

; Of several parts of one register the lowest alone does.
; CHECK-LABEL: define ptx_kernel void @bytes(
; CHECK: [[LOW:%.*]] = call i32 @llvm.nvvm.prmt(i32 %x, i32 0, i32 [[#0x4440]])
; CHECK-NEXT: %first = uitofp i32 [[LOW]] to float
; CHECK-NOT: prmt
; CHECK: ret void
define ptx_kernel void @bytes(ptr addrspace(1) %a, i32 %x) {
  %low = and i32 %x, 255
  %first = uitofp i32 %low to float
  %shifted = lshr i32 %x, 8
  %byte = and i32 %shifted, 255
  %second = uitofp i32 %byte to float
  %top = lshr i32 %x, 24
  %third = uitofp i32 %top to float
  %upper = lshr i32 %x, 16
  %fourth = uitofp i32 %upper to float
  store float %first, ptr addrspace(1) %a
  %b = getelementptr float, ptr addrspace(1) %a, i64 10
  store float %second, ptr addrspace(1) %b
  %c = getelementptr float, ptr addrspace(1) %a, i64 20
  store float %third, ptr addrspace(1) %c
  %d = getelementptr float, ptr addrspace(1) %a, i64 30
  store float %fourth, ptr addrspace(1) %d
  ret void
}

; Three bytes are no part that one permutation would be shorter for.
; CHECK-LABEL: define ptx_kernel void @three(
; CHECK-NOT: prmt
; CHECK: ret void
define ptx_kernel void @three(ptr addrspace(1) %a, i32 %x) {
  %upper = lshr i32 %x, 8
  %real = uitofp i32 %upper to float
  store float %real, ptr addrspace(1) %a
  ret void
}
