; Loops whose trip count is known when they start are unrolled in part: LLVM's pass,
; which comes late, is asked for it. Of the pass gpu-partial-unrolling.
; RUN: cufort-opt -passes=gpu-partial-unrolling %s | FileCheck %s
; RUN: cufort-opt -passes=gpu-partial-unrolling %s | opt -passes='loop-unroll<O3>' -S | FileCheck %s --check-prefix=LLVM
target triple = "nvptx64-nvidia-cuda"
@points = external addrspace(3) global [0 x float], align 4

; Iterations that are counted when the loop starts: four at a time, and a loop for up
; to three. LLVM would repeat them twice.
; CHECK-LABEL: define ptx_kernel void @counted(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond.not, label %end.loopexit, label %loop, !llvm.loop [[COUNTED:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @counted(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-24: = load
; LLVM-NOT: = load
; LLVM: {{^}}loop.epil:
; LLVM-COUNT-6: = load
; LLVM-NOT: {{= load|div}}
; LLVM: ret void
define ptx_kernel void @counted(ptr %to, ptr readonly %from, i32 %n) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop.preheader, label %end
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ 0, %loop.preheader ]
  %x0 = phi i32 [ %x6, %loop ], [ 1, %loop.preheader ]
  %1 = zext nneg i32 %i to i64
  %row = getelementptr inbounds nuw i32, ptr %from, i64 %1
  %v0 = load i32, ptr %row, align 4
  %w0 = mul i32 %v0, %x0
  %x1 = xor i32 %w0, 3
  %p1 = getelementptr inbounds nuw i8, ptr %row, i64 40
  %v1 = load i32, ptr %p1, align 4
  %w1 = mul i32 %x1, %v1
  %x2 = xor i32 %w1, 4
  %p2 = getelementptr inbounds nuw i8, ptr %row, i64 80
  %v2 = load i32, ptr %p2, align 4
  %w2 = mul i32 %x2, %v2
  %x3 = xor i32 %w2, 5
  %p3 = getelementptr inbounds nuw i8, ptr %row, i64 120
  %v3 = load i32, ptr %p3, align 4
  %w3 = mul i32 %x3, %v3
  %x4 = xor i32 %w3, 6
  %p4 = getelementptr inbounds nuw i8, ptr %row, i64 160
  %v4 = load i32, ptr %p4, align 4
  %w4 = mul i32 %x4, %v4
  %x5 = xor i32 %w4, 7
  %p5 = getelementptr inbounds nuw i8, ptr %row, i64 200
  %v5 = load i32, ptr %p5, align 4
  %w5 = mul i32 %x5, %v5
  %x6 = xor i32 %w5, 8
  %next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %next, %n
  br i1 %exitcond.not, label %end.loopexit, label %loop
end.loopexit:
  br label %end
end:
  %r = phi i32 [ 0, %0 ], [ %x6, %end.loopexit ]
  store i32 %r, ptr %to, align 4
  ret void
}

; Not where an iteration writes what the next one may load.
; CHECK-LABEL: define ptx_kernel void @chained(
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @chained(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-12: = load
; LLVM-NOT: = load
; LLVM: {{^}}loop.epil:
; LLVM-COUNT-6: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @chained(ptr %to, ptr %from, i32 %n) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop.preheader, label %end
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ 0, %loop.preheader ]
  %x0 = phi i32 [ %x6, %loop ], [ 1, %loop.preheader ]
  %1 = zext nneg i32 %i to i64
  %row = getelementptr inbounds nuw i32, ptr %from, i64 %1
  %v0 = load i32, ptr %row, align 4
  %w0 = mul i32 %v0, %x0
  %x1 = xor i32 %w0, 3
  %p1 = getelementptr inbounds nuw i8, ptr %row, i64 40
  %v1 = load i32, ptr %p1, align 4
  %w1 = mul i32 %x1, %v1
  %x2 = xor i32 %w1, 4
  %p2 = getelementptr inbounds nuw i8, ptr %row, i64 80
  %v2 = load i32, ptr %p2, align 4
  %w2 = mul i32 %x2, %v2
  %x3 = xor i32 %w2, 5
  %p3 = getelementptr inbounds nuw i8, ptr %row, i64 120
  %v3 = load i32, ptr %p3, align 4
  %w3 = mul i32 %x3, %v3
  %x4 = xor i32 %w3, 6
  %p4 = getelementptr inbounds nuw i8, ptr %row, i64 160
  %v4 = load i32, ptr %p4, align 4
  %w4 = mul i32 %x4, %v4
  %x5 = xor i32 %w4, 7
  %p5 = getelementptr inbounds nuw i8, ptr %row, i64 200
  %v5 = load i32, ptr %p5, align 4
  %w5 = mul i32 %x5, %v5
  %x6 = xor i32 %w5, 8
  store i32 %x6, ptr %row, align 4
  %next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %next, %n
  br i1 %exitcond.not, label %end.loopexit, label %loop
end.loopexit:
  br label %end
end:
  %r = phi i32 [ 0, %0 ], [ %x6, %end.loopexit ]
  store i32 %r, ptr %to, align 4
  ret void
}

; An array of the thread which is no register.
; CHECK-LABEL: define ptx_kernel void @array(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond.not, label %end.loopexit, label %loop, !llvm.loop [[ARRAY:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @array(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-24: = load
; LLVM-NOT: = load
; LLVM: {{^}}loop.epil:
; LLVM-COUNT-6: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @array(ptr %to, i8 %byte, i32 %n) {
  %from = alloca [320 x i32], align 16
  call void @llvm.memset.p0.i64(ptr %from, i8 %byte, i64 1280, i1 false)
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop.preheader, label %end
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ 0, %loop.preheader ]
  %x0 = phi i32 [ %x6, %loop ], [ 1, %loop.preheader ]
  %wide = zext nneg i32 %i to i64
  %row = getelementptr inbounds nuw i32, ptr %from, i64 %wide
  %v0 = load i32, ptr %row, align 4
  %w0 = mul i32 %v0, %x0
  %x1 = xor i32 %w0, 3
  %p1 = getelementptr inbounds nuw i8, ptr %row, i64 40
  %v1 = load i32, ptr %p1, align 4
  %w1 = mul i32 %x1, %v1
  %x2 = xor i32 %w1, 4
  %p2 = getelementptr inbounds nuw i8, ptr %row, i64 80
  %v2 = load i32, ptr %p2, align 4
  %w2 = mul i32 %x2, %v2
  %x3 = xor i32 %w2, 5
  %p3 = getelementptr inbounds nuw i8, ptr %row, i64 120
  %v3 = load i32, ptr %p3, align 4
  %w3 = mul i32 %x3, %v3
  %x4 = xor i32 %w3, 6
  %p4 = getelementptr inbounds nuw i8, ptr %row, i64 160
  %v4 = load i32, ptr %p4, align 4
  %w4 = mul i32 %x4, %v4
  %x5 = xor i32 %w4, 7
  %p5 = getelementptr inbounds nuw i8, ptr %row, i64 200
  %v5 = load i32, ptr %p5, align 4
  %w5 = mul i32 %x5, %v5
  %x6 = xor i32 %w5, 8
  store i32 %x6, ptr %row, align 4
  %next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %next, %n
  br i1 %exitcond.not, label %end.loopexit, label %loop
end.loopexit:
  br label %end
end:
  %r = phi i32 [ 0, %0 ], [ %x6, %end.loopexit ]
  store i32 %r, ptr %to, align 4
  ret void
}

; What an iteration writes elsewhere does not matter.
; CHECK-LABEL: define ptx_kernel void @elsewhere(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond.not, label %end.loopexit, label %loop, !llvm.loop [[ELSEWHERE:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @elsewhere(
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-24: = load
; LLVM-NOT: = load
; LLVM: {{^}}loop.epil:
; LLVM-COUNT-6: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @elsewhere(ptr noalias %to, ptr noalias readonly %from, i32 %n) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop.preheader, label %end
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ 0, %loop.preheader ]
  %x0 = phi i32 [ %x6, %loop ], [ 1, %loop.preheader ]
  %1 = zext nneg i32 %i to i64
  %row = getelementptr inbounds nuw i32, ptr %from, i64 %1
  %v0 = load i32, ptr %row, align 4
  %w0 = mul i32 %v0, %x0
  %x1 = xor i32 %w0, 3
  %p1 = getelementptr inbounds nuw i8, ptr %row, i64 40
  %v1 = load i32, ptr %p1, align 4
  %w1 = mul i32 %x1, %v1
  %x2 = xor i32 %w1, 4
  %p2 = getelementptr inbounds nuw i8, ptr %row, i64 80
  %v2 = load i32, ptr %p2, align 4
  %w2 = mul i32 %x2, %v2
  %x3 = xor i32 %w2, 5
  %p3 = getelementptr inbounds nuw i8, ptr %row, i64 120
  %v3 = load i32, ptr %p3, align 4
  %w3 = mul i32 %x3, %v3
  %x4 = xor i32 %w3, 6
  %p4 = getelementptr inbounds nuw i8, ptr %row, i64 160
  %v4 = load i32, ptr %p4, align 4
  %w4 = mul i32 %x4, %v4
  %x5 = xor i32 %w4, 7
  %p5 = getelementptr inbounds nuw i8, ptr %row, i64 200
  %v5 = load i32, ptr %p5, align 4
  %w5 = mul i32 %x5, %v5
  %x6 = xor i32 %w5, 8
  %place = getelementptr inbounds nuw i32, ptr %to, i64 %1
  store i32 %x6, ptr %place, align 4
  %next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %next, %n
  br i1 %exitcond.not, label %end.loopexit, label %loop
end.loopexit:
  br label %end
end:
  %r = phi i32 [ 0, %0 ], [ %x6, %end.loopexit ]
  store i32 %r, ptr %to, align 4
  ret void
}

; Four iterations at a time of a loop over shared memory that computes square roots:
; ptxas has branches for them and does not repeat it.
; CHECK-LABEL: define ptx_kernel void @roots(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond.not, label %end, label %loop, !llvm.loop [[ROOTS:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @roots(
; LLVM-NOT: @llvm.nvvm.sqrt.rn.f(
; LLVM: {{^}}loop:
; LLVM-COUNT-4: @llvm.nvvm.sqrt.rn.f(
; LLVM-NOT: @llvm.nvvm.sqrt.rn.f(
; LLVM: {{^}}loop.epil:
; LLVM: @llvm.nvvm.sqrt.rn.f(
; LLVM-NOT: @llvm.nvvm.sqrt.rn.f(
; LLVM: ret void
define ptx_kernel void @roots(ptr addrspace(1) %to, float %x, float %y, i32 %n) {
  %smax = call i32 @llvm.smax.i32(i32 %n, i32 1)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %least = phi float [ %x, %0 ], [ %lower, %loop ]
  %1 = zext nneg i32 %i to i64
  %p = getelementptr float, ptr addrspace(3) @points, i64 %1
  %q = getelementptr i8, ptr addrspace(3) %p, i64 1024
  %a = load float, ptr addrspace(3) %p, align 4
  %b = load float, ptr addrspace(3) %q, align 4
  %c = fsub float %a, %x
  %d = fsub float %b, %y
  %e = fmul contract float %c, %c
  %f = fmul contract float %d, %d
  %g = fadd contract float %e, %f
  %h = call float @llvm.nvvm.sqrt.rn.f(float %g)
  %j = fmul float %y, %a
  %k = fadd float %j, %h
  %l = fmul float %b, %k
  %m = fadd float %x, %l
  %o = fmul float %a, %m
  %r = fadd float %y, %o
  %isLower = fcmp olt float %r, %least
  %lower = select i1 %isLower, float %r, float %least
  %next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %next, %smax
  br i1 %exitcond.not, label %end, label %loop
end:
  store float %lower, ptr addrspace(1) %to, align 4
  ret void
}

; What moves values on, as a generator of random numbers does, is repeated:
; nothing is moved then. A sum alone LLVM repeats as it likes.
; CHECK-LABEL: define ptx_kernel void @generator(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %exitcond.not, label %end.loopexit, label %loop, !llvm.loop [[GENERATOR:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @generator(
; LLVM-NOT: = lshr
; LLVM: {{^}}loop:
; LLVM-COUNT-8: = lshr
; LLVM-NOT: = lshr
; LLVM: {{^}}loop.epil:
; LLVM-COUNT-2: = lshr
; LLVM-NOT: = lshr
; LLVM: ret void
define ptx_kernel void @generator(ptr addrspace(1) %to, i32 %a, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop.preheader, label %end
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %i.next, %loop ], [ 0, %loop.preheader ]
  %sum = phi float [ %sum.next, %loop ], [ 0.000000e+00, %loop.preheader ]
  %v = phi i32 [ %w, %loop ], [ %a, %loop.preheader ]
  %w = phi i32 [ %x, %loop ], [ 2, %loop.preheader ]
  %x = phi i32 [ %y, %loop ], [ 3, %loop.preheader ]
  %y = phi i32 [ %new, %loop ], [ 4, %loop.preheader ]
  %v2 = lshr i32 %v, 2
  %t = xor i32 %v2, %v
  %t1 = shl i32 %t, 1
  %y4 = shl i32 %y, 4
  %y5 = lshr i32 %y, 27
  %y6 = mul i32 %y5, %y
  %1 = xor i32 %t1, %y4
  %2 = xor i32 %1, %y6
  %3 = xor i32 %2, %t
  %new = xor i32 %3, %y
  %f = uitofp i32 %new to float
  %g = fmul float %f, %f
  %h = fadd float %g, 1.000000e+00
  %k = fmul float %h, %f
  %l = fadd float %g, %k
  %o = fmul float %h, %l
  %q0 = fadd float %g, %o
  %q1 = fmul float %q0, %f
  %q2 = fadd float %q1, %f
  %q3 = fmul float %g, %q2
  %q4 = fadd float %q3, %f
  %q5 = fmul float %q4, %f
  %q6 = fadd float %g, %q5
  %q7 = fmul float %q6, %f
  %q8 = fadd float %q7, %f
  %q9 = fmul float %g, %q8
  %q10 = fadd float %q9, %f
  %q11 = fmul float %q10, %f
  %q12 = fadd float %g, %q11
  %q13 = fmul float %q12, %f
  %sum.next = fadd float %sum, %q13
  %i.next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %i.next, %n
  br i1 %exitcond.not, label %end.loopexit, label %loop
end.loopexit:
  br label %end
end:
  %all = phi float [ 0.000000e+00, %0 ], [ %sum.next, %end.loopexit ]
  store float %all, ptr addrspace(1) %to, align 4
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare float @llvm.nvvm.sqrt.rn.f(float)

; CHECK-DAG: [[COUNTED]] = distinct !{[[COUNTED]], [[COUNT4:![0-9]+]], {{.*}}}
; CHECK-DAG: [[COUNT4]] = !{!"llvm.loop.unroll.count", i32 4}
; CHECK-DAG: [[ARRAY]] = distinct !{[[ARRAY]], [[COUNT4]], {{.*}}}
; CHECK-DAG: [[ELSEWHERE]] = distinct !{[[ELSEWHERE]], [[COUNT4]], {{.*}}}
; CHECK-DAG: [[ROOTS]] = distinct !{[[ROOTS]], [[COUNT4]], {{.*}}}
; CHECK-DAG: [[GENERATOR]] = distinct !{[[GENERATOR]], [[COUNT4]], {{.*}}}
