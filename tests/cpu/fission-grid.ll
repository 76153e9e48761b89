; A barrier of the grid: the entry returns to the runtime and goes on where the
; arena says when it is called again. For fibers it is a call.
; RUN: cufort-opt -passes=...cpu-fission -cpu-no-thread-entries %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-thread-entry %s | FileCheck %s --check-prefix=FIBER

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; What the GPU does is of no interest here, not even that it cannot be compiled.
define void @__cufort_grid_barrier() noinline convergent {
  %r = call i32 asm sideeffect "mov.u32 $0, %envreg1;", "=r"()
  ret void
}

; CHECK-LABEL: define i32 @kernel
; CHECK-SAME: i32 %[[REGION:[a-z.]+]],
; CHECK: %[[FIRST:.*]] = icmp eq i32 %[[REGION]], 0
; CHECK-NEXT: br i1 %[[FIRST]], label %begin, label %phase
; CHECK: begin:
; CHECK: call void @llvm.memset
; CHECK: phase:
; CHECK: switch i32
; CHECK: br i1 {{.*}}, label %grid, label %stay
; CHECK: stay:
; CHECK: br i1 {{.*}}, label %phase, label %end
; CHECK: grid:
; CHECK-NEXT: ret i32 1
; CHECK: end:
; CHECK-NEXT: ret i32 0

; FIBER-LABEL: define void @kernel.thread
; FIBER: call void @__cufort_cpu_block_barrier()
; FIBER: call void @__cufort_cpu_grid_barrier()
define ptx_kernel void @kernel(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = getelementptr i32, ptr %a, i32 %t
  store i32 1, ptr %c
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 2, ptr %c
  call void @__cufort_grid_barrier()
  store i32 3, ptr %c
  ret void
}
