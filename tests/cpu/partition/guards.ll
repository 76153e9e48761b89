; A condition on the thread index that guards all work becomes the bounds of the
; x loop; where the integers in it wrap around, threads go one by one.
; RUN: cufort-opt -passes=...cpu-fission -cpu-no-thread-entries %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; CHECK-LABEL: define void @upper
; The index may not wrap around in the loop, and the guard is no more.
; CHECK: [[DISTANCE:%.*]] = sub nuw i32 %thread.x{{[0-9]*}}, %first
; CHECK: add nsw i32 {{.*}}, [[DISTANCE]]
; CHECK: br i1 true
; CHECK: thread.y:
; The index at the first and the last thread tells whether it wraps around.
; CHECK: [[EXACT:%.*]] = and i1
; CHECK: interval:
; CHECK: %first = phi i32
; CHECK: %end{{[0-9]*}} = select i1 {{.*}}, i32 {{.*}}, i32 {{.*}}
; CHECK: br i1 {{.*}}, label %interval.x, label %interval.next
; CHECK: interval.next:
; CHECK: br i1 {{.*}}, label %interval, label %thread.y.next
define ptx_kernel void @upper(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %k, %w
  %i = add i32 %base, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %work, label %end
work:
  %c = getelementptr i32, ptr %a, i32 %i
  store i32 1, ptr %c
  br label %end
end:
  ret void
}
; Bounds from both sides, a row, and a condition that stays.
; CHECK-LABEL: define void @several
; CHECK: br i1 [[REST:%.*]], label
; CHECK: thread.y:
; CHECK-DAG: call i64 @llvm.smax.i64
; CHECK-DAG: call i64 @llvm.smin.i64
; CHECK-DAG: select i1 {{.*}}, i64 {{.*}}, i64 0
define ptx_kernel void @several(ptr %a, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %in = icmp slt i32 %t, %n
  %from = icmp sgt i32 %t, 3
  %row = icmp slt i32 %u, %m
  %low = and i32 %t, 1
  %even = icmp eq i32 %low, 0
  %1 = and i1 %in, %from
  %2 = and i1 %1, %row
  %3 = and i1 %2, %even
  br i1 %3, label %work, label %end
work:
  %c = getelementptr i32, ptr %a, i32 %t
  store i32 1, ptr %c
  br label %end
end:
  ret void
}
; Both ways work: no guard.
; CHECK-LABEL: define void @branch
; CHECK-NOT: interval
; CHECK: ret void
define ptx_kernel void @branch(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = getelementptr i32, ptr %a, i32 %t
  %in = icmp slt i32 %t, %n
  br i1 %in, label %work, label %other
work:
  store i32 1, ptr %c
  ret void
other:
  %v = atomicrmw add ptr %c, i32 2 seq_cst
  ret void
}
