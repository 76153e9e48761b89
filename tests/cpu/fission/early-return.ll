; A thread that returns before a barrier is marked and then goes, for the
; analyses, where the others go.
; RUN: cufort-opt -passes=...cpu-intrinsics,cpu-entry,cpu-barriers,cpu-early-return %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare void @llvm.nvvm.bar.warp.sync(i32)
@tile = internal addrspace(3) global [256 x float] poison, align 4

; CHECK-LABEL: define void @kernel
; CHECK: br i1 %{{.*}}, label %[[LEAVE:[a-z.]*leave[0-9]*]], label %[[STAY:stay[0-9]*]]
; CHECK: [[STAY]]:
; CHECK: call i32 @cufort.barrier(i32 0)
; CHECK: [[LEAVE]]:
; CHECK-NEXT: store i32 7
; CHECK-NEXT: call void @cufort.thread.exit()
; CHECK-NEXT: br label %[[STAY]]
define ptx_kernel void @kernel(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %out = icmp sge i32 %t, %n
  br i1 %out, label %leave, label %go
leave:
  store i32 7, ptr %a
  ret void
go:
  store i32 1, ptr %a
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 2, ptr %a
  ret void
}
; A uniform return stays what it is.
; CHECK-LABEL: define void @uniform
; CHECK-NOT: call void @cufort.thread.exit
; CHECK: ret void
; CHECK: }
define ptx_kernel void @uniform(ptr %a, i32 %n) {
  %out = icmp sge i32 %n, 5
  br i1 %out, label %leave, label %go
leave:
  ret void
go:
  store i32 1, ptr %a
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 2, ptr %a
  ret void
}
; The impossible case of a divergent switch is no way out.
; CHECK-LABEL: define void @impossible
; CHECK-NOT: call void @cufort.thread.exit
; CHECK-NOT: unreachable
; CHECK: }
define ptx_kernel void @impossible(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = and i32 %t, 1
  switch i32 %c, label %never [ i32 0, label %one
                                i32 1, label %two ]
never:
  unreachable
one:
  store i32 1, ptr %a
  br label %join
two:
  store i32 2, ptr %a
  br label %join
join:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 3, ptr %a
  ret void
}

; Switches of all kinds whose impossible cases stand before barriers, also in a
; loop and one behind the other: the pass comes to an end, and no such case is
; left before the last barrier.
; CHECK-LABEL: define void @switches
; CHECK-NOT: unreachable
; CHECK: }
define ptx_kernel void @switches(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  %mine = and i32 %t, 3
  switch i32 %mine, label %never [ i32 0, label %one
                                   i32 1, label %two
                                   i32 2, label %other ]
other:
  %ours = and i32 %n, 3
  switch i32 %ours, label %never [ i32 0, label %one
                                   i32 1, label %two ]
one:
  store i32 1, ptr %a
  br label %meet
two:
  %again = and i32 %t, 7
  switch i32 %again, label %never [ i32 1, label %meet
                                    i32 5, label %meet ]
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %latch
latch:
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %head, label %last
last:
  store i32 2, ptr %a
  ret void
never:
  unreachable
}
; The same with threads that return, some after they have parted for other
; reasons, in every case of a switch.
; CHECK-LABEL: define void @returning
; CHECK: call void @cufort.thread.exit
; CHECK: }
define ptx_kernel void @returning(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = and i32 %t, 7
  switch i32 %mine, label %never [ i32 0, label %one
                                   i32 1, label %two
                                   i32 2, label %out
                                   i32 3, label %meet ]
one:
  switch i32 %n, label %out [ i32 0, label %meet
                              i32 1, label %never ]
two:
  %again = lshr i32 %t, 3
  switch i32 %again, label %never [ i32 0, label %out
                                    i32 1, label %meet
                                    i32 2, label %one ]
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 2, ptr %a
  br label %out
out:
  ret void
never:
  unreachable
}
