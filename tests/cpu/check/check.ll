; With --check a call stands before each access to what others may see, one more
; behind those that may order others, one before fences and barriers; private
; scalars are left alone, private arrays compared with their bounds. Of plain
; accesses the kernel asks first whether the launch needs it.
; RUN: cufort-opt -passes=...cpu-check -cpu-check %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-check %s | FileCheck %s --check-prefix=OFF

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.membar.cta()

@tile = internal addrspace(3) global [32 x i32] poison, align 4

; The variable of 32 elements of 4 bytes, and a write that says what it writes.
; CHECK-DAG: @[[NAME:.+]] = private unnamed_addr constant [5 x i8] c"tile\00"
; CHECK-DAG: @[[TILE:.+]] = private constant {{.+}} { ptr @[[NAME]], ptr null, i64 128, i32 4, i32 1, [7 x i64] [i64 32,

; OFF-NOT: __cufort_cpu_check
; CHECK-LABEL: define void @kernel(ptr %a)
; CHECK: call void @__cufort_cpu_check_shared(ptr @tile, ptr @[[TILE]])
define ptx_kernel void @kernel(ptr noalias %a) {
  %own = alloca i32
  %mine = alloca [4 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: store i32 %t, ptr %own
; CHECK-NEXT: load i32, ptr %own
  store i32 %t, ptr %own
  %i = load i32, ptr %own
  %wide = sext i32 %i to i64
; CHECK-NOT: load i8
; CHECK: icmp ugt i64 %{{.+}}, 12
; CHECK-NEXT: br i1
; CHECK: call {{.+}} @__cufort_cpu_check_within(ptr %p, ptr %mine, i64 16, ptr
; CHECK: store i32 1, ptr %
  %p = getelementptr i32, ptr %mine, i64 %wide
  store i32 1, ptr %p
  %q = getelementptr [32 x i32], ptr addrspace(3) @tile, i64 0, i64 %wide
; CHECK: load i8, {{.+}} !invariant.load
; CHECK-NEXT: icmp ne i8 %{{.+}}, 1
; CHECK-NEXT: br i1
; CHECK: icmp ugt i64 %{{.+}}, 124
; CHECK: call {{.+}} @__cufort_cpu_check_within(ptr %q, ptr @tile, i64 128, ptr
; CHECK: call {{.+}} @__cufort_cpu_check_write(ptr %{{.+}}, ptr @{{.+}}, i64
  store i32 %i, ptr addrspace(3) %q
; CHECK: call void @__cufort_cpu_check_wait(
; CHECK: call i32 @cufort.barrier(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: call {{.+}} @__cufort_cpu_check_read(
; CHECK: load i32, ptr %
  %x = load i32, ptr %a
; CHECK: call void @__cufort_cpu_check_fence(i32 1)
; CHECK-NEXT: fence
  call void @llvm.nvvm.membar.cta()
; CHECK-NOT: load i8
; CHECK: call {{.+}} @__cufort_cpu_check_write(
; CHECK: atomicrmw
; CHECK-NEXT: call void @__cufort_cpu_check_after(
  %y = atomicrmw add ptr %a, i32 %x monotonic
  ret void
}
