; A descriptor is a parameter by value: 56 bytes in the parameter space, read
; from there and not copied to local memory.
; RUN: cufort-ptx %s | FileCheck %s
; CHECK: .param .align 8 .b8 k_param_0[56]
; CHECK-NOT: .local
; CHECK: ld.param.b64 {{.*}}, [k_param_0];
; CHECK: st.global.b32
target triple = "nvptx64-nvidia-cuda"
%descriptor = type { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]], ptr }
define ptx_kernel void @k(ptr byval(%descriptor) align 8 %d, float %x) {
  %base = load ptr, ptr %d
  %extent_at = getelementptr %descriptor, ptr %d, i32 0, i32 7, i32 0, i32 1
  %extent = load i64, ptr %extent_at
  %last = getelementptr float, ptr %base, i64 %extent
  store float %x, ptr %last
  ret void
}
