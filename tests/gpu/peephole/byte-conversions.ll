; A byte or a half of a register becomes a real from a permutation.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry alone(
; CHECK-NOT: {{bfe|and.b32|shr.u32}}
; CHECK-DAG: prmt.b32 {{.*}}, 0, 0x4441U
; CHECK-DAG: prmt.b32 {{.*}}, 0, 0x4432U
; CHECK-NOT: {{bfe|and.b32|shr.u32}}
; CHECK: ret;
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
; CHECK-LABEL: .entry bytes(
; CHECK: prmt.b32 {{.*}}, 0, 0x4440U
; CHECK-NOT: prmt
; CHECK: ret;
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
; CHECK-LABEL: .entry three(
; CHECK-NOT: prmt
; CHECK: ret;
define ptx_kernel void @three(ptr addrspace(1) %a, i32 %x) {
  %upper = lshr i32 %x, 8
  %real = uitofp i32 %upper to float
  store float %real, ptr addrspace(1) %a
  ret void
}
