; Of the pass gpu-loop-cleanup.
; Loops with a constant trip count are unrolled further than LLVM would.
; RUN: cufort-ptx -arch=80 %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@tile = external addrspace(3) global [0 x float], align 4

; Twelve steps in each of sixteen iterations: more than 300 instructions.
; CHECK-LABEL: .entry whole(
; CHECK-NOT: bra
; CHECK-COUNT-192: ld.shared
; CHECK-NOT: bra
; CHECK: ret;
define ptx_kernel void @whole(ptr %a) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %x0 = phi float [ 1.0, %0 ], [ %x12, %loop ]
  %row = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %p0 = getelementptr float, ptr addrspace(3) %row, i32 0
  %v0 = load float, ptr addrspace(3) %p0
  %w0 = fmul float %v0, %x0
  %x1 = fsub float %w0, 0.5
  %p1 = getelementptr float, ptr addrspace(3) %row, i32 17
  %v1 = load float, ptr addrspace(3) %p1
  %w1 = fmul float %v1, %x1
  %x2 = fsub float %w1, 1.5
  %p2 = getelementptr float, ptr addrspace(3) %row, i32 34
  %v2 = load float, ptr addrspace(3) %p2
  %w2 = fmul float %v2, %x2
  %x3 = fsub float %w2, 2.5
  %p3 = getelementptr float, ptr addrspace(3) %row, i32 51
  %v3 = load float, ptr addrspace(3) %p3
  %w3 = fmul float %v3, %x3
  %x4 = fsub float %w3, 3.5
  %p4 = getelementptr float, ptr addrspace(3) %row, i32 68
  %v4 = load float, ptr addrspace(3) %p4
  %w4 = fmul float %v4, %x4
  %x5 = fsub float %w4, 4.5
  %p5 = getelementptr float, ptr addrspace(3) %row, i32 85
  %v5 = load float, ptr addrspace(3) %p5
  %w5 = fmul float %v5, %x5
  %x6 = fsub float %w5, 5.5
  %p6 = getelementptr float, ptr addrspace(3) %row, i32 102
  %v6 = load float, ptr addrspace(3) %p6
  %w6 = fmul float %v6, %x6
  %x7 = fsub float %w6, 6.5
  %p7 = getelementptr float, ptr addrspace(3) %row, i32 119
  %v7 = load float, ptr addrspace(3) %p7
  %w7 = fmul float %v7, %x7
  %x8 = fsub float %w7, 7.5
  %p8 = getelementptr float, ptr addrspace(3) %row, i32 136
  %v8 = load float, ptr addrspace(3) %p8
  %w8 = fmul float %v8, %x8
  %x9 = fsub float %w8, 8.5
  %p9 = getelementptr float, ptr addrspace(3) %row, i32 153
  %v9 = load float, ptr addrspace(3) %p9
  %w9 = fmul float %v9, %x9
  %x10 = fsub float %w9, 9.5
  %p10 = getelementptr float, ptr addrspace(3) %row, i32 170
  %v10 = load float, ptr addrspace(3) %p10
  %w10 = fmul float %v10, %x10
  %x11 = fsub float %w10, 10.5
  %p11 = getelementptr float, ptr addrspace(3) %row, i32 187
  %v11 = load float, ptr addrspace(3) %p11
  %w11 = fmul float %v11, %x11
  %x12 = fsub float %w11, 11.5
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i.next, 16
  br i1 %c, label %loop, label %end
end:
  store float %x12, ptr %a
  ret void
}

