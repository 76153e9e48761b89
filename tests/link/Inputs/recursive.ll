target triple = "nvptx64-nvidia-cuda"
define void @_QMmPeven(ptr %a, i32 %n) {
  call void @_QMmPodd(ptr %a, i32 %n)
  ret void
}
define void @_QMmPodd(ptr %a, i32 %n) {
  call void @_QMmPeven(ptr %a, i32 %n)
  ret void
}
define ptx_kernel void @k(ptr %a, i32 %n) {
  call void @_QMmPeven(ptr %a, i32 %n)
  ret void
}
