; Address spaces go, and what they said stays as attributes.
; RUN: cufort-opt -passes=cpu-flatten %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: target triple = "x86_64-unknown-linux-gnu"
; CHECK-DAG: @tile = internal global [32 x float] poison, align 4 [[SHARED:#[0-9]+]]
; CHECK-DAG: @dynamic = external global [0 x float], align 16 [[SHARED]]
; CHECK-DAG: @scale = global float 2.000000e+00, align 4 [[CONSTANT:#[0-9]+]]
; CHECK-DAG: @table = global ptr @scale [[DEVICE:#[0-9]+]]
; CHECK-DAG: @both = global i32 0 [[MANAGED:#[0-9]+]]
; CHECK-DAG: @text = private unnamed_addr constant [3 x i8] c"ab\00"
@tile = internal addrspace(3) global [32 x float] poison, align 4
@dynamic = external addrspace(3) global [0 x float], align 16
@scale = addrspace(4) constant float 2.0, align 4
@table = addrspace(1) global ptr addrspacecast (ptr addrspace(4) @scale to ptr)
@both = addrspace(1) global i32 0
@text = private unnamed_addr addrspace(4) constant [3 x i8] c"ab\00"

declare void @llvm.memcpy.p0.p3.i64(ptr, ptr addrspace(3), i64, i1)

; CHECK-LABEL: define void @kernel(ptr %a, ptr %b)
define ptx_kernel void @kernel(ptr %a, ptr addrspace(1) %b) {
; CHECK: %s = load float, ptr @scale, align 4, !invariant.load
  %s = load float, ptr addrspace(4) @scale, align 4
; CHECK: store float %s, ptr getelementptr
; CHECK-SAME: @tile
  store float %s, ptr addrspace(3) getelementptr ([32 x float], ptr addrspace(3) @tile, i64 0, i64 3)
  %g = addrspacecast ptr addrspace(1) %b to ptr
  %cell = getelementptr float, ptr %g, i64 1
; CHECK: getelementptr float, ptr %b, i64 1
  store float %s, ptr %cell
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @dynamic, i64 8, i1 false)
  call void @llvm.memcpy.p0.p3.i64(ptr %a, ptr addrspace(3) @dynamic, i64 8, i1 false)
  ret void
}
; CHECK-DAG: attributes [[SHARED]] = { "cufort-variable"="shared" }
; CHECK-DAG: attributes [[CONSTANT]] = { "cufort-constant" "cufort-variable"="device" }
; CHECK-DAG: attributes [[MANAGED]] = { "cufort-managed" "cufort-variable"="device" }
; CHECK-DAG: attributes [[DEVICE]] = { "cufort-variable"="device" }
; CHECK-DAG: "cufort-kernel"="kernel"

!nvvm.annotations = !{!0}
!0 = !{ptr addrspace(1) @both, !"managed", i32 1}
