; A field of 64 bits with its sign is two shifts; the GPU has no instruction for
; it, and the first shift is often there already.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s --implicit-check-not=bfe.s64

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry feedback(
; CHECK: shl.b64 [[TWICE:%rd[0-9]+]], {{%rd[0-9]+}}, 1;
; CHECK: shr.s64 {{%rd[0-9]+}}, [[TWICE]], 63;
define ptx_kernel void @feedback(ptr addrspace(1) %p) {
  %x = load i64, ptr addrspace(1) %p
  %x2 = shl i64 %x, 1
  %negative = ashr i64 %x, 63
  %seven = and i64 %negative, 7
  %y = xor i64 %seven, %x2
  store volatile i64 %y, ptr addrspace(1) %p
  %y2 = shl i64 %y, 1
  %ynegative = ashr i64 %x2, 63
  %yseven = and i64 %ynegative, 7
  %z = xor i64 %yseven, %y2
  store volatile i64 %z, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .entry field(
; CHECK: shl.b64 [[TOP:%rd[0-9]+]], {{%rd[0-9]+}}, 32;
; CHECK: shr.s64 {{%rd[0-9]+}}, [[TOP]], 52;
; CHECK: bfe.s32
define ptx_kernel void @field(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = load i64, ptr addrspace(1) %p
  %top = shl i64 %x, 32
  %y = ashr i64 %top, 52
  store i64 %y, ptr addrspace(1) %p
; One of 32 bits is one instruction.
  %a = load i32, ptr addrspace(1) %q
  %b = shl i32 %a, 7
  %c = ashr i32 %b, 20
  store i32 %c, ptr addrspace(1) %q
  ret void
}
