; Addresses of private memory have 64 bits, so that ptxas can take an array into
; registers; those of shared memory have 32.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x i32] undef, align 4

; CHECK-LABEL: .entry nearest(
; CHECK: add.u64 [[ARRAY:%rd[0-9]+]], %SPL, 0;
; CHECK: mul.wide.u32 [[OFFSET:%rd[0-9]+]], [[PLACE:%r[0-9]+]], 4;
; CHECK: add.s64 [[ELEMENT:%rd[0-9]+]], [[ARRAY]], [[OFFSET]];
; CHECK: st.local.b32 {{\[}}[[ELEMENT]]],
; CHECK: st.volatile.shared.b32 [%r{{[0-9]+}}],
define ptx_kernel void @nearest(ptr addrspace(1) %result, ptr addrspace(1) %data) {
  %array = alloca [4 x i32], align 16
  %word = load i32, ptr addrspace(1) %data
  %place = and i32 %word, 3
  %wide = zext nneg i32 %place to i64
  %element = getelementptr i32, ptr %array, i64 %wide
  store i32 %word, ptr %element
  %first = load i32, ptr %array
  %shared = getelementptr i32, ptr addrspace(3) @tile, i32 %place
  store volatile i32 %first, ptr addrspace(3) %shared
  ret void
}

; Also where the address leaves the function.
; CHECK-LABEL: .entry handed(
; CHECK: add.u64 [[OWN:%rd[0-9]+]], %SP, 0;
; CHECK-NOT: cvt.u32.u64
; CHECK: st.param.b64 [param0], [[OWN]];
define ptx_kernel void @handed(ptr addrspace(1) %result) {
  %array = alloca [4 x i32], align 16
  call void @fill(ptr %array)
  %value = load i32, ptr %array
  store i32 %value, ptr addrspace(1) %result
  ret void
}
define void @fill(ptr %array) noinline {
  store i32 1, ptr %array
  ret void
}
