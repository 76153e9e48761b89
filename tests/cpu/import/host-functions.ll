; What a GPU's driver does for kernels is the runtime's on the CPU; what device code
; asks its compiler is answered. Nothing is inlined yet.
; RUN: cufort-opt -passes=cpu-flatten,cpu-host-functions %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@cpu = private unnamed_addr constant [13 x i8] c"__CUFORT_CPU\00"
@format = private unnamed_addr constant [3 x i8] c"%d\00"
declare i32 @llvm.nvvm.reflect(ptr)
declare i32 @vprintf(ptr, ptr)

; CHECK-LABEL: define {{.*}}@procedure(
; CHECK: call i32 @__cufort_cpu_vprintf(ptr @format, ptr %values)
define internal void @procedure(ptr %values) {
  %n = call i32 @vprintf(ptr @format, ptr %values)
  ret void
}

; CHECK-LABEL: define {{.*}}@kernel(
; CHECK-NOT: reflect
; CHECK: store i32 1, ptr %a
; CHECK: call void @procedure(ptr %a)
define ptx_kernel void @kernel(ptr %a) {
  %answer = call i32 @llvm.nvvm.reflect(ptr @cpu)
  store i32 %answer, ptr %a
  call void @procedure(ptr %a)
  ret void
}
