; Barriers of part of a block: the runtime's, and the kernel runs on fibers.
; RUN: cufort-opt -passes=...cpu-thread-entry %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)

; CHECK-NOT: define void @kernel
; CHECK-LABEL: define void @kernel.thread(
; CHECK: call void @__cufort_cpu_part_barrier(i32 1, i32 64, i32 0)
; CHECK: call void @__cufort_cpu_part_barrier(i32 %{{.*}}, i32 64, i32 1)
; CHECK: "cufort-fibers"="a barrier of part of a block"
define ptx_kernel void @kernel(ptr %a, i32 %n, i1 %c) {
  br i1 %c, label %producer, label %consumer
producer:
  call void asm sideeffect "bar.arrive 1, 64;", ""()
  ret void
consumer:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %n, i32 64)
  ret void
}
