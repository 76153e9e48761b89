; Complex functions of the device library are the host's; Flang's own function of
; that name, which takes a pair, makes room for it.
; RUN: cufort-opt -passes=cpu-flatten,cpu-host-functions,cpu-inline %s | FileCheck %s
; RUN: cufort-opt -passes=cpu-flatten,cpu-host-functions,cpu-inline -cpu-fast-math %s | FileCheck %s --check-prefix=FAST

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define { double, double } @cufort_ctan(double %x, double %y) {
  ret { double, double } zeroinitializer
}
define { double, double } @ctan({ double, double } %z) {
  %x = extractvalue { double, double } %z, 0
  %y = extractvalue { double, double } %z, 1
  %r = call { double, double } @cufort_ctan(double %x, double %y)
  ret { double, double } %r
}
define { float, float } @cufort_cpowf(float %a, float %b, float %x, float %y) {
  ret { float, float } zeroinitializer
}
define { double, double } @cufort_cexp(double %x, double %y) {
  ret { double, double } zeroinitializer
}
; CHECK-LABEL: define void @kernel
; CHECK: call { double, double } @ctan(double %x, double %y)
; CHECK: call double @cpowf(double %{{.*}}, double %{{.*}})
; CHECK: call { double, double } @cexp(double %x, double %y)
; CHECK: declare { double, double } @ctan(double, double)
; FAST-NOT: @cexp(
define ptx_kernel void @kernel(ptr %a, double %x, double %y, float %s, float %t) {
  %i = insertvalue { double, double } poison, double %x, 0
  %z = insertvalue { double, double } %i, double %y, 1
  %tan = call { double, double } @ctan({ double, double } %z)
  store { double, double } %tan, ptr %a
  %power = call { float, float } @cufort_cpowf(float %s, float %t, float %s, float %t)
  store volatile { float, float } %power, ptr %a
  %exp = call { double, double } @cufort_cexp(double %x, double %y)
  store volatile { double, double } %exp, ptr %a
  ret void
}
