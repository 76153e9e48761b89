target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.lround.i32.f16(half)
define ptx_kernel void @k(ptr %a, ptr %i) {
  %x = load half, ptr %a
  %y = call i32 @llvm.lround.i32.f16(half %x)
  store i32 %y, ptr %i
  ret void
}
