; Permutations of bytes, which the GPU's passes make of conversions.
; RUN: cufort-opt -passes=...cpu-intrinsics %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.prmt(i32, i32, i32)

; CHECK-LABEL: @second(
; CHECK-NOT: call
; CHECK: lshr i64 %{{.*}}, 8
; CHECK-NOT: call
; CHECK: ret void
define ptx_kernel void @second(ptr %a, i32 %word) {
  %byte = call i32 @llvm.nvvm.prmt(i32 %word, i32 0, i32 17473)
  store i32 %byte, ptr %a
  ret void
}

; Bytes 3 of the first, 0 and 3 of the second word, and the sign of byte 0.
; CHECK-LABEL: @constant(
; CHECK: store i32 -7829436
define ptx_kernel void @constant(ptr %a) {
  %word = call i32 @llvm.nvvm.prmt(i32 1144201983, i32 -2004318072, i32 34627)
  store i32 %word, ptr %a
  ret void
}
