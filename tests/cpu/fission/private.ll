; Private arrays of kernels with barriers live in the arena: element by element
; where accesses allow, else whole; never on the stack.
; RUN: cufort-opt -cpu-disable-pass=cpu-needless-barriers -passes=...cpu-private -cpu-no-thread-entries %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare void @llvm.nvvm.bar.warp.sync(i32)
@tile = internal addrspace(3) global [256 x float] poison, align 4

; CHECK-LABEL: define void @elements
; CHECK-NOT: alloca
; CHECK: %threads = and i64
; CHECK: [[RANK:%.*]] = call i64 @cufort.thread.rank()
; CHECK: mul nsw i64 [[RANK]], 4
; CHECK: mul nsw i64 {{.*}}, %threads
; CHECK: store float
; CHECK: ret void
define ptx_kernel void @elements(ptr %a, i32 %i, i32 %j) {
  %p = alloca [16 x float]
  %c = getelementptr [16 x float], ptr %p, i32 0, i32 %i
  store float 1.0, ptr %c
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d = getelementptr [16 x float], ptr %p, i32 0, i32 %j
  %v = load float, ptr %d
  store float %v, ptr %a
  ret void
}
; CHECK-LABEL: define void @whole
; CHECK-NOT: alloca
; CHECK: [[RANK:%.*]] = call i64 @cufort.thread.rank()
; CHECK: [[OFFSET:%.*]] = mul nsw i64 [[RANK]], 64
; CHECK: %p = getelementptr inbounds i8, ptr {{.*}}, i64 [[OFFSET]]
; CHECK: ret void
define ptx_kernel void @whole(ptr %a, i32 %i, i32 %j) {
  %p = alloca [16 x float]
  %c = getelementptr [16 x float], ptr %p, i32 0, i32 %i
  store double 1.0, ptr %c
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d = getelementptr [16 x float], ptr %p, i32 0, i32 %j
  %v = load float, ptr %d
  store float %v, ptr %a
  ret void
}
; The first access may be where the life of the array begins: at the kernel's
; start, whose mark goes.
; CHECK-LABEL: define void @cleared
; CHECK-NOT: alloca
; CHECK-NOT: llvm.lifetime
; CHECK: [[ALL:%.*]] = getelementptr inbounds i8, ptr %arena
; CHECK: [[RANK:%.*]] = call i64 @cufort.thread.rank()
; CHECK-NEXT: [[OFFSET:%.*]] = mul nsw i64 [[RANK]], 32
; CHECK-NEXT: %p = getelementptr inbounds i8, ptr [[ALL]], i64 [[OFFSET]]
; CHECK-NEXT: memset{{.*}}(ptr {{.*}}%p, i8 0, i64 32
; CHECK: ret void
define ptx_kernel void @cleared(ptr %a, i32 %i, i32 %j) {
  %p = alloca [8 x i32], align 16
  call void @llvm.lifetime.start.p0(ptr %p)
  call void @llvm.memset.p0.i64(ptr align 16 %p, i8 0, i64 32, i1 false)
  %c = getelementptr [8 x i32], ptr %p, i32 0, i32 %i
  store i32 1, ptr %c
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d = getelementptr [8 x i32], ptr %p, i32 0, i32 %j
  %v = load i32, ptr %d
  store i32 %v, ptr %a
  call void @llvm.lifetime.end.p0(ptr %p)
  ret void
}
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
; Beside warp operations, what a warp cannot have on the stack lies there too.
; CHECK-LABEL: define void @warp
; CHECK-NOT: alloca
; CHECK: call i64 @cufort.thread.rank()
; CHECK: ret void
define ptx_kernel void @warp(ptr %a, i32 %i, i32 %j) {
  %p = alloca [512 x double]
  %c = getelementptr [512 x double], ptr %p, i32 0, i32 %i
  store double 1.0, ptr %c
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %d = getelementptr [512 x double], ptr %p, i32 0, i32 %j
  %v = load double, ptr %d
  store double %v, ptr %a
  ret void
}
; CHECK-LABEL: define void @smallWarp
; CHECK: alloca [64 x double]
define ptx_kernel void @smallWarp(ptr %a, i32 %i, i32 %j) {
  %p = alloca [64 x double]
  %c = getelementptr [64 x double], ptr %p, i32 0, i32 %i
  store double 1.0, ptr %c
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %d = getelementptr [64 x double], ptr %p, i32 0, i32 %j
  %v = load double, ptr %d
  store double %v, ptr %a
  ret void
}
; Without barriers the threads share one copy, one after the other.
; CHECK-LABEL: define void @alone
; CHECK: prologue:
; CHECK: alloca [16 x float]
define ptx_kernel void @alone(ptr %a, i32 %i, i32 %j) {
  %p = alloca [16 x float]
  %c = getelementptr [16 x float], ptr %p, i32 0, i32 %i
  store float 1.0, ptr %c
  %d = getelementptr [16 x float], ptr %p, i32 0, i32 %j
  %v = load float, ptr %d
  store float %v, ptr %a
  ret void
}
; CHECK: "cufort-arena"="64"
