; What the threads of a block do together in a procedure that stays one: calls of
; the runtime, and fibers for the kernels that may come there, by name, through
; a pointer or a table; the others have block entries as ever.
; RUN: cufort-opt -passes=cpu-flatten,cpu-host-functions,cpu-inline,cpu-procedures %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-thread-entry -cpu-no-thread-entries %s | FileCheck %s --check-prefix=ENTRIES

; CHECK: define void @recursive(ptr %a) [[RECURSIVE:#[0-9]+]]
; CHECK: define void @pointer(ptr %a, i64 %i) [[POINTER:#[0-9]+]]
; CHECK-LABEL: define internal i32 @down(
; CHECK: call void @__cufort_cpu_block_barrier(i32 {{[1-9][0-9]*}})
; Votes are counted in shared memory, which the kernel's record names.
; CHECK-LABEL: define internal i32 @vote(i32 %n, ptr %place)
; CHECK: [[VOTES:%cufort.procedure.votes]] = load ptr, ptr %{{.*}}
; CHECK: call void @__cufort_cpu_block_barrier(i32 {{[1-9][0-9]*}})
; CHECK: store i32 0, ptr [[VOTES]]
; CHECK-LABEL: define internal i32 @shuffle(
; CHECK: call i64 @__cufort_cpu_warp_operation(i32 2, i32 -1,
; ENTRIES-NOT: define void @recursive(
; ENTRIES-NOT: define void @pointer(
; ENTRIES: define void @plain(
; ENTRIES-NOT: define void @plain.thread(
; ENTRIES: define void @recursive.thread(
; ENTRIES: define void @pointer.thread(

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
@table = addrspace(1) global [2 x ptr] [ptr @vote, ptr @shuffle]

define i32 @down(i32 %n) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = call i32 @down(i32 %n)
  ret i32 %r
}

; Votes are counted in shared memory, which the kernel's record names.
define i32 @vote(i32 %n) {
  %odd = trunc i32 %n to i1
  %any = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %odd)
  %r = zext i1 %any to i32
  ret i32 %r
}

define i32 @shuffle(i32 %n) {
  %r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %n, i32 1, i32 31)
  ret i32 %r
}

define ptx_kernel void @recursive(ptr %a) {
  %r = call i32 @down(i32 4)
  store i32 %r, ptr %a
  ret void
}
define ptx_kernel void @pointer(ptr %a, i64 %i) {
  %p = getelementptr [2 x ptr], ptr addrspace(1) @table, i64 0, i64 %i
  %f = load ptr, ptr addrspace(1) %p
  %r = call i32 %f(i32 4)
  store i32 %r, ptr %a
  ret void
}
define ptx_kernel void @plain(ptr %a) {
  store i32 1, ptr %a
  ret void
}

; CHECK-DAG: attributes [[RECURSIVE]] = {{.*}}"cufort-fibers"="a barrier in a device procedure that is recursive or called through a pointer"
; CHECK-DAG: attributes [[POINTER]] = {{.*}}"cufort-fibers"="a {{barrier|warp operation}} in a device procedure that is recursive or called through a pointer"
