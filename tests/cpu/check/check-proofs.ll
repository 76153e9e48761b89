; With --check a kernel whose accesses are sums over its threads is described, so
; that the runtime finds out whether any of them can be wrong, and keeps its own
; code beside the one that calls the checkers. So are kernels whose indices come
; from memory: the runtime looks at them before a launch. Kernels in which threads
; wait for each other under a condition of their own are described in part: they
; have no code but the checked.
;
; RUN: cufort-opt -passes=...cpu-check -cpu-check %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @double.check.proof = constant { i32, i32, ptr, ptr }
; CHECK: @.check.proof.words.[[N:[0-9]+]] = private constant {{.*}} [i32 1, i32 18, i32 0,
; CHECK: @gather.check.proof = constant { i32, i32, ptr, ptr } { {{.*}}@.check.proof.words.[[N]],
; CHECK-NOT: check.proof =

; CHECK-LABEL: define void @double(
; CHECK-NOT: __cufort_cpu_check
; CHECK: store float
define ptx_kernel void @double(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %inside = icmp slt i32 %t, %n
  br i1 %inside, label %then, label %end
then:
  %i = sext i32 %t to i64
  %p = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %p
  %y = fadd float %x, %x
  store float %y, ptr %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @parted(
; CHECK: __cufort_cpu_check_wait
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

; CHECK-LABEL: define void @gather(
; CHECK-NOT: __cufort_cpu_check
; CHECK: store float
define ptx_kernel void @gather(ptr %a, ptr %k) {
  %i = load i64, ptr %k
  %p = getelementptr float, ptr %a, i64 %i
  store float 1.0, ptr %p
  ret void
}

; CHECK-LABEL: define void @double.checked(
; CHECK: __cufort_cpu_check_read(
; CHECK: __cufort_cpu_check_write(

; CHECK-LABEL: define internal void @double.check.values(ptr %0, ptr %1, ptr %2)
; CHECK: store i64

; CHECK-LABEL: define void @gather.checked(
; CHECK: __cufort_cpu_check_read(
