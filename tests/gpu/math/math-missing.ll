; RUN: not cufort-ptx -device-folder=%build/lib/cufort/device %s 2>&1 | FileCheck %s --check-prefix=NAME
; NAME: cufort-ptx: error: device code calls '__nv_no_such_function', which is not in the device math library
; RUN: not cufort-ptx -device-folder=%t.nowhere %s 2>&1 | FileCheck %s --check-prefix=FILE
; FILE: cufort-ptx: error: cannot read the device math library '{{.*}}math.bc'
target triple = "nvptx64-nvidia-cuda"
declare float @__nv_no_such_function(float)
define ptx_kernel void @k(ptr %a) {
  %x = load float, ptr %a
  %s = call float @__nv_no_such_function(float %x)
  store float %s, ptr %a
  ret void
}
