; A tree reduction: the loop around the barrier stays scalar, the threads loop
; inside; nothing needs the arena since everything follows from the index.
; RUN: cufort-opt -passes=...cpu-fission -cpu-no-thread-entries %s | FileCheck %s

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

; CHECK-LABEL: define void @reduce
; CHECK-NOT: alloca
; CHECK-NOT: phase:
; The counter is one scalar.
; CHECK: [[STEP:%.*]] = phi i32 [ 128, %{{.*}} ], [ [[HALF:%.*]], %{{.*}} ]
; CHECK: [[MORE:%.*]] = icmp
; CHECK: br i1 [[MORE]]
; CHECK-DAG: [[HALF]] = lshr i32 [[STEP]], 1
; CHECK: ret void
; CHECK: }
define ptx_kernel void @reduce(ptr %a) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = getelementptr float, ptr %a, i32 %t
  %v = load float, ptr %c
  %own = getelementptr [256 x float], ptr addrspace(3) @tile, i32 0, i32 %t
  store float %v, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %head
head:
  %step = phi i32 [ 128, %entry ], [ %half, %next ]
  %more = icmp sgt i32 %step, 0
  br i1 %more, label %body, label %end
body:
  %in = icmp slt i32 %t, %step
  br i1 %in, label %add, label %next
add:
  %o = add i32 %t, %step
  %other = getelementptr [256 x float], ptr addrspace(3) @tile, i32 0, i32 %o
  %x = load float, ptr addrspace(3) %own
  %y = load float, ptr addrspace(3) %other
  %z = fadd float %x, %y
  store float %z, ptr addrspace(3) %own
  br label %next
next:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %half = lshr i32 %step, 1
  br label %head
end:
  ret void
}
; A value that is loaded before a barrier and used after it is kept.
; CHECK-LABEL: define void @keep
; CHECK: %v.kept = getelementptr inbounds i8, ptr %arena
; CHECK: store float %v, ptr
; CHECK: region{{.*}}begin{{.*}}:
; CHECK: load float, ptr
; CHECK: ret void
define ptx_kernel void @keep(ptr %a, ptr %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = getelementptr float, ptr %a, i32 %t
  %v = load float, ptr %c
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d = getelementptr float, ptr %b, i32 %t
  store float %v, ptr %d
  ret void
}
; Of an address that is made of a number of its own that number is kept.
; CHECK-LABEL: define void @place(
; CHECK: %i.kept = getelementptr inbounds i8, ptr %arena
; CHECK: %i = load i32, ptr
; CHECK: [[SLOT:%.*]] = getelementptr inbounds i32, ptr %i.kept
; CHECK: store i32 %i, ptr [[SLOT]]
; CHECK-NOT: store ptr
; CHECK: [[AGAIN:%i[0-9]+]] = load i32, ptr
; CHECK: zext i32 [[AGAIN]] to i64
; CHECK: %q{{[0-9]*}} = getelementptr {{.*}}, ptr %places
; CHECK-NOT: load ptr
; CHECK: ret void
@places = internal addrspace(3) global [64 x float] undef, align 4
define ptx_kernel void @place(ptr %a, ptr %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %a, i32 %t
  %i = load i32, ptr %p
  %at = zext i32 %i to i64
  %q = getelementptr float, ptr addrspace(3) @places, i64 %at
  store float 1.0, ptr addrspace(3) %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load float, ptr addrspace(3) %q
  %r = getelementptr float, ptr %b, i32 %t
  store float %x, ptr %r
  ret void
}
; Threads that have returned are skipped and, if none is left, the block ends.
; CHECK-LABEL: define void @early
; CHECK-DAG: %living = alloca i32
; CHECK-DAG: call void @llvm.memset.p0.i64(ptr align 64 {{.*}}, i8 1
; CHECK: finished:
; CHECK-NEXT: ret void
; CHECK: br i1 {{.*}}, label %finished, label %living
define ptx_kernel void @early(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %out = icmp sge i32 %t, %n
  br i1 %out, label %leave, label %go
leave:
  ret void
go:
  %c = getelementptr i32, ptr %a, i32 %t
  store i32 1, ptr %c
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 2, ptr %c
  ret void
}
; CHECK-DAG: "cufort-arena"="4" {{.*}}"cufort-kernel"="keep"
; CHECK-DAG: "cufort-arena"="1" {{.*}}"cufort-kernel"="early"
