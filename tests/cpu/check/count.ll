; With --count-operations each thread says where it returns what it has done:
; floating-point operations of up to 32 bits and of 64, bytes of global memory. A
; multiply-add is two, a mathematical function one; private, shared and constant
; memory is none.
; RUN: cufort-opt -passes=...cpu-count -cpu-count %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-count %s | FileCheck %s --check-prefix=OFF

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare double @llvm.fma.f64(double, double, double)
declare float @llvm.sqrt.f32(float)

@tile = internal addrspace(3) global [32 x float] poison, align 4

; OFF-NOT: __cufort_cpu_count

; One loop: what its blocks count is added in each iteration.
; CHECK-LABEL: define void @loop(
define ptx_kernel void @loop(ptr noalias %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %body
; CHECK: body:
; CHECK-DAG: %[[FLOPS:.+]] = phi i64 [ 0, %entry ], [ %[[MORE:.+]], %body ]
; CHECK-DAG: %[[BYTES:.+]] = phi i64 [ 0, %entry ], [ %[[FURTHER:.+]], %body ]
body:
  %i = phi i32 [ %t, %entry ], [ %next, %body ]
  %wide = sext i32 %i to i64
  %p = getelementptr double, ptr %a, i64 %wide
  %x = load double, ptr %p
  %y = call double @llvm.fma.f64(double %x, double %x, double 1.0)
  %z = fadd double %y, %x
  store double %z, ptr %p
  %next = add i32 %i, 32
  %more = icmp slt i32 %next, %n
; CHECK-DAG: %[[MORE]] = add i64 %[[FLOPS]], 3
; CHECK-DAG: %[[FURTHER]] = add i64 %[[BYTES]], 16
  br i1 %more, label %body, label %end
; CHECK: call void @__cufort_cpu_count(i64 0, i64 %[[MORE]], i64 %[[FURTHER]])
; CHECK-NEXT: ret void
end:
  ret void
}

; CHECK-LABEL: define void @kinds(
; CHECK-DAG: %[[ALL:.+]] = add i64 0, 2
; CHECK-DAG: %[[MOVED:.+]] = add i64 0, 24
; CHECK: call void @__cufort_cpu_count(i64 %[[ALL]], i64 0, i64 %[[MOVED]])
; CHECK-NEXT: ret void
define ptx_kernel void @kinds(ptr noalias %a, ptr %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = sext i32 %t to i64
  %s = getelementptr float, ptr addrspace(3) @tile, i64 %wide
  %p = getelementptr float, ptr %a, i64 %wide
  %x = load float, ptr %p
  store float %x, ptr addrspace(3) %s
  %y = call float @llvm.sqrt.f32(float %x)
  %more = fcmp ogt float %y, 1.0
  %w = fneg float %y
  %z = select i1 %more, float %w, float %y
  store float %z, ptr %p
  %old = atomicrmw fadd ptr %b, float %z monotonic
  %q = getelementptr i64, ptr %b, i64 8
  store i64 1, ptr %q
  ret void
}

; Nothing to count: no call.
; CHECK-LABEL: define void @nothing(
; CHECK-NEXT: ret void
define ptx_kernel void @nothing() {
  ret void
}
