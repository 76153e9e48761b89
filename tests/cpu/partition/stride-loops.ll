; A loop in steps that are the same for all threads gets a main loop of the iterations
; that all threads make; fission puts it around the loop over threads.
; RUN: cufort-opt -passes=...cpu-stride-loops -cpu-no-thread-entries %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-prefetch -cpu-no-thread-entries %s | FileCheck %s --check-prefix=LOOPS

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()

; How far all may go: to n, from where the last thread starts; not at all where an
; index may wrap around. The loop as it was goes on from there.
; CHECK-LABEL: define void @grid
; CHECK: call { i32, i1 } @llvm.sadd.with.overflow.i32
; CHECK: %reach = select i1 %{{.*}}, i64 %{{.*}}, i64 -1
; CHECK: %i.offset = phi i32
; CHECK: %gone = phi i64
; CHECK: icmp sle i64 %gone, %reach
; CHECK: br i1 {{.*}} !cufort.stride
; CHECK: add nsw i32 %{{.*}}, %i.offset
; CHECK: icmp slt i32 %i, %n
; LOOPS-LABEL: define void @grid
; LOOPS: %sum.main.kept = getelementptr
; LOOPS: icmp sle i64 %gone
; LOOPS: br i1 {{.*}} !cufort.stride
; LOOPS: prefetch:
; LOOPS: call void @llvm.prefetch.p0(
define ptx_kernel void @grid(ptr %a, ptr %b, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %base = mul i32 %k, %width
  %first = add i32 %base, %t
  br label %head
head:
  %i = phi i32 [ %first, %entry ], [ %next, %iteration ]
  %sum = phi float [ 0.0, %entry ], [ %more, %iteration ]
  %stays = icmp slt i32 %i, %n
  br i1 %stays, label %iteration, label %done
iteration:
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %wide
  %x = load float, ptr %p
  %more = fadd float %sum, %x
  %step = mul i32 %width, %blocks
  %next = add i32 %i, %step
  br label %head
done:
  %place = sext i32 %first to i64
  %q = getelementptr float, ptr %b, i64 %place
  store float %sum, ptr %q
  ret void
}

; Downwards, and what is compared is not the index itself.
; CHECK-LABEL: define void @down
; CHECK: %reach
; CHECK: br i1 {{.*}} !cufort.stride
define ptx_kernel void @down(ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = add i32 %n, %t
  br label %head
head:
  %i = phi i32 [ %first, %entry ], [ %next, %iteration ]
  %lower = add i32 %i, -3
  %stays = icmp sge i32 %lower, 0
  br i1 %stays, label %iteration, label %done
iteration:
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %wide
  %x = load i32, ptr %p
  %y = mul i32 %x, 3
  store i32 %y, ptr %p
  %next = sub i32 %i, %width
  br label %head
done:
  ret void
}

; Threads that come to the loop apart go through it apart.
; CHECK-LABEL: define void @apart
; CHECK-NOT: !cufort.stride
; CHECK: ret void
define ptx_kernel void @apart(ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %odd = and i32 %t, 1
  %comes = icmp eq i32 %odd, 0
  br i1 %comes, label %before, label %done
before:
  br label %head
head:
  %i = phi i32 [ %t, %before ], [ %next, %iteration ]
  %stays = icmp slt i32 %i, %n
  br i1 %stays, label %iteration, label %done
iteration:
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %wide
  store i32 7, ptr %p
  %next = add i32 %i, %width
  br label %head
done:
  ret void
}

; What waits for others must not wait for all of its block.
; CHECK-LABEL: define void @waits
; CHECK-NOT: !cufort.stride
; CHECK: ret void
define ptx_kernel void @waits(ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %head
head:
  %i = phi i32 [ %t, %entry ], [ %next, %iteration ]
  %stays = icmp slt i32 %i, %n
  br i1 %stays, label %iteration, label %done
iteration:
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %wide
  %x = load volatile i32, ptr %p
  store i32 %x, ptr %p
  %next = add i32 %i, %width
  br label %head
done:
  ret void
}

; The iterations are the same for all threads, and each brings a row from memory: the
; loop is as it was, and marked.
; CHECK-LABEL: define void @rows
; CHECK-NOT: %reach
; CHECK: %stays = icmp slt i32 %k, %m
; CHECK-NEXT: br i1 %stays, label %iteration, label %done, !cufort.stride
; LOOPS-LABEL: define void @rows
; LOOPS: %sum.kept = getelementptr
; LOOPS: br i1 {{.*}} !cufort.stride
define ptx_kernel void @rows(ptr %a, ptr %b, i32 %n, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %iteration ]
  %sum = phi float [ 0.0, %entry ], [ %more, %iteration ]
  %stays = icmp slt i32 %k, %m
  br i1 %stays, label %iteration, label %done
iteration:
  %before = mul nsw i32 %k, %n
  %place = add nsw i32 %before, %t
  %wide = sext i32 %place to i64
  %p = getelementptr float, ptr %a, i64 %wide
  %x = load float, ptr %p
  %more = fadd float %sum, %x
  %next = add i32 %k, 1
  br label %head
done:
  %q = getelementptr float, ptr %b, i32 %t
  store float %sum, ptr %q
  ret void
}

; What rows of the block share is better off in strips, as are elements that lie
; close together from iteration to iteration, and what shared memory holds.
; CHECK-LABEL: define void @shares
; CHECK-NOT: !cufort.stride
; CHECK: ret void
define ptx_kernel void @shares(ptr %a, ptr %b, ptr %c, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %iteration ]
  %sum = phi float [ 0.0, %entry ], [ %more, %iteration ]
  %stays = icmp slt i32 %k, %n
  br i1 %stays, label %iteration, label %done
