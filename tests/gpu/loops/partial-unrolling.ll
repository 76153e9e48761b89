; Loops are unrolled in part: LLVM's pass, which comes late, is asked for as many
; iterations at a time. Of the pass gpu-partial-unrolling.
; RUN: cufort-opt -passes=gpu-partial-unrolling %s | FileCheck %s
; RUN: cufort-opt -passes=gpu-partial-unrolling %s | opt -passes='loop-unroll<O3>' -S | FileCheck %s --check-prefix=LLVM
target triple = "nvptx64-nvidia-cuda"
@tile = external addrspace(3) global [0 x float], align 4

; Short loops over shared memory are left to LLVM.
; CHECK-LABEL: define ptx_kernel void @rest(
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @rest(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-8: = load
; LLVM-NOT: = load
; LLVM: {{^}}loop.epil:
; LLVM: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @rest(ptr %a, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop.preheader, label %end
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %i.next, %loop ], [ 0, %loop.preheader ]
  %sum = phi float [ %sum.next, %loop ], [ 1.000000e+00, %loop.preheader ]
  %1 = zext nneg i32 %i to i64
  %p = getelementptr float, ptr addrspace(3) @tile, i64 %1
  %v = load float, ptr addrspace(3) %p, align 4
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %i.next, %n
  br i1 %exitcond.not, label %end.loopexit, label %loop
end.loopexit:
  br label %end
end:
  %r = phi float [ 0.000000e+00, %0 ], [ %sum.next, %end.loopexit ]
  store float %r, ptr %a, align 4
  ret void
}

; What the program wants otherwise stays.
; CHECK-LABEL: define ptx_kernel void @never(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond.not, label %end, label %loop, !llvm.loop [[NEVER:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @never(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @never(ptr %a) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 1.000000e+00, %0 ], [ %sum.next, %loop ]
  %1 = zext nneg i32 %i to i64
  %p = getelementptr float, ptr addrspace(3) @tile, i64 %1
  %v = load float, ptr addrspace(3) %p, align 4
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %i.next, 8
  br i1 %exitcond.not, label %end, label %loop, !llvm.loop !0
end:
  store float %sum.next, ptr %a, align 4
  ret void
}

; Too many iterations for all of them: some at a time.
; CHECK-LABEL: define ptx_kernel void @some(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond.not, label %end, label %loop, !llvm.loop [[SOME:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @some(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-50: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @some(ptr addrspace(1) %to, ptr addrspace(1) readonly %from) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %more, %loop ]
  %1 = zext nneg i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %from, i64 %1
  %v = load i32, ptr addrspace(1) %p, align 4
  %more = add i32 %v, %sum
  %next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %next, 5000
  br i1 %exitcond.not, label %end, label %loop
end:
  store i32 %more, ptr addrspace(1) %to, align 4
  ret void
}

; So are those over global memory that do not begin again and again.
; CHECK-LABEL: define ptx_kernel void @back(
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @back(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-8: = load
; LLVM-NOT: = load
; LLVM: {{^}}loop.epil:
; LLVM: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @back(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %thread, i32 %n, i32 %step) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop.preheader, label %end
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %i.next, %loop ], [ 0, %loop.preheader ]
  %sum = phi float [ %sum.next, %loop ], [ 0.000000e+00, %loop.preheader ]
  %row = mul nsw i32 %i, %step
  %place = add nsw i32 %row, %thread
  %1 = sext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %from, i64 %1
  %v = load float, ptr addrspace(1) %p, align 4
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %i.next, %n
  br i1 %exitcond.not, label %end.loopexit, label %loop
end.loopexit:
  br label %end
end:
  %r = phi float [ 0.000000e+00, %0 ], [ %sum.next, %end.loopexit ]
  store float %r, ptr addrspace(1) %to, align 4
  ret void
}

; Threads that wait for each other do so one after the other: the code is there once.
; CHECK-LABEL: define ptx_kernel void @locks(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond.not, label %end, label %loop, !llvm.loop [[LOCKS:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @locks(
; LLVM-NOT: = cmpxchg
; LLVM: {{^}}wait:
; LLVM: = cmpxchg
; LLVM-NOT: = cmpxchg
; LLVM: ret void
define ptx_kernel void @locks(ptr addrspace(1) %lock, ptr addrspace(1) %sum, i32 %lane) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %next ]
  %mine = icmp eq i32 %i, %lane
  br i1 %mine, label %wait.preheader, label %next
wait.preheader:
  br label %wait
wait:
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 monotonic monotonic, align 4
  %free = extractvalue { i32, i1 } %pair, 1
  br i1 %free, label %alone, label %wait
alone:
  %v = load volatile i32, ptr addrspace(1) %sum, align 4
  %w = add i32 %v, 1
  store volatile i32 %w, ptr addrspace(1) %sum, align 4
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 0 monotonic, align 4
  br label %next
next:
  %i.next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %i.next, 32
  br i1 %exitcond.not, label %end, label %loop
end:
  ret void
}

; A loop that begins again and again leaves over three iterations at most.
; CHECK-LABEL: define ptx_kernel void @within(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond.not, label %row.end, label %loop, !llvm.loop [[WITHIN:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @within(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-4: = load
; LLVM-NOT: = load
; LLVM: {{^}}loop.epil:
; LLVM: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @within(ptr %to, ptr noalias readonly %from, i32 %n, i32 %m) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %rows.preheader, label %end
rows.preheader:
  %smax = call i32 @llvm.smax.i32(i32 %m, i32 1)
  br label %rows
rows:
  %j = phi i32 [ %j.next, %row.end ], [ 0, %rows.preheader ]
  %start = phi float [ %max, %row.end ], [ 0.000000e+00, %rows.preheader ]
  %first = mul i32 %j, %m
  %1 = sext i32 %first to i64
  %row = getelementptr float, ptr %from, i64 %1
  br label %loop
loop:
  %i = phi i32 [ 0, %rows ], [ %next, %loop ]
  %x = phi float [ %start, %rows ], [ %max, %loop ]
  %2 = zext nneg i32 %i to i64
  %p = getelementptr float, ptr %row, i64 %2
  %v = load float, ptr %p, align 4
  %max = call float @llvm.maxnum.f32(float %x, float %v)
  %next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %next, %n
  br i1 %exitcond.not, label %row.end, label %loop
row.end:
  %j.next = add nuw nsw i32 %j, 1
  %exitcond1.not = icmp eq i32 %j.next, %smax
  br i1 %exitcond1.not, label %end.loopexit, label %rows
end.loopexit:
  br label %end
end:
  %r = phi float [ 0.000000e+00, %0 ], [ %max, %end.loopexit ]
  store float %r, ptr %to, align 4
  ret void
}

; What only some iterations store keeps no loop from doing four iterations at a time, though
; the next one may load it.
; CHECK-LABEL: define ptx_kernel void @nearest(
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @nearest(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM: = load
; LLVM-NOT: = load
; LLVM: {{^}}next:
; LLVM: = load
; LLVM-NOT: = load
; LLVM: {{^}}next.1:
; LLVM: = load
; LLVM-NOT: = load
; LLVM: {{^}}next.2:
; LLVM: = load
; LLVM-NOT: = load
; LLVM: {{^}}loop.epil:
; LLVM: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @nearest(ptr readonly %from, ptr %to, i32 %n, i32 %limit) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop.preheader, label %end
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %i.next, %next ], [ 0, %loop.preheader ]
  %1 = zext nneg i32 %i to i64
  %p = getelementptr i32, ptr %from, i64 %1
  %v = load i32, ptr %p, align 4
  %near = icmp slt i32 %v, %limit
  br i1 %near, label %found, label %next
found:
  %d = udiv i32 %v, 7
  %2 = zext nneg i32 %d to i64
  %q = getelementptr i32, ptr %to, i64 %2
  store i32 %i, ptr %q, align 4
  br label %next
next:
  %i.next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %i.next, %n
  br i1 %exitcond.not, label %end.loopexit, label %loop
end.loopexit:
  br label %end
end:
  ret void
}

; Nor a long one, which LLVM would leave a loop.
; CHECK-LABEL: define ptx_kernel void @rarely(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond.not, label %end.loopexit, label %loop, !llvm.loop [[RARELY:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @rarely(
; LLVM-COUNT-5: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @rarely(ptr readonly %from, ptr %to, i32 %n, i32 %limit) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop.preheader, label %end
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %i.next, %next ], [ 0, %loop.preheader ]
  %1 = zext nneg i32 %i to i64
  %p = getelementptr i32, ptr %from, i64 %1
  %v = load i32, ptr %p, align 4
  %x0 = xor i32 %v, 3
  %x1 = mul i32 %x0, 4
  %x2 = xor i32 %x1, 5
  %x3 = mul i32 %x2, 6
  %x4 = xor i32 %x3, 7
  %x5 = mul i32 %x4, 8
  %x6 = xor i32 %x5, 9
  %x7 = mul i32 %x6, 10
  %x8 = xor i32 %x7, 11
  %x9 = mul i32 %x8, 12
  %x10 = xor i32 %x9, 13
  %x11 = mul i32 %x10, 14
  %x12 = xor i32 %x11, 15
  %x13 = mul i32 %x12, 16
  %x14 = xor i32 %x13, 17
  %x15 = mul i32 %x14, 18
  %x16 = xor i32 %x15, 19
  %x17 = mul i32 %x16, 20
  %x18 = xor i32 %x17, 21
  %x19 = mul i32 %x18, 22
  %x20 = xor i32 %x19, 23
  %x21 = mul i32 %x20, 24
  %x22 = xor i32 %x21, 25
  %x23 = mul i32 %x22, 26
  %x24 = xor i32 %x23, 27
  %x25 = mul i32 %x24, 28
  %x26 = xor i32 %x25, 29
  %x27 = mul i32 %x26, 30
  %x28 = xor i32 %x27, 31
  %x29 = mul i32 %x28, 32
  %x30 = xor i32 %x29, 33
  %x31 = mul i32 %x30, 34
  %x32 = xor i32 %x31, 35
  %x33 = mul i32 %x32, 36
  %x34 = xor i32 %x33, 37
  %x35 = mul i32 %x34, 38
  %x36 = xor i32 %x35, 39
  %x37 = mul i32 %x36, 40
  %x38 = xor i32 %x37, 41
  %x39 = mul i32 %x38, 42
  %x40 = xor i32 %x39, 43
  %x41 = mul i32 %x40, 44
  %x42 = xor i32 %x41, 45
  %x43 = mul i32 %x42, 46
  %x44 = xor i32 %x43, 47
  %x45 = mul i32 %x44, 48
  %x46 = xor i32 %x45, 49
  %x47 = mul i32 %x46, 50
  %near = icmp slt i32 %x47, %limit
  br i1 %near, label %found, label %next
found:
  %d = udiv i32 %v, 7
  %2 = zext nneg i32 %d to i64
  %q = getelementptr i32, ptr %to, i64 %2
  store i32 %i, ptr %q, align 4
  br label %next
next:
  %i.next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %i.next, %n
  br i1 %exitcond.not, label %end.loopexit, label %loop
end.loopexit:
  br label %end
end:
  ret void
}

; Of a loop that divides and loads from shared memory only, eight of sixteen.
; CHECK-LABEL: define ptx_kernel void @divided(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond.not, label %end, label %loop, !llvm.loop [[DIVIDED:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @divided(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-48: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @divided(ptr addrspace(1) %to, float %y) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %x0 = phi float [ 1.000000e+00, %0 ], [ %x6, %loop ]
  %1 = zext nneg i32 %i to i64
  %row = getelementptr float, ptr addrspace(3) @tile, i64 %1
  %v0 = load float, ptr addrspace(3) %row, align 4
  %w0 = fdiv float %v0, %x0
  %x1 = fsub float %w0, %y
  %p1 = getelementptr i8, ptr addrspace(3) %row, i64 68
  %v1 = load float, ptr addrspace(3) %p1, align 4
  %w1 = fmul float %v1, %x1
  %x2 = fadd float %w1, -1.500000e+00
  %p2 = getelementptr i8, ptr addrspace(3) %row, i64 136
  %v2 = load float, ptr addrspace(3) %p2, align 4
  %w2 = fmul float %v2, %x2
  %x3 = fadd float %w2, -2.500000e+00
  %p3 = getelementptr i8, ptr addrspace(3) %row, i64 204
  %v3 = load float, ptr addrspace(3) %p3, align 4
  %w3 = fmul float %v3, %x3
  %x4 = fadd float %w3, -3.500000e+00
  %p4 = getelementptr i8, ptr addrspace(3) %row, i64 272
  %v4 = load float, ptr addrspace(3) %p4, align 4
  %w4 = fmul float %v4, %x4
  %x5 = fadd float %w4, -4.500000e+00
  %p5 = getelementptr i8, ptr addrspace(3) %row, i64 340
  %v5 = load float, ptr addrspace(3) %p5, align 4
  %w5 = fmul float %v5, %x5
  %x6 = fadd float %w5, -5.500000e+00
  %i.next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %i.next, 16
  br i1 %exitcond.not, label %end, label %loop
end:
  store float %x6, ptr addrspace(1) %to, align 4
  ret void
}

; What is compared with the number of the iteration is known to the thread only.
; CHECK-LABEL: define ptx_kernel void @undecided(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond.not, label %end, label %loop, !llvm.loop [[UNDECIDED:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @undecided(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-24: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @undecided(ptr addrspace(1) %to, float %y) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %x0 = phi float [ 1.000000e+00, %0 ], [ %x6, %loop ]
  %1 = zext nneg i32 %i to i64
  %row = getelementptr float, ptr addrspace(3) @tile, i64 %1
  %late = icmp samesign ugt i32 %i, %thread
  %s = select i1 %late, float %y, float 2.000000e+00
  %z = fadd float %x0, %s
  %v0 = load float, ptr addrspace(3) %row, align 4
  %w0 = fdiv float %v0, %z
  %x1 = fsub float %w0, %y
  %p1 = getelementptr i8, ptr addrspace(3) %row, i64 68
  %v1 = load float, ptr addrspace(3) %p1, align 4
  %w1 = fmul float %v1, %x1
  %x2 = fadd float %w1, -1.500000e+00
  %p2 = getelementptr i8, ptr addrspace(3) %row, i64 136
  %v2 = load float, ptr addrspace(3) %p2, align 4
  %w2 = fmul float %v2, %x2
  %x3 = fadd float %w2, -2.500000e+00
  %p3 = getelementptr i8, ptr addrspace(3) %row, i64 204
  %v3 = load float, ptr addrspace(3) %p3, align 4
  %w3 = fmul float %v3, %x3
  %x4 = fadd float %w3, -3.500000e+00
  %p4 = getelementptr i8, ptr addrspace(3) %row, i64 272
  %v4 = load float, ptr addrspace(3) %p4, align 4
  %w4 = fmul float %v4, %x4
  %x5 = fadd float %w4, -4.500000e+00
  %p5 = getelementptr i8, ptr addrspace(3) %row, i64 340
  %v5 = load float, ptr addrspace(3) %p5, align 4
  %w5 = fmul float %v5, %x5
  %x6 = fadd float %w5, -5.500000e+00
  %i.next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %i.next, 16
  br i1 %exitcond.not, label %end, label %loop
end:
  store float %x6, ptr addrspace(1) %to, align 4
  ret void
}

declare float @llvm.maxnum.f32(float, float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"cufort.unroll.user", i32 0}

; CHECK-DAG: [[NEVER]] = distinct !{[[NEVER]], [[DISABLEUSER:![0-9]+]], {{.*}}}
; CHECK-DAG: [[DISABLEUSER]] = !{!"llvm.loop.unroll.disable"}
; CHECK-DAG: [[SOME]] = distinct !{[[SOME]], [[COUNT50:![0-9]+]], {{.*}}}
; CHECK-DAG: [[COUNT50]] = !{!"llvm.loop.unroll.count", i32 50}
; CHECK-DAG: [[LOCKS]] = distinct !{[[LOCKS]], [[DISABLE:![0-9]+]]}
; CHECK-DAG: [[DISABLE]] = !{!"llvm.loop.unroll.disable", i32 1}
; CHECK-DAG: [[WITHIN]] = distinct !{[[WITHIN]], [[COUNT4:![0-9]+]], {{.*}}}
; CHECK-DAG: [[COUNT4]] = !{!"llvm.loop.unroll.count", i32 4}
; CHECK-DAG: [[RARELY]] = distinct !{[[RARELY]], [[COUNT4]], {{.*}}}
; CHECK-DAG: [[DIVIDED]] = distinct !{[[DIVIDED]], [[COUNT8:![0-9]+]], {{.*}}}
; CHECK-DAG: [[COUNT8]] = !{!"llvm.loop.unroll.count", i32 8}
; CHECK-DAG: [[UNDECIDED]] = distinct !{[[UNDECIDED]], [[COUNT4]], {{.*}}}
