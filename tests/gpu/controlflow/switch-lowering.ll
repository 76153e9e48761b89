; Short blocks for single values of one variable are executed under predicates
; by ptxas if each has its own condition; LLVM makes a switch of them. Of the pass
; gpu-branches.
; RUN: cufort-opt -passes=gpu-branches %s | FileCheck %s
; RUN: cufort-ptx %s | FileCheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

@tile = internal addrspace(3) global [18 x i32] undef

; CHECK-LABEL: define ptx_kernel void @halo(
; CHECK: [[IS0:%[0-9]+]] = icmp eq i32 %tid, 0
; CHECK-NEXT: br i1 [[IS0]], label %first, label %[[SECOND:[0-9]+]]
; CHECK: first:
; CHECK: store i32 %left, ptr addrspace(3) @tile
; CHECK-NEXT: br label %[[SECOND]]
; CHECK: [[SECOND]]:
; CHECK-NEXT: [[IS15:%[0-9]+]] = icmp eq i32 %tid, 15
; CHECK-NEXT: br i1 [[IS15]], label %last, label %all
; CHECK: last:
; CHECK: store i32 %right
; CHECK-NEXT: br label %all
; CHECK: all:
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: br
; CHECK: ret void
define ptx_kernel void @halo(ptr addrspace(1) readonly %in, ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %tid, label %all [
    i32 0, label %first
    i32 15, label %last
  ]
first:
  %left = load i32, ptr addrspace(1) %in, align 4
  store i32 %left, ptr addrspace(3) @tile, align 16
  br label %all
last:
  %past = getelementptr i8, ptr addrspace(1) %in, i64 68
  %right = load i32, ptr addrspace(1) %past, align 4
  store i32 %right, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @tile, i64 68), align 4
  br label %all
all:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %1 = zext nneg i32 %tid to i64
  %from = getelementptr i32, ptr addrspace(3) @tile, i64 %1
  %value = load i32, ptr addrspace(3) %from, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %1
  store i32 %value, ptr addrspace(1) %to, align 4
  ret void
}

