; Threads at the border of a tile do more than the others before the barrier: one
; more barrier makes two loops over threads of that, the second within bounds.
; RUN: cufort-opt -passes=...cpu-border-threads -cpu-no-thread-entries %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-border-threads -cpu-no-thread-entries -cpu-disable-pass=cpu-border-threads %s | FileCheck %s --check-prefix=WITHOUT
; RUN: cufort-opt -passes=...cpu-fission -cpu-no-thread-entries %s | FileCheck %s --check-prefix=LOOPS

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [264 x float] poison
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; Both additions, one after the other.
; CHECK-LABEL: define void @halo(
; CHECK: store float {{.*}}
; CHECK: call i32 @cufort.barrier(i32 0)
; CHECK-NEXT: br i1
; CHECK: store float
; CHECK: call i32 @cufort.barrier(i32 0)
; CHECK-NEXT: br i1
; CHECK: store float
; CHECK: call i32 @cufort.barrier(i32 0)
; CHECK-NOT: @cufort.barrier
; CHECK: ret void
; WITHOUT-LABEL: define void @halo(
; WITHOUT: call i32 @cufort.barrier(i32 0)
; WITHOUT-NOT: @cufort.barrier
; WITHOUT: ret void
; LOOPS-LABEL: define void @halo(
; LOOPS: interval{{.*}}:
; LOOPS: interval{{.*}}:
; LOOPS: ret void
define ptx_kernel void @halo(ptr %a, ptr %b) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %x to i64
  %from = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %from
  %to = getelementptr float, ptr addrspace(3) @tile, i64 %i
  %inner = getelementptr float, ptr addrspace(3) %to, i64 4
  store float %v, ptr addrspace(3) %inner
  %left = icmp ult i32 %x, 4
  br i1 %left, label %first, label %then
first:
  %far = getelementptr float, ptr %from, i64 -4
  %w = load float, ptr %far
  store float %w, ptr addrspace(3) %to
  br label %then
then:
  %one = icmp eq i32 %x, 7
  br i1 %one, label %last, label %end
last:
  %next = getelementptr float, ptr %from, i64 4
  %u = load float, ptr %next
  %place = getelementptr float, ptr addrspace(3) %to, i64 8
  store float %u, ptr addrspace(3) %place
  br label %end
end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = load float, ptr addrspace(3) %to
  %out = getelementptr float, ptr %b, i64 %i
  store float %r, ptr %out
  ret void
}

; Nothing before the condition; a condition on y; a value that would need a place;
; an atomic operation.
; CHECK-LABEL: define void @others(
; CHECK-COUNT-4: call i32 @cufort.barrier
; CHECK-NOT: @cufort.barrier
; CHECK: ret void
define ptx_kernel void @others(ptr %a, ptr %b) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %i = zext i32 %x to i64
  %from = getelementptr float, ptr %a, i64 %i
  %to = getelementptr float, ptr addrspace(3) @tile, i64 %i
  %left = icmp ult i32 %x, 4
  br i1 %left, label %first, label %wait1
first:
  %v1 = load float, ptr %from
  store float %v1, ptr addrspace(3) %to
  br label %wait1
wait1:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v2 = load float, ptr %from
  store float %v2, ptr addrspace(3) %to
  %row = icmp eq i32 %y, 0
  br i1 %row, label %second, label %wait2
second:
  store float 1.0, ptr %from
  br label %wait2
wait2:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v3 = load float, ptr addrspace(3) %to
  store float %v3, ptr %from
  br i1 %left, label %third, label %wait3
third:
  %far = getelementptr float, ptr %b, i64 %i
  store float %v3, ptr %far
  br label %wait3
wait3:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v4 = load float, ptr addrspace(3) %to
  store float %v4, ptr %from
  br i1 %left, label %fourth, label %wait4
fourth:
  %old = atomicrmw fadd ptr %b, float 1.0 monotonic
  br label %wait4
wait4:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v5 = load float, ptr addrspace(3) @tile
  store float %v5, ptr %from
  ret void
}
