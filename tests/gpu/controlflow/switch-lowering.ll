; Short blocks for single values of one variable are executed under predicates
; by ptxas if each has its own condition; LLVM makes a switch of them.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

@tile = internal addrspace(3) global [18 x i32] undef

; CHECK-LABEL: .entry halo(
; CHECK: setp.ne.b32 [[P0:%p[0-9]+]], [[TID:%r[0-9]+]], 0;
; CHECK-NEXT: @[[P0]] bra [[L0:\$L.*]];
; CHECK-NOT: bra
; CHECK: st.shared
; CHECK: [[L0]]:
; CHECK-NOT: bra
; CHECK: setp.ne.b32 [[P1:%p[0-9]+]], [[TID]], 15;
; CHECK-NEXT: @[[P1]] bra [[L1:\$L.*]];
; CHECK-NOT: bra
; CHECK: st.shared
; CHECK: [[L1]]:
; CHECK: bar.sync
define ptx_kernel void @halo(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %isFirst = icmp eq i32 %tid, 0
  br i1 %isFirst, label %first, label %second
first:
  %left = load i32, ptr addrspace(1) %in
  store i32 %left, ptr addrspace(3) @tile
  br label %second
second:
  %isLast = icmp eq i32 %tid, 15
  br i1 %isLast, label %last, label %all
last:
  %past = getelementptr i32, ptr addrspace(1) %in, i32 17
  %right = load i32, ptr addrspace(1) %past
  store i32 %right, ptr addrspace(3) getelementptr (i32, ptr addrspace(3) @tile, i32 17)
  br label %all
all:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %from = getelementptr i32, ptr addrspace(3) @tile, i32 %tid
  %value = load i32, ptr addrspace(3) %from
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %value, ptr addrspace(1) %to
  ret void
}

; Values that differ come together condition by condition.
; CHECK-LABEL: .entry values(
; CHECK: setp.ne.b32 [[P7:%p[0-9]+]], {{%r[0-9]+}}, 7;
; CHECK: @[[P7]] bra [[L7:\$L.*]];
; CHECK: mul.lo.s32 [[V:%r[0-9]+]],
; CHECK: [[L7]]:
; CHECK: setp.ne.b32 [[P9:%p[0-9]+]], {{%r[0-9]+}}, 9;
; CHECK: @[[P9]] bra [[L9:\$L.*]];
; CHECK: xor.b32 [[V]],
; CHECK: [[L9]]:
; CHECK: st.global.b32 [{{.*}}], [[V]];
define ptx_kernel void @values(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  switch i32 %n, label %all [
    i32 7, label %seven
    i32 9, label %nine
  ]
seven:
  %past7 = getelementptr i32, ptr addrspace(1) %in, i32 7
  %loaded7 = load i32, ptr addrspace(1) %past7
  %value7 = mul i32 %loaded7, 77
  br label %all
nine:
  %past9 = getelementptr i32, ptr addrspace(1) %in, i32 9
  %loaded9 = load i32, ptr addrspace(1) %past9
  %value9 = xor i32 %loaded9, 77
  br label %all
all:
  %value = phi i32 [ %value7, %seven ], [ %value9, %nine ], [ 1, %0 ]
  store i32 %value, ptr addrspace(1) %out
  ret void
}

; What waits for other threads stays in its way.
; CHECK-LABEL: .entry barriers(
; CHECK: bra
; CHECK: bar.sync
; CHECK: bar.sync
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
  store i32 %n, ptr addrspace(1) %out
  ret void
}

; A switch that does nothing but choose values needs no branches, here without
; a way for other values than its own.
; CHECK-LABEL: .entry choice(
; CHECK-NOT: bra
; CHECK-COUNT-6: selp.b32
; CHECK-NOT: bra
; CHECK: ret;
define ptx_kernel void @choice(ptr addrspace(1) %out, i32 %x, i32 %a, i32 %b, i32 %c, i32 %d) {
  %m = and i32 %x, 3
  switch i32 %m, label %no [
    i32 0, label %zero
    i32 1, label %one
    i32 2, label %two
    i32 3, label %three
  ]
no:
  unreachable
zero:
  br label %done
one:
  br label %done
two:
  br label %done
three:
  br label %done
done:
  %v = phi i32 [ %a, %zero ], [ %b, %one ], [ %c, %two ], [ %d, %three ]
  %w = phi i32 [ %b, %zero ], [ %d, %one ], [ %a, %two ], [ %c, %three ]
  %s = add i32 %v, 7
  %t = mul i32 %w, %s
  store i32 %t, ptr addrspace(1) %out
  ret void
}

; Lanes go different ways: five ways are searched, not jumped to.
; CHECK-LABEL: .entry searched(
; CHECK-NOT: brx
; CHECK: setp
; CHECK-NOT: brx
; CHECK: ret;
define ptx_kernel void @searched(ptr addrspace(1) %out, i32 %x) {
  switch i32 %x, label %done [
    i32 0, label %zero
    i32 1, label %one
    i32 2, label %two
    i32 3, label %three
    i32 4, label %four
  ]
zero:
  store volatile i32 0, ptr addrspace(1) %out
  ret void
one:
  store volatile i32 10, ptr addrspace(1) %out
  br label %done
two:
  store volatile i32 20, ptr addrspace(1) %out
  br label %done
three:
  store volatile i32 30, ptr addrspace(1) %out
  br label %done
four:
  store volatile i32 40, ptr addrspace(1) %out
  br label %done
done:
  store volatile i32 50, ptr addrspace(1) %out
  ret void
}
