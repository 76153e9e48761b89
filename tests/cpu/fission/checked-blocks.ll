; With --check a block whose threads come to its barriers together is also checked
; as loops over its threads, which say before each call of the checkers which one
; they are; the checkers are told of a barrier once. Not where threads part before
; a barrier, work as warps, wait for later threads of their block, or look at what
; others do in shared memory: these stay on fibers.
; RUN: cufort-opt -passes=...cpu-checked-blocks -cpu-check %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-checked-blocks %s | FileCheck %s --check-prefix=OFF
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.membar.gl()

@tile = internal addrspace(3) global [32 x i32] poison, align 4

; OFF-NOT: __cufort_cpu_check
; OFF-NOT: .loops
; CHECK-NOT: define {{.+}}.unchecked(

; CHECK-NOT: define void @parted.loops(
define ptx_kernel void @parted(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %t, 7
  br i1 %some, label %then, label %end
then:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
end:
  ret void
}

; CHECK-NOT: define void @warps.loops(
define ptx_kernel void @warps(ptr %a) {
  fence seq_cst
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  store i32 1, ptr %a
  ret void
}

; A later thread sets what the first waits for.
; CHECK-NOT: define void @later.loops(
define ptx_kernel void @later(ptr %flag) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %wait, label %set
wait:
  %found = load volatile i32, ptr %flag
  %ready = icmp ne i32 %found, 0
  br i1 %ready, label %end, label %wait
set:
  store volatile i32 1, ptr %flag
  br label %end
end:
  ret void
}

; CHECK-NOT: define void @slots.loops(
define ptx_kernel void @slots(ptr %a) {
  fence seq_cst
  %i = atomicrmw add ptr addrspace(3) @tile, i32 1 monotonic
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %wide
  store i32 1, ptr %p
  ret void
}

; CHECK-LABEL: define void @sum.loops(
; CHECK: prologue:
; CHECK: call void @__cufort_cpu_check_shared(
; CHECK: call ptr @__cufort_cpu_check_proved()
; CHECK: %[[CURRENT:.+]] = call ptr @__cufort_cpu_check_current()
; CHECK: store volatile i32 %{{.+}}, ptr %[[CURRENT]]
; CHECK-NEXT: call ptr @__cufort_cpu_check_within(
; CHECK: store volatile i32 %{{.+}}, ptr %[[CURRENT]]
; CHECK-NEXT: call ptr @__cufort_cpu_check_write(
; CHECK-NOT: __cufort_cpu_check_wait
; CHECK: call void @__cufort_cpu_check_barrier()
; CHECK: call ptr @__cufort_cpu_check_range(
; CHECK: ret void
define ptx_kernel void @sum(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = sext i32 %t to i64
  %p = getelementptr [32 x i32], ptr addrspace(3) @tile, i64 0, i64 %wide
  store i32 %t, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %q = getelementptr [32 x i32], ptr addrspace(3) @tile, i64 0, i64 1
  %x = load i32, ptr addrspace(3) %q
  call void @llvm.nvvm.membar.gl()
  store i32 %x, ptr %a
  ret void
}

; The first thread waits for the block before.
; CHECK-LABEL: define void @before.loops(
; CHECK: call void @__cufort_cpu_yield()
define ptx_kernel void @before(ptr %flags) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %own = getelementptr i32, ptr %flags, i32 %b
  %other = getelementptr i32, ptr %own, i32 -1
  %first = icmp eq i32 %t, 0
  br i1 %first, label %set, label %end
set:
  store volatile i32 1, ptr %own
  br label %wait
wait:
  %found = load volatile i32, ptr %other
  %ready = icmp ne i32 %found, 0
  br i1 %ready, label %end, label %wait
end:
  ret void
}
