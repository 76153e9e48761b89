; RUN: cufort-opt -cpu-disable-pass=cpu-needless-barriers -passes=...cpu-barriers -cpu-no-thread-entries %s | FileCheck %s

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

; CHECK-LABEL: define void @kernel
; CHECK: br label %barrier
; CHECK: barrier:
; CHECK-NEXT: call i32 @cufort.barrier(i32 0)
; CHECK-NEXT: br label
; CHECK: barrier{{[0-9]+}}:
; CHECK-NEXT: call i32 @cufort.barrier(i32 0)
; CHECK-NEXT: br label
define ptx_kernel void @kernel(ptr %a) {
  store i32 1, ptr %a
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 2, ptr %a
  ret void
}
