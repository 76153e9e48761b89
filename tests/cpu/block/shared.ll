; Static shared variables lie one after the other, dynamic ones behind them.
; RUN: cufort-opt -passes=...cpu-shared %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@small = internal addrspace(3) global i32 poison, align 4
@large = internal addrspace(3) global [33 x double] poison, align 8
@first = external addrspace(3) global [0 x float], align 4
@second = external addrspace(3) global [0 x double], align 8
@elsewhere = internal addrspace(3) global [64 x i32] poison, align 4

; CHECK-NOT: @{{small|large|first|second|elsewhere}}
; CHECK-LABEL: define void @kernel
; CHECK: %shared = load ptr, ptr {{.*}}, align 8, !invariant.load {{.*}}, !align
; CHECK: %small = getelementptr inbounds i8, ptr %shared, i64 0
; CHECK: %large = getelementptr inbounds i8, ptr %shared, i64 64
; CHECK: %first = getelementptr inbounds i8, ptr %shared, i64 384
; CHECK: %second = getelementptr inbounds i8, ptr %shared, i64 384
; CHECK: store i32 1, ptr %small
; CHECK: [[CELL:%.*]] = getelementptr {{.*}}ptr %large, i64 16
; CHECK: store double 2.0{{.*}}, ptr [[CELL]]
define ptx_kernel void @kernel(ptr %a) {
  store i32 1, ptr addrspace(3) @small
  store double 2.0, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @large, i64 16)
  store float 3.0, ptr addrspace(3) @first
  store double 4.0, ptr addrspace(3) @second
  ret void
}
; CHECK-LABEL: define void @other
define ptx_kernel void @other(ptr %a) {
  store i32 1, ptr addrspace(3) @elsewhere
  ret void
}
; CHECK-DAG: "cufort-kernel"="kernel" {{.*}}"cufort-static-shared"="384"
; CHECK-DAG: "cufort-kernel"="other" {{.*}}"cufort-static-shared"="256"
