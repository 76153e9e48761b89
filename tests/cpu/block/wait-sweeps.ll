; A loop that goes over many elements again and again, until others have written
; what it reads: threads may wait for any other one.
; RUN: cufort-opt -passes=...cpu-wait-loops %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CHECK-LABEL: define void @sweep(
; CHECK: call void @__cufort_cpu_yield()
define ptx_kernel void @sweep(ptr %level, ptr %next, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %again
again:
  br label %each
each:
  %v = phi i32 [ %t, %again ], [ %more, %skip ]
  %missing = phi i1 [ false, %again ], [ %still, %skip ]
  %slot = getelementptr i32, ptr %next, i32 %v
  %w = load i32, ptr %slot
  %there = getelementptr i32, ptr %level, i32 %w
  %found = load volatile i32, ptr %there
  %ready = icmp ne i32 %found, 0
  br i1 %ready, label %write, label %skip
write:
  %own = getelementptr i32, ptr %level, i32 %v
  store volatile i32 1, ptr %own
  br label %skip
skip:
  %still = phi i1 [ %missing, %write ], [ true, %each ]
  %more = add i32 %v, 64
  %inside = icmp slt i32 %more, %n
  br i1 %inside, label %each, label %iteration
iteration:
  br i1 %still, label %again, label %end
end:
  ret void
}

; All threads meet in each iteration: none waits for a later one.
; CHECK-LABEL: define void @together(
; CHECK-NOT: @__cufort_cpu_yield
define ptx_kernel void @together(ptr %level, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %again
again:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %each
each:
  %v = phi i32 [ %t, %again ], [ %more, %each ]
  %missing = phi i1 [ false, %again ], [ %still, %each ]
  %there = getelementptr i32, ptr %level, i32 %v
  %found = load volatile i32, ptr %there
  %zero = icmp eq i32 %found, 0
  %still = or i1 %missing, %zero
  store volatile i32 1, ptr %there
  %more = add i32 %v, 64
  %inside = icmp slt i32 %more, %n
  br i1 %inside, label %each, label %iteration
iteration:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %still, label %again, label %end
end:
  ret void
}

; What each iteration reads is elsewhere: a search.
; CHECK-LABEL: define void @search(
; CHECK-NOT: @__cufort_cpu_yield
; CHECK: ret void
; CHECK-NOT: cufort-fibers
; CHECK: "cufort-fibers"="a loop that a thread repeats until others have written what it reads there" "cufort-kernel"="sweep"
; CHECK-NOT: cufort-fibers
define ptx_kernel void @search(ptr %level, i32 %n) {
  br label %again
again:
  %base = phi i32 [ 0, %0 ], [ %next, %iteration ]
  br label %each
each:
  %k = phi i32 [ 0, %again ], [ %more, %each ]
  %missing = phi i1 [ false, %again ], [ %still, %each ]
  %v = add i32 %base, %k
  %there = getelementptr i32, ptr %level, i32 %v
  %found = load volatile i32, ptr %there
  %zero = icmp eq i32 %found, 0
  %still = or i1 %missing, %zero
  store volatile i32 1, ptr %there
  %more = add i32 %k, 1
  %inside = icmp slt i32 %more, %n
  br i1 %inside, label %each, label %iteration
iteration:
  %next = add i32 %base, %n
  br i1 %still, label %again, label %end
end:
  ret void
}