iteration:
  %before = mul nsw i32 %k, %n
  %place = add nsw i32 %before, %t
  %wide = sext i32 %place to i64
  %p = getelementptr float, ptr %a, i64 %wide
  %x = load float, ptr %p
  %other = add nsw i32 %before, %u
  %q = getelementptr float, ptr %b, i32 %other
  %y = load float, ptr %q
  %xy = fmul float %x, %y
  %more = fadd float %sum, %xy
  %next = add i32 %k, 1
  br label %head
done:
  %r = getelementptr float, ptr %c, i32 %t
  store float %sum, ptr %r
  ret void
}
; CHECK-LABEL: define void @window
; CHECK-NOT: !cufort.stride
; CHECK: ret void
define ptx_kernel void @window(ptr %a, ptr %b, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %iteration ]
  %sum = phi float [ 0.0, %entry ], [ %more, %iteration ]
  %stays = icmp slt i32 %k, %n
  br i1 %stays, label %iteration, label %done
iteration:
  %place = add nsw i32 %k, %t
  %wide = sext i32 %place to i64
  %p = getelementptr float, ptr %a, i64 %wide
  %x = load float, ptr %p
  %more = fadd float %sum, %x
  %next = add nsw i32 %k, 1
  br label %head
done:
  %q = getelementptr float, ptr %b, i32 %t
  store float %sum, ptr %q
  ret void
}

; Nothing is asked for that a condition may keep from being read.
; LOOPS-LABEL: define void @seldom
; LOOPS-NOT: @llvm.prefetch
; LOOPS: br i1 {{.*}} !cufort.stride
; LOOPS-NOT: @llvm.prefetch
; LOOPS: ret void
define ptx_kernel void @seldom(ptr %a, i32 %n, i32 %which) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %base = mul i32 %k, %width
  %first = add i32 %base, %t
  br label %head
head:
  %i = phi i32 [ %first, %entry ], [ %next, %latch ]
  %stays = icmp slt i32 %i, %n
  br i1 %stays, label %iteration, label %done
iteration:
  %mixed = mul i32 %i, 7
  %bits = and i32 %mixed, 127
  %asked = icmp eq i32 %bits, %which
  br i1 %asked, label %change, label %latch
change:
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %wide
  %x = load i32, ptr %p
  %y = add i32 %x, 1
  store i32 %y, ptr %p
  br label %latch
latch:
  %step = mul i32 %width, %blocks
  %next = add i32 %i, %step
  br label %head
done:
  ret void
}

; Where rows and columns are made of the index, iterations with a loop in them are apart,
; too; without divisions threads go through such loops alone.
; LOOPS-LABEL: define void @index_rows
; LOOPS: icmp sle i64 %gone
; LOOPS: }
define ptx_kernel void @index_rows(ptr noalias %a, i32 %n, i32 %width, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %step = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %head
head:
  %i = phi i32 [ %t, %entry ], [ %next, %latch ]
  %stays = icmp slt i32 %i, %n
  br i1 %stays, label %iteration, label %done
iteration:
  %row = sdiv i32 %i, %width
  br label %inner
inner:
  %k = phi i32 [ 0, %iteration ], [ %k1, %inner ]
  %place = add i32 %row, %k
  %p = getelementptr i32, ptr %a, i32 %place
  %old = load i32, ptr %p
  %k1 = add i32 %k, 1
  %again = icmp slt i32 %k1, %m
  br i1 %again, label %inner, label %latch
latch:
  %q = getelementptr i32, ptr %a, i32 %i
  store i32 %old, ptr %q
  %next = add i32 %i, %step
  br label %head
done:
  ret void
}

; LOOPS-LABEL: define void @loop_alone
; LOOPS-NOT: %gone
; LOOPS: }
define ptx_kernel void @loop_alone(ptr noalias %a, i32 %n, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %step = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %head
head:
  %i = phi i32 [ %t, %entry ], [ %next, %latch ]
  %stays = icmp slt i32 %i, %n
  br i1 %stays, label %inner, label %done
inner:
  %k = phi i32 [ 0, %head ], [ %k1, %inner ]
  %place = add i32 %i, %k
  %p = getelementptr i32, ptr %a, i32 %place
  %old = load i32, ptr %p
  %k1 = add i32 %k, 1
  %again = icmp slt i32 %k1, %m
  br i1 %again, label %inner, label %latch
latch:
  %q = getelementptr i32, ptr %a, i32 %i
  store i32 %old, ptr %q
  %next = add i32 %i, %step
  br label %head
done:
  ret void
}

; A row with atomics is no vector code: of what it reads, one thread of those that
; share a line asks for it, in the middle of the row's work.
; LOOPS-LABEL: define void @counts
; LOOPS: %[[LOW:.*]] = and i32 %thread.x{{.*}}, 15
; LOOPS: icmp eq i32 %[[LOW]], 0
; LOOPS-NOT: prefetch:
; LOOPS: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 2, i32 1)
; LOOPS: !{!"llvm.loop.unroll.count", i32 16}
@bins = internal addrspace(3) global [256 x i32] poison, align 4
define ptx_kernel void @counts(ptr noalias %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %base = mul i32 %k, %width
  %first = add i32 %base, %t
  br label %head
head:
  %i = phi i32 [ %first, %entry ], [ %next, %iteration ]
  %stays = icmp slt i32 %i, %n
  br i1 %stays, label %iteration, label %done
iteration:
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %wide
  %x = load i32, ptr %p
  %bin = and i32 %x, 255
  %q = getelementptr i32, ptr addrspace(3) @bins, i32 %bin
  %old = atomicrmw add ptr addrspace(3) %q, i32 1 seq_cst
  %step = mul i32 %width, %blocks
  %next = add i32 %i, %step
  br label %head
done:
  ret void
}