; Values that differ come together condition by condition.
; CHECK-LABEL: define ptx_kernel void @values(
; CHECK: [[IS7:%[0-9]+]] = icmp eq i32 %n, 7
; CHECK-NEXT: br i1 [[IS7]], label %seven, label %[[SECOND:[0-9]+]]
; CHECK: seven:
; CHECK: %value7 = mul i32 %loaded7, 77
; CHECK-NEXT: br label %[[SECOND]]
; CHECK: [[SECOND]]:
; CHECK-NEXT: [[V:%[0-9]+]] = phi i32 [ 1, %0 ], [ %value7, %seven ]
; CHECK-NEXT: [[IS9:%[0-9]+]] = icmp eq i32 %n, 9
; CHECK-NEXT: br i1 [[IS9]], label %nine, label %all
; CHECK: nine:
; CHECK: %value9 = xor i32 %loaded9, 77
; CHECK-NEXT: br label %all
; CHECK: all:
; CHECK-NEXT: %value = phi i32 [ %value9, %nine ], [ [[V]], %[[SECOND]] ]
; CHECK-NEXT: store i32 %value, ptr addrspace(1) %out
define ptx_kernel void @values(ptr addrspace(1) readonly %in, ptr addrspace(1) %out, i32 %n) {
  switch i32 %n, label %all [
    i32 7, label %seven
    i32 9, label %nine
  ]
seven:
  %past7 = getelementptr i8, ptr addrspace(1) %in, i64 28
  %loaded7 = load i32, ptr addrspace(1) %past7, align 4
  %value7 = mul i32 %loaded7, 77
  br label %all
nine:
  %past9 = getelementptr i8, ptr addrspace(1) %in, i64 36
  %loaded9 = load i32, ptr addrspace(1) %past9, align 4
  %value9 = xor i32 %loaded9, 77
  br label %all
all:
  %value = phi i32 [ %value7, %seven ], [ %value9, %nine ], [ 1, %0 ]
  store i32 %value, ptr addrspace(1) %out, align 4
  ret void
}

; What waits for other threads stays in its way.
; CHECK-LABEL: define ptx_kernel void @barriers(
; CHECK-NEXT: switch i32 %n, label %all [
; CHECK-NEXT: i32 7, label %seven
; CHECK-NEXT: i32 9, label %nine
; CHECK: seven:
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
; CHECK-NEXT: br label %all
; CHECK: nine:
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 2)
; CHECK-NEXT: br label %all
define ptx_kernel void @barriers(ptr addrspace(1) %out, i32 %n) {
  switch i32 %n, label %all [
    i32 7, label %seven
    i32 9, label %nine
  ]
seven:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
  br label %all
nine:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 2)
  br label %all
all:
  store i32 %n, ptr addrspace(1) %out, align 4
  ret void
}

; A switch that does nothing but choose values needs no branches, here without
; a way for other values than its own.
; CHECK-LABEL: define ptx_kernel void @choice(
; CHECK-NOT: {{br i1|switch}}
; CHECK-DAG: [[IS0:%[0-9]+]] = icmp eq i32 %m, 0
; CHECK-DAG: [[IS1:%[0-9]+]] = icmp eq i32 %m, 1
; CHECK-DAG: [[IS2:%[0-9]+]] = icmp eq i32 %m, 2
; CHECK: [[V0:%[0-9]+]] = select i1 [[IS0]], i32 %a, i32 %d
; CHECK-NEXT: [[V1:%[0-9]+]] = select i1 [[IS1]], i32 %b, i32 [[V0]]
; CHECK-NEXT: [[V2:%[0-9]+]] = select i1 [[IS2]], i32 %c, i32 [[V1]]
; CHECK-NEXT: [[W0:%[0-9]+]] = select i1 [[IS0]], i32 %b, i32 %c
; CHECK-NEXT: [[W1:%[0-9]+]] = select i1 [[IS1]], i32 %d, i32 [[W0]]
; CHECK-NEXT: [[W2:%[0-9]+]] = select i1 [[IS2]], i32 %a, i32 [[W1]]
; CHECK-NOT: {{br i1|switch}}
; CHECK: %v = phi i32 [ [[V2]], %0 ]
; CHECK-NEXT: %w = phi i32 [ [[W2]], %0 ]
; CHECK-NOT: {{br i1|switch}}
; CHECK: ret void
define ptx_kernel void @choice(ptr addrspace(1) %out, i32 %x, i32 %a, i32 %b, i32 %c, i32 %d) {
  %m = and i32 %x, 3
  switch i32 %m, label %default.unreachable1 [
    i32 0, label %done
    i32 1, label %one
    i32 2, label %two
    i32 3, label %three
  ]
default.unreachable1:
  unreachable
one:
  br label %done
two:
  br label %done
three:
  br label %done
done:
  %v = phi i32 [ %d, %three ], [ %b, %one ], [ %c, %two ], [ %a, %0 ]
  %w = phi i32 [ %c, %three ], [ %d, %one ], [ %a, %two ], [ %b, %0 ]
  %s = add i32 %v, 7
  %t = mul i32 %w, %s
  store i32 %t, ptr addrspace(1) %out, align 4
  ret void
}

; Lanes go different ways: five ways are searched, not jumped to. The code
; generator does so where it may make no tables.
; CHECK-LABEL: define ptx_kernel void @searched(
; CHECK-SAME: [[SEARCHED:#[0-9]+]] {
; CHECK-NEXT: switch i32 %x, label %done [
; CHECK: attributes [[SEARCHED]] = { "no-jump-tables"="true" }
; PTX-LABEL: .entry searched(
; PTX-NOT: brx
; PTX: setp
; PTX-NOT: brx
; PTX: ret;
define ptx_kernel void @searched(ptr addrspace(1) %out, i32 %x) {
  switch i32 %x, label %done [
    i32 0, label %zero
    i32 1, label %one
    i32 2, label %two
    i32 3, label %three
    i32 4, label %four
  ]
common.ret:
  ret void
zero:
  store volatile i32 0, ptr addrspace(1) %out, align 4
  br label %common.ret
one:
  store volatile i32 10, ptr addrspace(1) %out, align 4
  br label %done
two:
  store volatile i32 20, ptr addrspace(1) %out, align 4
  br label %done
three:
  store volatile i32 30, ptr addrspace(1) %out, align 4
  br label %done
four:
  store volatile i32 40, ptr addrspace(1) %out, align 4
  br label %done
done:
  store volatile i32 50, ptr addrspace(1) %out, align 4
  br label %common.ret
}
