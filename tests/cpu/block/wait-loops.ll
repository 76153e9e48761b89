; Loops that wait for other threads let others go on; where those may be later
; ones of the block, the kernel runs on fibers.
; RUN: cufort-opt -passes=...cpu-wait-loops %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.membar.gl()

; One thread of each block waits for the block before; it has itself set the
; block's flag.
; CHECK-LABEL: define void @lookback(
; CHECK: wait:
; CHECK-NEXT: load volatile i32
; CHECK: call void @__cufort_cpu_yield()
; CHECK-NEXT: br label %wait
define ptx_kernel void @lookback(ptr %flags) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %own = getelementptr i32, ptr %flags, i32 %b
  %before = getelementptr i32, ptr %own, i32 -1
  %first = icmp eq i32 %t, 0
  br i1 %first, label %set, label %end
set:
  store volatile i32 1, ptr %own
  br label %wait
wait:
  %found = load volatile i32, ptr %before
  %ready = icmp ne i32 %found, 0
  br i1 %ready, label %end, label %wait
end:
  ret void
}

; A later thread sets what the first waits for.
; CHECK-LABEL: define void @later(
; CHECK: call void @__cufort_cpu_yield()
define ptx_kernel void @later(ptr %flag) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %wait, label %set
wait:
  %found = atomicrmw add ptr %flag, i32 0 monotonic
  %ready = icmp ne i32 %found, 0
  br i1 %ready, label %end, label %wait
set:
  %old = atomicrmw xchg ptr %flag, i32 1 monotonic
  br label %end
end:
  ret void
}

; With a barrier between, it has done so already.
; CHECK-LABEL: define void @earlier(
; CHECK: call void @__cufort_cpu_yield()
define ptx_kernel void @earlier(ptr %flag) {
  %old = atomicrmw xchg ptr %flag, i32 1 monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %wait
wait:
  %found = atomicrmw add ptr %flag, i32 0 monotonic
  %ready = icmp ne i32 %found, 0
  br i1 %ready, label %end, label %wait
end:
  ret void
}

; A lock, which each thread gives back.
; CHECK-LABEL: define void @lock(
; CHECK: cmpxchg
; CHECK: call void @__cufort_cpu_yield()
define ptx_kernel void @lock(ptr %lock, ptr %count) {
  br label %wait
wait:
  %both = cmpxchg ptr %lock, i32 0, i32 1 monotonic monotonic
  %taken = extractvalue { i32, i1 } %both, 1
  br i1 %taken, label %work, label %wait
work:
  %n = load volatile i32, ptr %count
  %more = add i32 %n, 1
  store volatile i32 %more, ptr %count
  %old = atomicrmw xchg ptr %lock, i32 0 monotonic
  ret void
}

; Plain accesses, with a fence; the value comes from another kernel or the host.
; CHECK-LABEL: define void @fenced(
; CHECK: call void @__cufort_cpu_yield()
define ptx_kernel void @fenced(ptr %flag) {
  br label %wait
wait:
  call void @llvm.nvvm.membar.gl()
  %found = load i32, ptr %flag
  %ready = icmp ne i32 %found, 0
  br i1 %ready, label %end, label %wait
end:
  ret void
}

; An update that retries waits for nobody, nor does a search.
; CHECK-LABEL: define void @update(
; CHECK-NOT: @__cufort_cpu_yield
; CHECK: ret void
; CHECK-NOT: cufort-fibers
; CHECK: "cufort-fibers"="a loop in which a thread may wait for a later one of its block" "cufort-kernel"="later"
; CHECK-NOT: cufort-fibers
define ptx_kernel void @update(ptr %a, ptr %table) {
  %start = load i32, ptr %a
  br label %retry
retry:
  %seen = phi i32 [ %start, %0 ], [ %now, %retry ]
  %more = mul i32 %seen, 3
  %both = cmpxchg ptr %a, i32 %seen, i32 %more monotonic monotonic
  %now = extractvalue { i32, i1 } %both, 0
  %done = extractvalue { i32, i1 } %both, 1
  br i1 %done, label %search, label %retry
search:
  %i = phi i32 [ 0, %retry ], [ %next, %search ]
  %slot = getelementptr i32, ptr %table, i32 %i
  %next = add i32 %i, 1
  %pair = cmpxchg ptr %slot, i32 0, i32 7 monotonic monotonic
  %free = extractvalue { i32, i1 } %pair, 1
  br i1 %free, label %end, label %search
end:
  ret void
}
