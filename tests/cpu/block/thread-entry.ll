; The naive copy: thread indices are an argument, barriers wait for the fibers.
; RUN: cufort-opt -passes=...cpu-thread-entry %s | FileCheck %s

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

; CHECK-LABEL: define void @kernel.thread(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4)
; CHECK: [[X:%.*]] = getelementptr inbounds i8, ptr %3, i64 0
; CHECK: load i32, ptr [[X]]
; Each barrier has a number.
; CHECK: call void @__cufort_cpu_block_barrier(i32 3)
; The votes: clear between two barriers, count, read behind a third.
; CHECK: call void @__cufort_cpu_block_barrier(i32 1)
; CHECK: store i32 0
; CHECK: store i32 0
; CHECK: call void @__cufort_cpu_block_barrier(i32 2)
; CHECK: store i32
; CHECK: store i32
; CHECK: call void @__cufort_cpu_block_barrier(i32 4)
; CHECK: load i32
; CHECK: ret void
; CHECK: "cufort-entry"="thread" "cufort-kernel"="kernel"
; CHECK-SAME: "cufort-vote-counters"="1024"
define ptx_kernel void @kernel(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = getelementptr i32, ptr %a, i32 %t
  %s = getelementptr [256 x float], ptr addrspace(3) @tile, i32 0, i32 %t
  store float 1.0, ptr addrspace(3) %s
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %p = icmp slt i32 %t, 3
  %n = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %p)
  store i32 %n, ptr %c
  ret void
}
