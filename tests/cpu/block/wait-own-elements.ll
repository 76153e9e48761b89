; Loops that wait for blocks before, as in CUB's scans and sorts.
; RUN: cufort-opt -passes=...cpu-wait-loops %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-warps %s | FileCheck %s --check-prefix=WARPS
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)

; Each of 256 threads writes and reads words of its own in rows of 256: it waits
; for other blocks alone, also in step with its warp.
; CHECK-LABEL: define void @bins(
; CHECK-SAME: [[BINS:#[0-9]+]]
; CHECK: load volatile i32, {{.*}}!cufort.other.blocks
; CHECK: call void @__cufort_cpu_yield()
; WARPS: define void @bins(
define ptx_kernel void @bins(ptr %table, ptr %out, i32 %block) "nvvm.maxntid"="256" {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl nsw i32 %block, 8
  %own = add nsw i32 %row, %t
  %at = sext i32 %own to i64
  %word = getelementptr i32, ptr %table, i64 %at
  store volatile i32 1, ptr %word
  br label %back
back:
  %from = phi i32 [ %block, %entry ], [ %before, %next ]
  %before = add nsw i32 %from, -1
  %more = icmp sgt i32 %from, 0
  br i1 %more, label %look, label %end
look:
  %rowBefore = shl nsw i32 %before, 8
  %ownBefore = add nsw i32 %rowBefore, %t
  %atBefore = sext i32 %ownBefore to i64
  %wordBefore = getelementptr i32, ptr %table, i64 %atBefore
  br label %wait
wait:
  %found = load volatile i32, ptr %wordBefore
  %absent = icmp eq i32 %found, 0
  br i1 %absent, label %wait, label %next
next:
  %partial = icmp sgt i32 %found, -1
  %lanes = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %partial)
  br i1 %partial, label %back, label %end
end:
  store volatile i32 2, ptr %word
  ret void
}

; With up to 1024 threads a word is several threads'.
; CHECK-LABEL: define void @shared_bins(
; CHECK-SAME: [[SHARED:#[0-9]+]]
; CHECK-NOT: !cufort.other.blocks
; CHECK: call void @__cufort_cpu_yield()
; WARPS-NOT: define void @shared_bins(
define ptx_kernel void @shared_bins(ptr %table, i32 %block) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl nsw i32 %block, 8
  %own = add nsw i32 %row, %t
  %word = getelementptr i32, ptr %table, i32 %own
  store volatile i32 1, ptr %word
  %before = getelementptr i32, ptr %word, i32 -256
  br label %wait
wait:
  %found = load volatile i32, ptr %before
  %absent = icmp eq i32 %found, 0
  br i1 %absent, label %wait, label %end
end:
  ret void
}

; The number of the lane says nothing of blocks of more dimensions: the first
; thread writes what its warp has waited for.
; CHECK-LABEL: define void @lanes(
; CHECK-SAME: [[LANES:#[0-9]+]]
; CHECK: call void @__cufort_cpu_yield()
; WARPS: define void @lanes(
define ptx_kernel void @lanes(ptr %flags, i32 %block) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %inFirst = icmp ult i32 %t, 32
  %flag = getelementptr i32, ptr %flags, i32 %block
  %first = icmp eq i32 %t, 0
  br i1 %inFirst, label %look, label %end
look:
  %index = sub i32 %block, %lane
  %before = getelementptr i32, ptr %flags, i32 %index
  br label %wait
wait:
  %found = load volatile i32, ptr %before
  %absent = icmp eq i32 %found, 0
  %lanes = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %absent)
  %some = icmp ne i32 %lanes, 0
  br i1 %some, label %wait, label %found.all
found.all:
  br i1 %first, label %set, label %end
set:
  store volatile i32 2, ptr %flag
  br label %end
end:
  ret void
}

; CHECK-DAG: attributes [[BINS]] = {{.*}}"cufort-entry"="block" "cufort-kernel"=
; CHECK-DAG: attributes [[SHARED]] = {{.*}}"cufort-fibers"="a loop in which a thread may wait
; CHECK-DAG: attributes [[LANES]] = {{.*}}"cufort-entry"="block" "cufort-kernel"=
