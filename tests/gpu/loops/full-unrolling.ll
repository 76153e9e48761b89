; Loops with a constant trip count are unrolled further than LLVM would: its pass,
; which comes next, is asked to do it. Of the pass gpu-full-unrolling.
; PTX shows that it comes before LLVM's.
; RUN: cufort-opt -passes=gpu-full-unrolling %s | FileCheck %s
; RUN: cufort-opt -passes=gpu-full-unrolling %s | opt -passes='loop(loop-unroll-full),sroa,simplifycfg' -S | FileCheck %s --check-prefix=LLVM
; RUN: cufort-ptx -arch=80 %s | FileCheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"
@tile = external addrspace(3) global [0 x float], align 4

; Twelve steps in each of sixteen iterations: more than 300 instructions.
; CHECK-LABEL: define ptx_kernel void @whole(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond, label %loop, label %end, !llvm.loop [[WHOLE:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; PTX-LABEL: .entry whole(
; PTX-NOT: bra
; PTX-COUNT-192: ld.shared
; PTX-NOT: bra
; PTX: ret;
; LLVM-LABEL: define ptx_kernel void @whole(
; LLVM-NOT: {{= load|br i1}}
; LLVM: {{^}}loop:
; LLVM-COUNT-192: = load
; LLVM-NOT: {{= load|br i1}}
; LLVM: ret void
define ptx_kernel void @whole(ptr %a) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %x0 = phi float [ 1.000000e+00, %0 ], [ %x12, %loop ]
  %1 = zext nneg i32 %i to i64
  %row = getelementptr float, ptr addrspace(3) @tile, i64 %1
  %v0 = load float, ptr addrspace(3) %row, align 4
  %w0 = fmul float %x0, %v0
  %x1 = fadd float %w0, -5.000000e-01
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
  %p6 = getelementptr i8, ptr addrspace(3) %row, i64 408
  %v6 = load float, ptr addrspace(3) %p6, align 4
  %w6 = fmul float %v6, %x6
  %x7 = fadd float %w6, -6.500000e+00
  %p7 = getelementptr i8, ptr addrspace(3) %row, i64 476
  %v7 = load float, ptr addrspace(3) %p7, align 4
  %w7 = fmul float %v7, %x7
  %x8 = fadd float %w7, -7.500000e+00
  %p8 = getelementptr i8, ptr addrspace(3) %row, i64 544
  %v8 = load float, ptr addrspace(3) %p8, align 4
  %w8 = fmul float %v8, %x8
  %x9 = fadd float %w8, -8.500000e+00
  %p9 = getelementptr i8, ptr addrspace(3) %row, i64 612
  %v9 = load float, ptr addrspace(3) %p9, align 4
  %w9 = fmul float %v9, %x9
  %x10 = fadd float %w9, -9.500000e+00
  %p10 = getelementptr i8, ptr addrspace(3) %row, i64 680
  %v10 = load float, ptr addrspace(3) %p10, align 4
  %w10 = fmul float %v10, %x10
  %x11 = fadd float %w10, -1.050000e+01
  %p11 = getelementptr i8, ptr addrspace(3) %row, i64 748
  %v11 = load float, ptr addrspace(3) %p11, align 4
  %w11 = fmul float %v11, %x11
  %x12 = fadd float %w11, -1.150000e+01
  %i.next = add nuw nsw i32 %i, 1
  %exitcond = icmp ne i32 %i.next, 16
  br i1 %exitcond, label %loop, label %end
end:
  %x12.lcssa = phi float [ %x12, %loop ]
  store float %x12.lcssa, ptr %a, align 4
  ret void
}

; What the program wants otherwise stays.
; CHECK-LABEL: define ptx_kernel void @never(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond, label %loop, label %end, !llvm.loop [[NEVER:![0-9]+]]
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
  %exitcond = icmp ne i32 %i.next, 8
  br i1 %exitcond, label %loop, label %end, !llvm.loop !0
end:
  %sum.next.lcssa = phi float [ %sum.next, %loop ]
  store float %sum.next.lcssa, ptr %a, align 4
  ret void
}

; Too many iterations for all of them.
; CHECK-LABEL: define ptx_kernel void @some(
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @some(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM: = load
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
  %exitcond = icmp ne i32 %next, 5000
  br i1 %exitcond, label %loop, label %end
end:
  %more.lcssa = phi i32 [ %more, %loop ]
  store i32 %more.lcssa, ptr addrspace(1) %to, align 4
  ret void
}

; An array in a kernel's parameters: where the place of an element is known, it
; is an operand.
; CHECK-LABEL: define ptx_kernel void @parameters(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond, label %loop, label %end, !llvm.loop [[PARAMETERS:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; PTX-LABEL: .entry parameters(
; PTX-NOT: bra
; PTX-COUNT-500: ld.param
; PTX-NOT: bra
; PTX: ret;
; LLVM-LABEL: define ptx_kernel void @parameters(
; LLVM-NOT: {{= load|br i1}}
; LLVM: {{^}}loop:
; LLVM-COUNT-500: = load
; LLVM-NOT: {{= load|br i1}}
; LLVM: ret void
define ptx_kernel void @parameters(ptr addrspace(1) %to, ptr readonly byval([500 x i32]) align 4 %from) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %more, %loop ]
  %p = getelementptr i32, ptr %from, i64 %i
  %v = load i32, ptr %p, align 4
  %more = add i32 %v, %sum
  %next = add nuw nsw i64 %i, 1
  %exitcond = icmp ne i64 %next, 500
  br i1 %exitcond, label %loop, label %end
end:
  %more.lcssa = phi i32 [ %more, %loop ]
  store i32 %more.lcssa, ptr addrspace(1) %to, align 4
  ret void
}

; Threads that wait for each other do so one after the other: the code is there once.
; CHECK-LABEL: define ptx_kernel void @locks(
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
  %exitcond = icmp ne i32 %i.next, 32
  br i1 %exitcond, label %loop, label %end
end:
  ret void
}

; All iterations of a loop that divides and loads from shared memory only are there up to
; LLVM's own limit.
; CHECK-LABEL: define ptx_kernel void @divided(
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @divided(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-6: = load
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
  %exitcond = icmp ne i32 %i.next, 16
  br i1 %exitcond, label %loop, label %end
end:
  %x6.lcssa = phi float [ %x6, %loop ]
  store float %x6.lcssa, ptr addrspace(1) %to, align 4
  ret void
}

; Unless the number of the iteration decides something.
; CHECK-LABEL: define ptx_kernel void @decided(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond, label %loop, label %end, !llvm.loop [[DECIDED:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @decided(
; LLVM-NOT: {{= load|br i1}}
; LLVM: {{^}}loop:
; LLVM-COUNT-96: = load
; LLVM-NOT: {{= load|br i1}}
; LLVM: ret void
define ptx_kernel void @decided(ptr addrspace(1) %to, float %y) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %x0 = phi float [ 1.000000e+00, %0 ], [ %x6, %loop ]
  %1 = zext nneg i32 %i to i64
  %row = getelementptr float, ptr addrspace(3) @tile, i64 %1
  %late = icmp samesign ugt i32 %i, 9
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
  %exitcond = icmp ne i32 %i.next, 16
  br i1 %exitcond, label %loop, label %end
end:
  %x6.lcssa = phi float [ %x6, %loop ]
  store float %x6.lcssa, ptr addrspace(1) %to, align 4
  ret void
}

; What is compared with the number of the iteration is known to the thread only.
; CHECK-LABEL: define ptx_kernel void @undecided(
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @undecided(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-6: = load
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
  %exitcond = icmp ne i32 %i.next, 16
  br i1 %exitcond, label %loop, label %end
end:
  %x6.lcssa = phi float [ %x6, %loop ]
  store float %x6.lcssa, ptr addrspace(1) %to, align 4
  ret void
}

; A loop that has at most four iterations, and leaves earlier in some threads, is four
; iterations, and its array of the thread registers.
; CHECK-LABEL: define ptx_kernel void @few(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %f.more.not, label %loop.preheader, label %fill, !llvm.loop [[FEW:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[FEW2:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @few(
; LLVM-NOT: alloca
; LLVM-NOT: = load volatile
; LLVM: {{^}}fill:
; LLVM: = load volatile
; LLVM-NOT: = load volatile
; LLVM: {{^}}loop.1:
; LLVM: = load volatile
; LLVM-NOT: = load volatile
; LLVM: {{^}}loop.2:
; LLVM: = load volatile
; LLVM-NOT: = load volatile
; LLVM: {{^}}loop.3:
; LLVM: = load volatile
; LLVM-NOT: = load volatile
; LLVM: ret void
define ptx_kernel void @few(ptr noalias %to, ptr noalias readonly %from, ptr noalias readonly %wanted) {
  %array = alloca [4 x i32], align 16
  %w0 = load i32, ptr %wanted, align 4
  br label %fill
fill:
  %f = phi i32 [ 0, %0 ], [ %f.next, %fill ]
  %1 = zext nneg i32 %f to i64
  %pf = getelementptr i32, ptr %array, i64 %1
  %square = mul i32 %f, %f
  store i32 %square, ptr %pf, align 4
  %f.next = add nuw nsw i32 %f, 1
  %f.more.not = icmp eq i32 %f.next, 4
  br i1 %f.more.not, label %loop.preheader, label %fill
loop.preheader:
  %n = and i32 %w0, 3
  br label %loop
loop:
  %i = phi i32 [ %i.next, %back ], [ 0, %loop.preheader ]
  %2 = zext nneg i32 %i to i64
  %p = getelementptr i32, ptr %from, i64 %2
  %v = load volatile i32, ptr %p, align 4
  %q = getelementptr i32, ptr %array, i64 %2
  %w = load i32, ptr %q, align 4
  %same = icmp eq i32 %v, %w
  br i1 %same, label %back, label %end
back:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp samesign ult i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 0, %loop ], [ 1, %back ]
  store i32 %r, ptr %to, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"cufort.unroll.user", i32 0}

; CHECK-DAG: [[WHOLE]] = distinct !{[[WHOLE]], [[FULL:![0-9]+]], {{.*}}}
; CHECK-DAG: [[FULL]] = !{!"llvm.loop.unroll.full", i32 0}
; CHECK-DAG: [[NEVER]] = distinct !{[[NEVER]], [[DISABLEUSER:![0-9]+]], {{.*}}}
; CHECK-DAG: [[DISABLEUSER]] = !{!"llvm.loop.unroll.disable"}
; CHECK-DAG: [[PARAMETERS]] = distinct !{[[PARAMETERS]], [[FULL]], {{.*}}}
; CHECK-DAG: [[DECIDED]] = distinct !{[[DECIDED]], [[FULL]], {{.*}}}
; CHECK-DAG: [[FEW]] = distinct !{[[FEW]], [[FULL]], {{.*}}}
; CHECK-DAG: [[FEW2]] = distinct !{[[FEW2]], [[ENABLE:![0-9]+]], {{.*}}}
; CHECK-DAG: [[ENABLE]] = !{!"llvm.loop.unroll.enable", i32 0}
