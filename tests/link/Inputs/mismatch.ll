target triple = "nvptx64-nvidia-cuda"
declare i32 @_QMhelpersPtwice(float, float)
define ptx_kernel void @k(ptr %a) {
  %r = call i32 @_QMhelpersPtwice(float 1.0, float 2.0)
  store i32 %r, ptr %a
  ret void
}
