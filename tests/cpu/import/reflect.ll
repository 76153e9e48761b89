; Headers ask which engine it is; what is for a GPU alone goes with the answer.
; RUN: cufort-opt -passes=...cpu-inline %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@cpu = private unnamed_addr constant [13 x i8] c"__CUFORT_CPU\00"
@other = private unnamed_addr constant [11 x i8] c"__CUDA_FTZ\00"
declare i32 @llvm.nvvm.reflect(ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.gridid()

define internal i1 @asks() {
  %answer = call i32 @llvm.nvvm.reflect(ptr @cpu)
  %yes = icmp ne i32 %answer, 0
  ret i1 %yes
}

; CHECK-LABEL: define {{.*}} @kernel(
; CHECK-NOT: reflect
; CHECK-NOT: gridid
; CHECK: store i32 0, ptr %a
; CHECK-NOT: gridid
; CHECK: ret void
define ptx_kernel void @kernel(ptr %a) {
  %cpu = call i1 @asks()
  br i1 %cpu, label %here, label %there
there:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.gridid()
  store i32 %id, ptr %a
  br label %end
here:
  %zero = call i32 @llvm.nvvm.reflect(ptr @other)
  store i32 %zero, ptr %a
  br label %end
end:
  ret void
}