; Of what is left over by several iterations at a time ptxas makes no more.
; CHECK-LABEL: .entry rest(
; CHECK-COUNT-2: ld.shared
; CHECK: .pragma "nounroll"
; CHECK: ld.shared
; CHECK-NOT: ld.shared
; CHECK: ret;
define ptx_kernel void @rest(ptr %a, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 1.0, %0 ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %v = load float, ptr addrspace(3) %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  store float %r, ptr %a
  ret void
}

; What the program wants otherwise stays.
; CHECK-LABEL: .entry never(
; CHECK: .pragma "nounroll"
; CHECK: bra
; CHECK: ret;
define ptx_kernel void @never(ptr %a) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 1.0, %0 ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %v = load float, ptr addrspace(3) %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i.next, 8
  br i1 %c, label %loop, label %end, !llvm.loop !0
end:
  store float %sum.next, ptr %a
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}

; A copy in steps of the grid: four iterations at a time, and a loop for up to three,
; which the assembler shall not repeat.
; CHECK-LABEL: .entry steps(
; CHECK: div.u32
; CHECK: .pragma "nounroll"
; CHECK: ld.global
; CHECK: bra
; CHECK-NOT: .pragma
; CHECK-COUNT-4: ld.global
; CHECK: bra
; CHECK-NOT: ld.global
; CHECK: ret;
define ptx_kernel void @steps(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %first, i32 %n, i32 %step) mustprogress {
  %any = icmp slt i32 %first, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %from, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %to, i32 %i
  store i32 %v, ptr addrspace(1) %q
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A fill in steps of the grid as well.
; CHECK-LABEL: .entry fill(
; CHECK: div.u32
; CHECK-COUNT-4: st.global
; CHECK: bra
; CHECK: ret;
define ptx_kernel void @fill(ptr addrspace(1) %to, i32 %first, i32 %n, i32 %step) mustprogress {
  %any = icmp slt i32 %first, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %to, i32 %i
  store i32 -1, ptr addrspace(1) %q
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; In steps of 1024 from what is known at run time only: four iterations at a time as well.
; LLVM finds the trip count too expensive, and would leave it a loop.
; CHECK-LABEL: .entry pieces(
; CHECK: max.s32
; CHECK: ld.global
; CHECK: bra
; CHECK-COUNT-4: ld.global
; CHECK: bra
; CHECK-NOT: ld.global
; CHECK: ret;
define ptx_kernel void @pieces(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %base, i32 %length, i32 %first) mustprogress {
  %end = add nsw i32 %base, %length
  %start = add nsw i32 %base, %first
  %any = icmp slt i32 %start, %end
  br i1 %any, label %loop, label %out
loop:
  %i = phi i32 [ %start, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %p = getelementptr float, ptr addrspace(1) %from, i32 %i
  %v = load float, ptr addrspace(1) %p
  %more = fadd float %sum, %v
  %next = add nsw i32 %i, 1024
  %go = icmp slt i32 %next, %end
  br i1 %go, label %loop, label %out
out:
  %r = phi float [ 0.0, %0 ], [ %more, %loop ]
  store float %r, ptr addrspace(1) %to
  ret void
}

; Too many iterations for all of them: some at a time. The assembler may repeat them
; further, so that loads overlap with what is done with those before.
; CHECK-LABEL: .entry some(
; CHECK-NOT: nounroll
; CHECK-COUNT-50: ld.global
; CHECK-NOT: ld.global
; CHECK: bra
; CHECK-NOT: nounroll
; CHECK: ret;
define ptx_kernel void @some(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %more, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %from, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %more = add i32 %sum, %v
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 5000
  br i1 %again, label %loop, label %end
end:
  store i32 %more, ptr addrspace(1) %to
  ret void
}

; An array in a kernel's parameters: where the place of an element is known, it
; is an operand.
; CHECK-LABEL: .entry parameters(
; CHECK-NOT: bra
; CHECK-COUNT-500: ld.param
; CHECK-NOT: bra
; CHECK: ret;
define ptx_kernel void @parameters(ptr addrspace(1) %to, ptr byval([500 x i32]) align 4 %from) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %more, %loop ]
  %p = getelementptr i32, ptr %from, i64 %i
  %v = load i32, ptr %p
  %more = add i32 %sum, %v
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 500
  br i1 %again, label %loop, label %end
end:
  store i32 %more, ptr addrspace(1) %to
  ret void
}

; The branch at a loop's end goes back where its condition holds: only then does the
; assembler see how many iterations there are. LLVM would iteration it round for the equality.
; CHECK-LABEL: .entry back(
; CHECK: ld.global
; CHECK-COUNT-4: ld.global
; CHECK: setp.ne.b32 [[MORE:%p[0-9]+]]
; CHECK-NEXT: mov
; CHECK-NEXT: @[[MORE]] bra
; CHECK-NOT: bra.uni
; CHECK: ret;
define ptx_kernel void @back(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %thread, i32 %n, i32 %step) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %row = mul nsw i32 %i, %step
  %place = add nsw i32 %row, %thread
  %p = getelementptr float, ptr addrspace(1) %from, i32 %place
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  store float %r, ptr addrspace(1) %to
  ret void
}

; Threads that wait for each other do so one after the other: the code is there once.
; CHECK-LABEL: .entry locks(
; CHECK: cas
; CHECK-NOT: cas
; CHECK: ret;
define ptx_kernel void @locks(ptr addrspace(1) %lock, ptr addrspace(1) %sum, i32 %lane) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %next ]
  %mine = icmp eq i32 %i, %lane
  br i1 %mine, label %wait, label %next
wait:
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 monotonic monotonic
  %free = extractvalue { i32, i1 } %pair, 1
  br i1 %free, label %alone, label %wait
alone:
  %v = load volatile i32, ptr addrspace(1) %sum
  %w = add i32 %v, 1
  store volatile i32 %w, ptr addrspace(1) %sum
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 0 monotonic
  br label %next
next:
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i.next, 32
  br i1 %c, label %loop, label %end
end:
  ret void
}

; Iterations that are counted when the loop starts: four at a time, and a loop for up
; to three. LLVM would repeat them twice.
; CHECK-LABEL: .entry counted(
; CHECK-COUNT-24: ld.global
; CHECK: bra
; CHECK-NOT: div
; CHECK: ret;
define ptx_kernel void @counted(ptr %to, ptr %from, i32 %n) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %x0 = phi i32 [ 1, %0 ], [ %x6, %loop ]
  %row = getelementptr inbounds i32, ptr %from, i32 %i
  %p0 = getelementptr inbounds i8, ptr %row, i32 0
  %v0 = load i32, ptr %p0
  %w0 = mul i32 %v0, %x0
  %x1 = xor i32 %w0, 3
  %p1 = getelementptr inbounds i8, ptr %row, i32 40
  %v1 = load i32, ptr %p1
  %w1 = mul i32 %v1, %x1
  %x2 = xor i32 %w1, 4
  %p2 = getelementptr inbounds i8, ptr %row, i32 80
  %v2 = load i32, ptr %p2
  %w2 = mul i32 %v2, %x2
  %x3 = xor i32 %w2, 5
  %p3 = getelementptr inbounds i8, ptr %row, i32 120
  %v3 = load i32, ptr %p3
  %w3 = mul i32 %v3, %x3
  %x4 = xor i32 %w3, 6
  %p4 = getelementptr inbounds i8, ptr %row, i32 160
  %v4 = load i32, ptr %p4
  %w4 = mul i32 %v4, %x4
  %x5 = xor i32 %w4, 7
  %p5 = getelementptr inbounds i8, ptr %row, i32 200
  %v5 = load i32, ptr %p5
  %w5 = mul i32 %v5, %x5
  %x6 = xor i32 %w5, 8
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 0, %0 ], [ %x6, %loop ]
  store i32 %r, ptr %to
  ret void
}

; Not where an iteration writes what the next one may load.
; CHECK-LABEL: .entry chained(
; CHECK-COUNT-18: ld.global
; CHECK-NOT: ld.global
; CHECK: ret;
define ptx_kernel void @chained(ptr %to, ptr %from, i32 %n) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %x0 = phi i32 [ 1, %0 ], [ %x6, %loop ]
  %row = getelementptr inbounds i32, ptr %from, i32 %i
  %p0 = getelementptr inbounds i8, ptr %row, i32 0
  %v0 = load i32, ptr %p0
  %w0 = mul i32 %v0, %x0
  %x1 = xor i32 %w0, 3
  %p1 = getelementptr inbounds i8, ptr %row, i32 40
  %v1 = load i32, ptr %p1
  %w1 = mul i32 %v1, %x1
  %x2 = xor i32 %w1, 4
  %p2 = getelementptr inbounds i8, ptr %row, i32 80
  %v2 = load i32, ptr %p2
  %w2 = mul i32 %v2, %x2
  %x3 = xor i32 %w2, 5
  %p3 = getelementptr inbounds i8, ptr %row, i32 120
  %v3 = load i32, ptr %p3
  %w3 = mul i32 %v3, %x3
  %x4 = xor i32 %w3, 6
  %p4 = getelementptr inbounds i8, ptr %row, i32 160
  %v4 = load i32, ptr %p4
  %w4 = mul i32 %v4, %x4
  %x5 = xor i32 %w4, 7
  %p5 = getelementptr inbounds i8, ptr %row, i32 200
  %v5 = load i32, ptr %p5
  %w5 = mul i32 %v5, %x5
  %x6 = xor i32 %w5, 8
  store i32 %x6, ptr %row
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 0, %0 ], [ %x6, %loop ]
  store i32 %r, ptr %to
  ret void
}

; An array of the thread which is no register.
; CHECK-LABEL: .entry array(
; CHECK: bra
; CHECK-COUNT-15: ld.local
; CHECK-NOT: ld.local
; CHECK: ret;
define ptx_kernel void @array(ptr %to, i8 %byte, i32 %n) {
  %from = alloca [320 x i32], align 4
  call void @llvm.memset.p0.i64(ptr %from, i8 %byte, i64 1280, i1 false)
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %x0 = phi i32 [ 1, %0 ], [ %x6, %loop ]
  %row = getelementptr inbounds i32, ptr %from, i32 %i
  %p0 = getelementptr inbounds i8, ptr %row, i32 0
  %v0 = load i32, ptr %p0
  %w0 = mul i32 %v0, %x0
  %x1 = xor i32 %w0, 3
  %p1 = getelementptr inbounds i8, ptr %row, i32 40
  %v1 = load i32, ptr %p1
  %w1 = mul i32 %v1, %x1
  %x2 = xor i32 %w1, 4
  %p2 = getelementptr inbounds i8, ptr %row, i32 80
  %v2 = load i32, ptr %p2
  %w2 = mul i32 %v2, %x2
  %x3 = xor i32 %w2, 5
  %p3 = getelementptr inbounds i8, ptr %row, i32 120
  %v3 = load i32, ptr %p3
  %w3 = mul i32 %v3, %x3
  %x4 = xor i32 %w3, 6
  %p4 = getelementptr inbounds i8, ptr %row, i32 160
  %v4 = load i32, ptr %p4
  %w4 = mul i32 %v4, %x4
  %x5 = xor i32 %w4, 7
  %p5 = getelementptr inbounds i8, ptr %row, i32 200
  %v5 = load i32, ptr %p5
  %w5 = mul i32 %v5, %x5
  %x6 = xor i32 %w5, 8
  store i32 %x6, ptr %row
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 0, %0 ], [ %x6, %loop ]
  store i32 %r, ptr %to
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; What an iteration writes elsewhere does not matter.
; CHECK-LABEL: .entry elsewhere(
; CHECK-COUNT-24: ld.global
; CHECK: bra
; CHECK: ret;
define ptx_kernel void @elsewhere(ptr noalias %to, ptr noalias %from, i32 %n) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %x0 = phi i32 [ 1, %0 ], [ %x6, %loop ]
  %row = getelementptr inbounds i32, ptr %from, i32 %i
  %p0 = getelementptr inbounds i8, ptr %row, i32 0
  %v0 = load i32, ptr %p0
  %w0 = mul i32 %v0, %x0
  %x1 = xor i32 %w0, 3
  %p1 = getelementptr inbounds i8, ptr %row, i32 40
  %v1 = load i32, ptr %p1
  %w1 = mul i32 %v1, %x1
  %x2 = xor i32 %w1, 4
  %p2 = getelementptr inbounds i8, ptr %row, i32 80
  %v2 = load i32, ptr %p2
  %w2 = mul i32 %v2, %x2
  %x3 = xor i32 %w2, 5
  %p3 = getelementptr inbounds i8, ptr %row, i32 120
  %v3 = load i32, ptr %p3
  %w3 = mul i32 %v3, %x3
  %x4 = xor i32 %w3, 6
  %p4 = getelementptr inbounds i8, ptr %row, i32 160
  %v4 = load i32, ptr %p4
  %w4 = mul i32 %v4, %x4
  %x5 = xor i32 %w4, 7
  %p5 = getelementptr inbounds i8, ptr %row, i32 200
  %v5 = load i32, ptr %p5
  %w5 = mul i32 %v5, %x5
  %x6 = xor i32 %w5, 8
  %place = getelementptr inbounds i32, ptr %to, i32 %i
  store i32 %x6, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 0, %0 ], [ %x6, %loop ]
  store i32 %r, ptr %to
  ret void
}

; A loop that begins again and again leaves over three iterations at most.
; CHECK-LABEL: .entry within(
; CHECK-COUNT-5: ld.global
; CHECK-NOT: ld.global
; CHECK: ret;
define ptx_kernel void @within(ptr %to, ptr noalias %from, i32 %n, i32 %m) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %rows, label %end
rows:
  %j = phi i32 [ 0, %0 ], [ %j.next, %row.end ]
  %start = phi float [ 0.0, %0 ], [ %max, %row.end ]
  %first = mul i32 %j, %m
  %row = getelementptr float, ptr %from, i32 %first
  br label %loop
loop:
  %i = phi i32 [ 0, %rows ], [ %next, %loop ]
  %x = phi float [ %start, %rows ], [ %max, %loop ]
  %p = getelementptr float, ptr %row, i32 %i
  %v = load float, ptr %p
  %max = call float @llvm.maxnum.f32(float %x, float %v)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %row.end
row.end:
  %j.next = add nuw nsw i32 %j, 1
  %others = icmp slt i32 %j.next, %m
  br i1 %others, label %rows, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %max, %row.end ]
  store float %r, ptr %to
  ret void
}
declare float @llvm.maxnum.f32(float, float)

; LLVM finds this trip count one instruction too expensive.
; CHECK-LABEL: .entry block_steps(
; CHECK-COUNT-5: ld.global
; CHECK: ret;
define ptx_kernel void @block_steps(ptr addrspace(1) noalias %result, ptr addrspace(1) noalias readonly %data, i32 %n) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp slt i32 %thread, %n
  br i1 %any, label %loop, label %out
loop:
  %i = phi i32 [ %thread, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %wide = zext nneg i32 %i to i64
  %element = getelementptr inbounds float, ptr addrspace(1) %data, i64 %wide
  %value = load float, ptr addrspace(1) %element
  %more = fadd float %sum, %value
  %next = add nuw nsw i32 %i, 256
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %out
out:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  store float %all, ptr addrspace(1) %result
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()


; Four iterations at a time of a loop over shared memory that computes square roots:
; ptxas has branches for them and repeats it not.
; CHECK-LABEL: .entry roots(
; CHECK-COUNT-5: sqrt.rn.f32
; CHECK-NOT: sqrt.rn.f32
; CHECK: ret;
@points = external addrspace(3) global [0 x float], align 4
define ptx_kernel void @roots(ptr addrspace(1) %to, float %x, float %y, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %least = phi float [ %x, %0 ], [ %lower, %loop ]
  %p = getelementptr float, ptr addrspace(3) @points, i32 %i
  %q = getelementptr float, ptr addrspace(3) %p, i32 256
  %a = load float, ptr addrspace(3) %p
  %b = load float, ptr addrspace(3) %q
  %c = fsub float %a, %x
  %d = fsub float %b, %y
  %e = fmul contract float %c, %c
  %f = fmul contract float %d, %d
  %g = fadd contract float %e, %f
  %h = call float @llvm.nvvm.sqrt.rn.f(float %g)
  %j = fmul float %a, %y
  %k = fadd float %h, %j
  %l = fmul float %k, %b
  %m = fadd float %l, %x
  %o = fmul float %m, %a
  %r = fadd float %o, %y
  %isLower = fcmp olt float %r, %least
  %lower = select i1 %isLower, float %r, float %least
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store float %lower, ptr addrspace(1) %to
  ret void
}
declare float @llvm.nvvm.sqrt.rn.f(float)

; All iterations of a loop that divides and loads from shared memory only are there up to
; LLVM's own limit; else some at a time.
; CHECK-LABEL: .entry divided(
; CHECK-COUNT-48: ld.shared
; CHECK-NOT: ld.shared
; CHECK: bra
; CHECK: ret;
define ptx_kernel void @divided(ptr addrspace(1) %to, float %y) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %x0 = phi float [ 1.0, %0 ], [ %x6, %loop ]
  %row = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %p0 = getelementptr float, ptr addrspace(3) %row, i32 0
  %v0 = load float, ptr addrspace(3) %p0
  %w0 = fdiv float %v0, %x0
  %x1 = fsub float %w0, %y
  %p1 = getelementptr float, ptr addrspace(3) %row, i32 17
  %v1 = load float, ptr addrspace(3) %p1
  %w1 = fmul float %v1, %x1
  %x2 = fsub float %w1, 1.5
  %p2 = getelementptr float, ptr addrspace(3) %row, i32 34
  %v2 = load float, ptr addrspace(3) %p2
  %w2 = fmul float %v2, %x2
  %x3 = fsub float %w2, 2.5
  %p3 = getelementptr float, ptr addrspace(3) %row, i32 51
  %v3 = load float, ptr addrspace(3) %p3
  %w3 = fmul float %v3, %x3
  %x4 = fsub float %w3, 3.5
  %p4 = getelementptr float, ptr addrspace(3) %row, i32 68
  %v4 = load float, ptr addrspace(3) %p4
  %w4 = fmul float %v4, %x4
  %x5 = fsub float %w4, 4.5
  %p5 = getelementptr float, ptr addrspace(3) %row, i32 85
  %v5 = load float, ptr addrspace(3) %p5
  %w5 = fmul float %v5, %x5
  %x6 = fsub float %w5, 5.5
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i.next, 16
  br i1 %c, label %loop, label %end
end:
  store float %x6, ptr addrspace(1) %to
  ret void
}

; Unless the number of the iteration decides something.
; CHECK-LABEL: .entry decided(
; CHECK-NOT: bra
; CHECK-COUNT-96: ld.shared
; CHECK-NOT: bra
; CHECK: ret;
define ptx_kernel void @decided(ptr addrspace(1) %to, float %y) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %x0 = phi float [ 1.0, %0 ], [ %x6, %loop ]
  %row = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %late = icmp ugt i32 %i, 9
  %s = select i1 %late, float %y, float 2.0
  %z = fadd float %x0, %s
  %p0 = getelementptr float, ptr addrspace(3) %row, i32 0
  %v0 = load float, ptr addrspace(3) %p0
  %w0 = fdiv float %v0, %z
  %x1 = fsub float %w0, %y
  %p1 = getelementptr float, ptr addrspace(3) %row, i32 17
  %v1 = load float, ptr addrspace(3) %p1
  %w1 = fmul float %v1, %x1
  %x2 = fsub float %w1, 1.5
  %p2 = getelementptr float, ptr addrspace(3) %row, i32 34
  %v2 = load float, ptr addrspace(3) %p2
  %w2 = fmul float %v2, %x2
  %x3 = fsub float %w2, 2.5
  %p3 = getelementptr float, ptr addrspace(3) %row, i32 51
  %v3 = load float, ptr addrspace(3) %p3
  %w3 = fmul float %v3, %x3
  %x4 = fsub float %w3, 3.5
  %p4 = getelementptr float, ptr addrspace(3) %row, i32 68
  %v4 = load float, ptr addrspace(3) %p4
  %w4 = fmul float %v4, %x4
  %x5 = fsub float %w4, 4.5
  %p5 = getelementptr float, ptr addrspace(3) %row, i32 85
  %v5 = load float, ptr addrspace(3) %p5
  %w5 = fmul float %v5, %x5
  %x6 = fsub float %w5, 5.5
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i.next, 16
  br i1 %c, label %loop, label %end
end:
  store float %x6, ptr addrspace(1) %to
  ret void
}

; What is compared with the number of the iteration is known to the thread only.
; CHECK-LABEL: .entry undecided(
; CHECK-COUNT-24: ld.shared
; CHECK-NOT: ld.shared
; CHECK: bra
; CHECK: ret;
define ptx_kernel void @undecided(ptr addrspace(1) %to, float %y) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %x0 = phi float [ 1.0, %0 ], [ %x6, %loop ]
  %row = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %late = icmp ugt i32 %i, %thread
  %s = select i1 %late, float %y, float 2.0
  %z = fadd float %x0, %s
  %p0 = getelementptr float, ptr addrspace(3) %row, i32 0
  %v0 = load float, ptr addrspace(3) %p0
  %w0 = fdiv float %v0, %z
  %x1 = fsub float %w0, %y
  %p1 = getelementptr float, ptr addrspace(3) %row, i32 17
  %v1 = load float, ptr addrspace(3) %p1
  %w1 = fmul float %v1, %x1
  %x2 = fsub float %w1, 1.5
  %p2 = getelementptr float, ptr addrspace(3) %row, i32 34
  %v2 = load float, ptr addrspace(3) %p2
  %w2 = fmul float %v2, %x2
  %x3 = fsub float %w2, 2.5
  %p3 = getelementptr float, ptr addrspace(3) %row, i32 51
  %v3 = load float, ptr addrspace(3) %p3
  %w3 = fmul float %v3, %x3
  %x4 = fsub float %w3, 3.5
  %p4 = getelementptr float, ptr addrspace(3) %row, i32 68
  %v4 = load float, ptr addrspace(3) %p4
  %w4 = fmul float %v4, %x4
  %x5 = fsub float %w4, 4.5
  %p5 = getelementptr float, ptr addrspace(3) %row, i32 85
  %v5 = load float, ptr addrspace(3) %p5
  %w5 = fmul float %v5, %x5
  %x6 = fsub float %w5, 5.5
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i.next, 16
  br i1 %c, label %loop, label %end
end:
  store float %x6, ptr addrspace(1) %to
  ret void
}

; What only some iterations store keeps no loop from doing four iterations at a time, though
; the next one may load it.
; CHECK-LABEL: .entry nearest(
; CHECK-COUNT-4: ld.global.b32
; CHECK: bra
; CHECK: ret;
define ptx_kernel void @nearest(ptr %from, ptr %to, i32 %n, i32 %limit) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %next ]
  %p = getelementptr i32, ptr %from, i32 %i
  %v = load i32, ptr %p
  %near = icmp slt i32 %v, %limit
  br i1 %near, label %found, label %next
found:
  %d = udiv i32 %v, 7
  %q = getelementptr i32, ptr %to, i32 %d
  store i32 %i, ptr %q
  br label %next
next:
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; Over a row of a sparse matrix in steps of a warp: few iterations, which ptxas repeats.
; CHECK-LABEL: .entry row(
; CHECK-COUNT-4: ld.global.nc.b32
; CHECK-NOT: ld.global
; CHECK: st.global
; CHECK: ret;
define ptx_kernel void @row(ptr noalias %to, ptr noalias readonly %from, ptr noalias readonly %columns, ptr noalias readonly %rows) mustprogress {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = load i32, ptr %rows
  %q = getelementptr i32, ptr %rows, i32 1
  %n = load i32, ptr %q
  %first = add i32 %start, %lane
  %some = icmp slt i32 %first, %n
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %c = getelementptr i32, ptr %columns, i32 %i
  %column = load i32, ptr %c
  %w = sext i32 %column to i64
  %p = getelementptr float, ptr %from, i64 %w
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %i.next = add nsw i32 %i, 32
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  store float %r, ptr %to
  ret void
}

; A loop that has at most four iterations, and leaves earlier in some threads, is four
; iterations, and its array of the thread registers.
; CHECK-LABEL: .entry few(
; CHECK-NOT: local
; CHECK-COUNT-4: ld.global
define ptx_kernel void @few(ptr noalias %to, ptr noalias readonly %from, ptr noalias readonly %wanted) {
  %array = alloca [4 x i32]
  %w0 = load i32, ptr %wanted
  %n = and i32 %w0, 3
  %iterations = add nuw nsw i32 %n, 1
  br label %fill
fill:
  %f = phi i32 [ 0, %0 ], [ %f.next, %fill ]
  %pf = getelementptr i32, ptr %array, i32 %f
  %square = mul i32 %f, %f
  store i32 %square, ptr %pf
  %f.next = add nuw nsw i32 %f, 1
  %f.more = icmp ne i32 %f.next, 4
  br i1 %f.more, label %fill, label %loop
loop:
  %i = phi i32 [ 0, %fill ], [ %i.next, %back ]
  %p = getelementptr i32, ptr %from, i32 %i
  %v = load volatile i32, ptr %p
  %q = getelementptr i32, ptr %array, i32 %i
  %w = load i32, ptr %q
  %same = icmp eq i32 %v, %w
  br i1 %same, label %back, label %end
back:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, %iterations
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 0, %loop ], [ 1, %back ]
  store i32 %r, ptr %to
  ret void
}

; What moves values on, as a generator of random numbers does, is repeated:
; nothing is moved then. A sum alone LLVM repeats as it likes.
; CHECK-LABEL: .entry generator(
; CHECK-COUNT-8: shr.u32
; CHECK: bra
; CHECK: ret;
define ptx_kernel void @generator(ptr addrspace(1) %to, i32 %a, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %v = phi i32 [ %a, %0 ], [ %w, %loop ]
  %w = phi i32 [ 2, %0 ], [ %x, %loop ]
  %x = phi i32 [ 3, %0 ], [ %y, %loop ]
  %y = phi i32 [ 4, %0 ], [ %new, %loop ]
  %v2 = lshr i32 %v, 2
  %t = xor i32 %v, %v2
  %t1 = shl i32 %t, 1
  %y4 = shl i32 %y, 4
  %y5 = lshr i32 %y, 27
  %y6 = mul i32 %y, %y5
  %s1 = xor i32 %t, %t1
  %s2 = xor i32 %y, %y4
  %s3 = xor i32 %s1, %y6
  %new = xor i32 %s3, %s2
  %f = uitofp i32 %new to float
  %g = fmul float %f, %f
  %h = fadd float %g, 1.0
  %k = fmul float %h, %f
  %l = fadd float %k, %g
  %o = fmul float %l, %h
  %q0 = fadd float %o, %g
  %q1 = fmul float %q0, %f
  %q2 = fadd float %q1, %f
  %q3 = fmul float %q2, %g
  %q4 = fadd float %q3, %f
  %q5 = fmul float %q4, %f
  %q6 = fadd float %q5, %g
  %q7 = fmul float %q6, %f
  %q8 = fadd float %q7, %f
  %q9 = fmul float %q8, %g
  %q10 = fadd float %q9, %f
  %q11 = fmul float %q10, %f
  %q12 = fadd float %q11, %g
  %q13 = fmul float %q12, %f
  %sum.next = fadd float %sum, %q13
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %all = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  store float %all, ptr addrspace(1) %to
  ret void
}
