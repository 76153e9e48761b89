; A barrier of the grid or of a cluster: the block, which is a fiber then, calls
; the runtime. With dispatch it does so when a phase has ended with threads at
; such a barrier. The threads of the reference mode call for themselves.
; RUN: cufort-opt -passes=...cpu-fission -cpu-no-thread-entries %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-fission -cpu-no-thread-entries -cpu-disable-pass=cpu-regions %s | FileCheck %s --check-prefix=DISPATCH
; RUN: cufort-opt -passes=...cpu-thread-entry %s | FileCheck %s --check-prefix=FIBER

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; What the GPU does is of no interest here, not even that it cannot be compiled.
define void @__cufort_grid_barrier() noinline convergent {
  %r = call i32 asm sideeffect "mov.u32 $0, %envreg1;", "=r"()
  ret void
}

; CHECK-LABEL: define void @kernel
; CHECK: store i32 1
; CHECK: store i32 2
; CHECK: call void @__cufort_cpu_grid_barrier()
; CHECK: store i32 3
; CHECK: call void @__cufort_cpu_cluster_barrier()
; CHECK: store i32 4
; CHECK: ret void

; DISPATCH-LABEL: define void @kernel
; DISPATCH: begin:
; DISPATCH: call void @llvm.memset
; DISPATCH: phase:
; DISPATCH: switch i32
; Where threads have stopped: for the first barrier all of them must.
; DISPATCH: call void @__cufort_cpu_compare_statements(ptr %{{.*}}, ptr %{{.*}}, ptr %place{{.*}}, i32 0, i32 1, i32 4)
; DISPATCH: br i1 {{.*}}, label %others, label %stay
; DISPATCH: stay:
; DISPATCH: br i1 {{.*}}, label %[[OTHERS:others[0-9]+]], label %[[STAY:stay[0-9]+]]
; DISPATCH: others:
; DISPATCH-NEXT: call void @__cufort_cpu_grid_barrier()
; DISPATCH-NEXT: br label %phase
; DISPATCH: [[STAY]]:
; DISPATCH: br i1 {{.*}}, label %phase, label %end
; DISPATCH: [[OTHERS]]:
; DISPATCH-NEXT: call void @__cufort_cpu_cluster_barrier()
; DISPATCH-NEXT: br label %phase
; DISPATCH: end:
; DISPATCH-NEXT: ret void

; FIBER-LABEL: define void @kernel.thread
; FIBER: call void @__cufort_cpu_block_barrier(i32 {{[1-9][0-9]*}})
; FIBER: call void @__cufort_cpu_grid_barrier()
; FIBER: call void @__cufort_cpu_cluster_barrier()
define ptx_kernel void @kernel(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = getelementptr i32, ptr %a, i32 %t
  store i32 1, ptr %c
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 2, ptr %c
  call void @__cufort_grid_barrier()
  store i32 3, ptr %c
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  store i32 4, ptr %c
  ret void
}
