; A sum without carries is a sum for the GPU, which has one instruction for a
; shift and a sum but not for a shift and a combination of bits.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry row(
; CHECK: shl.b32 [[ROW:%r[0-9]+]], {{%r[0-9]+}}, 11;
; CHECK-NOT: or.b32
; CHECK: add.s32 {{%r[0-9]+}}, [[ROW]], {{%r[0-9]+}};
; CHECK-NOT: or.b32
; CHECK: ret;
define ptx_kernel void @row(ptr addrspace(1) %a, i32 %i, i32 %j) {
  %fits = icmp ult i32 %j, 2048
  br i1 %fits, label %in, label %out
in:
  %start = shl i32 %i, 11
  %place = add i32 %start, %j
  %wide = zext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
  br label %out
out:
  ret void
}
