; Loops that LLVM has unrolled in part ptxas may unroll further, but not what they
; leave over. Of the pass gpu-loop-cleanup.
; RUN: cufort-opt -passes=gpu-loop-cleanup %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@tile = external addrspace(3) global [0 x float], align 4

; Of what is left over by several iterations at a time ptxas makes no more.
; CHECK-LABEL: define ptx_kernel void @rest(
; CHECK: {{^}}loop:
; CHECK-COUNT-8: = load
; CHECK-NOT: = load
; CHECK: [[MORE:%.*]] = icmp ne i32
; CHECK-NEXT: br i1 [[MORE]], label %loop, label %end.loopexit.unr-lcssa{{$}}
; CHECK: {{^}}loop.epil:
; CHECK: = load
; CHECK: [[MORE:%.*]] = icmp ne i32
; CHECK-NEXT: br i1 [[MORE]], label %loop.epil, label %end, !llvm.loop [[REST:![0-9]+]]
; CHECK-NOT: {{= load|br i1}}
; CHECK: ret void
define ptx_kernel void @rest(ptr %a, i32 %n) {
  %1 = addrspacecast ptr %a to ptr addrspace(1)
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop.preheader, label %end
loop.preheader:
  %xtraiter = and i32 %n, 7
  %2 = icmp ult i32 %n, 8
  br i1 %2, label %loop.epil.preheader, label %loop.preheader.new
loop.preheader.new:
  %unroll_iter = and i32 %n, 2147483640
  br label %loop
loop:
  %i = phi i32 [ 0, %loop.preheader.new ], [ %i.next.7, %loop ]
  %sum = phi float [ 1.000000e+00, %loop.preheader.new ], [ %sum.next.7, %loop ]
  %niter = phi i32 [ 0, %loop.preheader.new ], [ %niter.next.7, %loop ]
  %3 = zext nneg i32 %i to i64
  %p = getelementptr float, ptr addrspace(3) @tile, i64 %3
  %v = load float, ptr addrspace(3) %p, align 4
  %sum.next = fadd float %sum, %v
  %4 = zext nneg i32 %i to i64
  %5 = getelementptr float, ptr addrspace(3) @tile, i64 %4
  %p.1 = getelementptr i8, ptr addrspace(3) %5, i64 4
  %v.1 = load float, ptr addrspace(3) %p.1, align 4
  %sum.next.1 = fadd float %sum.next, %v.1
  %6 = zext nneg i32 %i to i64
  %7 = getelementptr float, ptr addrspace(3) @tile, i64 %6
  %p.2 = getelementptr i8, ptr addrspace(3) %7, i64 8
  %v.2 = load float, ptr addrspace(3) %p.2, align 4
  %sum.next.2 = fadd float %sum.next.1, %v.2
  %8 = zext nneg i32 %i to i64
  %9 = getelementptr float, ptr addrspace(3) @tile, i64 %8
  %p.3 = getelementptr i8, ptr addrspace(3) %9, i64 12
  %v.3 = load float, ptr addrspace(3) %p.3, align 4
  %sum.next.3 = fadd float %sum.next.2, %v.3
  %10 = zext nneg i32 %i to i64
  %11 = getelementptr float, ptr addrspace(3) @tile, i64 %10
  %p.4 = getelementptr i8, ptr addrspace(3) %11, i64 16
  %v.4 = load float, ptr addrspace(3) %p.4, align 4
  %sum.next.4 = fadd float %sum.next.3, %v.4
  %12 = zext nneg i32 %i to i64
  %13 = getelementptr float, ptr addrspace(3) @tile, i64 %12
  %p.5 = getelementptr i8, ptr addrspace(3) %13, i64 20
  %v.5 = load float, ptr addrspace(3) %p.5, align 4
  %sum.next.5 = fadd float %sum.next.4, %v.5
  %14 = zext nneg i32 %i to i64
  %15 = getelementptr float, ptr addrspace(3) @tile, i64 %14
  %p.6 = getelementptr i8, ptr addrspace(3) %15, i64 24
  %v.6 = load float, ptr addrspace(3) %p.6, align 4
  %sum.next.6 = fadd float %sum.next.5, %v.6
  %16 = zext nneg i32 %i to i64
  %17 = getelementptr float, ptr addrspace(3) @tile, i64 %16
  %p.7 = getelementptr i8, ptr addrspace(3) %17, i64 28
  %v.7 = load float, ptr addrspace(3) %p.7, align 4
  %sum.next.7 = fadd float %sum.next.6, %v.7
  %i.next.7 = add nuw nsw i32 %i, 8
  %niter.next.7 = add i32 %niter, 8
  %niter.ncmp.7 = icmp eq i32 %niter.next.7, %unroll_iter
  br i1 %niter.ncmp.7, label %end.loopexit.unr-lcssa, label %loop
end.loopexit.unr-lcssa:
  %lcmp.mod.not = icmp eq i32 %xtraiter, 0
  br i1 %lcmp.mod.not, label %end, label %loop.epil.preheader
loop.epil.preheader:
  %i.epil.init = phi i32 [ 0, %loop.preheader ], [ %i.next.7, %end.loopexit.unr-lcssa ]
  %sum.epil.init = phi float [ 1.000000e+00, %loop.preheader ], [ %sum.next.7, %end.loopexit.unr-lcssa ]
  %lcmp.mod2 = icmp ne i32 %xtraiter, 0
  call void @llvm.assume(i1 %lcmp.mod2)
  br label %loop.epil
loop.epil:
  %i.epil = phi i32 [ %i.next.epil, %loop.epil ], [ %i.epil.init, %loop.epil.preheader ]
  %sum.epil = phi float [ %sum.next.epil, %loop.epil ], [ %sum.epil.init, %loop.epil.preheader ]
  %epil.iter = phi i32 [ %epil.iter.next, %loop.epil ], [ 0, %loop.epil.preheader ]
  %18 = zext nneg i32 %i.epil to i64
  %p.epil = getelementptr float, ptr addrspace(3) @tile, i64 %18
  %v.epil = load float, ptr addrspace(3) %p.epil, align 4
  %sum.next.epil = fadd float %sum.epil, %v.epil
  %i.next.epil = add nuw nsw i32 %i.epil, 1
  %epil.iter.next = add i32 %epil.iter, 1
  %epil.iter.cmp.not = icmp eq i32 %epil.iter.next, %xtraiter
  br i1 %epil.iter.cmp.not, label %end, label %loop.epil, !llvm.loop !0
end:
  %r = phi float [ 0.000000e+00, %0 ], [ %sum.next.7, %end.loopexit.unr-lcssa ], [ %sum.next.epil, %loop.epil ]
  store float %r, ptr addrspace(1) %1, align 4
  ret void
}

; The branch at a loop's end goes back where its condition holds: only then does
; ptxas see how many iterations there are. LLVM tests for equality.
; CHECK-LABEL: define ptx_kernel void @back(
; CHECK: {{^}}loop:
; CHECK-COUNT-8: = load
; CHECK-NOT: = load
; CHECK: [[MORE:%.*]] = icmp ne i32
; CHECK-NEXT: br i1 [[MORE]], label %loop, label %end.loopexit.unr-lcssa{{$}}
; CHECK: {{^}}loop.epil:
; CHECK: = load
; CHECK: [[MORE:%.*]] = icmp ne i32
; CHECK-NEXT: br i1 [[MORE]], label %loop.epil, label %end, !llvm.loop [[BACK:![0-9]+]]
; CHECK-NOT: {{= load|br i1}}
; CHECK: ret void
define ptx_kernel void @back(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %thread, i32 %n, i32 %step) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop.preheader, label %end
loop.preheader:
  %xtraiter = and i32 %n, 7
  %1 = icmp ult i32 %n, 8
  br i1 %1, label %loop.epil.preheader, label %loop.preheader.new
loop.preheader.new:
  %unroll_iter = and i32 %n, 2147483640
  br label %loop
loop:
  %i = phi i32 [ 0, %loop.preheader.new ], [ %i.next.7, %loop ]
  %sum = phi float [ 0.000000e+00, %loop.preheader.new ], [ %sum.next.7, %loop ]
  %niter = phi i32 [ 0, %loop.preheader.new ], [ %niter.next.7, %loop ]
  %row = mul nsw i32 %i, %step
  %place = add nsw i32 %row, %thread
  %2 = sext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %from, i64 %2
  %v = load float, ptr addrspace(1) %p, align 4
  %sum.next = fadd float %sum, %v
  %i.next = or disjoint i32 %i, 1
  %row.1 = mul nsw i32 %i.next, %step
  %place.1 = add nsw i32 %row.1, %thread
  %3 = sext i32 %place.1 to i64
  %p.1 = getelementptr float, ptr addrspace(1) %from, i64 %3
  %v.1 = load float, ptr addrspace(1) %p.1, align 4
  %sum.next.1 = fadd float %sum.next, %v.1
  %i.next.1 = or disjoint i32 %i, 2
  %row.2 = mul nsw i32 %i.next.1, %step
  %place.2 = add nsw i32 %row.2, %thread
  %4 = sext i32 %place.2 to i64
  %p.2 = getelementptr float, ptr addrspace(1) %from, i64 %4
  %v.2 = load float, ptr addrspace(1) %p.2, align 4
  %sum.next.2 = fadd float %sum.next.1, %v.2
  %i.next.2 = or disjoint i32 %i, 3
  %row.3 = mul nsw i32 %i.next.2, %step
  %place.3 = add nsw i32 %row.3, %thread
  %5 = sext i32 %place.3 to i64
  %p.3 = getelementptr float, ptr addrspace(1) %from, i64 %5
  %v.3 = load float, ptr addrspace(1) %p.3, align 4
  %sum.next.3 = fadd float %sum.next.2, %v.3
  %i.next.3 = or disjoint i32 %i, 4
  %row.4 = mul nsw i32 %i.next.3, %step
  %place.4 = add nsw i32 %row.4, %thread
  %6 = sext i32 %place.4 to i64
  %p.4 = getelementptr float, ptr addrspace(1) %from, i64 %6
  %v.4 = load float, ptr addrspace(1) %p.4, align 4
  %sum.next.4 = fadd float %sum.next.3, %v.4
  %i.next.4 = or disjoint i32 %i, 5
  %row.5 = mul nsw i32 %i.next.4, %step
  %place.5 = add nsw i32 %row.5, %thread
  %7 = sext i32 %place.5 to i64
  %p.5 = getelementptr float, ptr addrspace(1) %from, i64 %7
  %v.5 = load float, ptr addrspace(1) %p.5, align 4
  %sum.next.5 = fadd float %sum.next.4, %v.5
  %i.next.5 = or disjoint i32 %i, 6
  %row.6 = mul nsw i32 %i.next.5, %step
  %place.6 = add nsw i32 %row.6, %thread
  %8 = sext i32 %place.6 to i64
  %p.6 = getelementptr float, ptr addrspace(1) %from, i64 %8
  %v.6 = load float, ptr addrspace(1) %p.6, align 4
  %sum.next.6 = fadd float %sum.next.5, %v.6
  %i.next.6 = or disjoint i32 %i, 7
  %row.7 = mul nsw i32 %i.next.6, %step
  %place.7 = add nsw i32 %row.7, %thread
  %9 = sext i32 %place.7 to i64
  %p.7 = getelementptr float, ptr addrspace(1) %from, i64 %9
  %v.7 = load float, ptr addrspace(1) %p.7, align 4
  %sum.next.7 = fadd float %sum.next.6, %v.7
  %i.next.7 = add nuw nsw i32 %i, 8
  %niter.next.7 = add i32 %niter, 8
  %niter.ncmp.7 = icmp eq i32 %niter.next.7, %unroll_iter
  br i1 %niter.ncmp.7, label %end.loopexit.unr-lcssa, label %loop
end.loopexit.unr-lcssa:
  %lcmp.mod.not = icmp eq i32 %xtraiter, 0
  br i1 %lcmp.mod.not, label %end, label %loop.epil.preheader
loop.epil.preheader:
  %i.epil.init = phi i32 [ 0, %loop.preheader ], [ %i.next.7, %end.loopexit.unr-lcssa ]
  %sum.epil.init = phi float [ 0.000000e+00, %loop.preheader ], [ %sum.next.7, %end.loopexit.unr-lcssa ]
  %lcmp.mod2 = icmp ne i32 %xtraiter, 0
  call void @llvm.assume(i1 %lcmp.mod2)
  br label %loop.epil
loop.epil:
  %i.epil = phi i32 [ %i.next.epil, %loop.epil ], [ %i.epil.init, %loop.epil.preheader ]
  %sum.epil = phi float [ %sum.next.epil, %loop.epil ], [ %sum.epil.init, %loop.epil.preheader ]
  %epil.iter = phi i32 [ %epil.iter.next, %loop.epil ], [ 0, %loop.epil.preheader ]
  %row.epil = mul nsw i32 %i.epil, %step
  %place.epil = add nsw i32 %row.epil, %thread
  %10 = sext i32 %place.epil to i64
  %p.epil = getelementptr float, ptr addrspace(1) %from, i64 %10
  %v.epil = load float, ptr addrspace(1) %p.epil, align 4
  %sum.next.epil = fadd float %sum.epil, %v.epil
  %i.next.epil = add nuw nsw i32 %i.epil, 1
  %epil.iter.next = add i32 %epil.iter, 1
  %epil.iter.cmp.not = icmp eq i32 %epil.iter.next, %xtraiter
  br i1 %epil.iter.cmp.not, label %end, label %loop.epil, !llvm.loop !1
end:
  %r = phi float [ 0.000000e+00, %0 ], [ %sum.next.7, %end.loopexit.unr-lcssa ], [ %sum.next.epil, %loop.epil ]
  store float %r, ptr addrspace(1) %to, align 4
  ret void
}

; A copy in steps of the grid: four iterations at a time, and before them a loop for
; up to three, which ptxas shall not repeat.
; CHECK-LABEL: define ptx_kernel void @steps(
; CHECK: {{^}}loop.prol:
; CHECK: = load
; CHECK: [[MORE:%.*]] = icmp ne i32
; CHECK-NEXT: br i1 [[MORE]], label %loop.prol, label %loop.prol.loopexit, !llvm.loop [[PROL:![0-9]+]]
; CHECK: {{^}}loop:
; CHECK-COUNT-4: = load
; CHECK-NOT: = load
; CHECK: br i1 %more.3, label %loop, label %end, !llvm.loop [[STEPS:![0-9]+]]
; CHECK-NOT: br i1
; CHECK: ret void
define ptx_kernel void @steps(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %first, i32 %n, i32 %step) {
  %any = icmp slt i32 %first, %n
  br i1 %any, label %loop.preheader, label %end
loop.preheader:
  %1 = add i32 %step, %first
  %smax = call i32 @llvm.smax.i32(i32 %n, i32 %1)
  %2 = icmp slt i32 %1, %n
  %umin = zext i1 %2 to i32
  %3 = add i32 %1, %umin
  %4 = sub i32 %smax, %3
  %5 = udiv i32 %4, %step
  %6 = add i32 %5, %umin
  %7 = add i32 %6, 1
  %xtraiter = and i32 %7, 3
  %8 = and i32 %6, 3
  %lcmp.mod.not = icmp eq i32 %8, 3
  br i1 %lcmp.mod.not, label %loop.prol.loopexit, label %loop.prol
loop.prol:
  %i.prol = phi i32 [ %next.prol, %loop.prol ], [ %first, %loop.preheader ]
  %prol.iter = phi i32 [ %prol.iter.next, %loop.prol ], [ 0, %loop.preheader ]
  %9 = sext i32 %i.prol to i64
  %p.prol = getelementptr i32, ptr addrspace(1) %from, i64 %9
  %v.prol = load i32, ptr addrspace(1) %p.prol, align 4
  %q.prol = getelementptr i32, ptr addrspace(1) %to, i64 %9
  store i32 %v.prol, ptr addrspace(1) %q.prol, align 4
  %next.prol = add nsw i32 %i.prol, %step
  %prol.iter.next = add i32 %prol.iter, 1
  %prol.iter.cmp.not = icmp eq i32 %prol.iter.next, %xtraiter
  br i1 %prol.iter.cmp.not, label %loop.prol.loopexit, label %loop.prol, !llvm.loop !2
loop.prol.loopexit:
  %i.unr = phi i32 [ %first, %loop.preheader ], [ %next.prol, %loop.prol ]
  %10 = icmp ult i32 %6, 3
  br i1 %10, label %end, label %loop
loop:
  %i = phi i32 [ %next.3, %loop ], [ %i.unr, %loop.prol.loopexit ]
  %11 = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %from, i64 %11
  %v = load i32, ptr addrspace(1) %p, align 4
  %q = getelementptr i32, ptr addrspace(1) %to, i64 %11
  store i32 %v, ptr addrspace(1) %q, align 4
  %next = add nsw i32 %i, %step
  %12 = sext i32 %next to i64
  %p.1 = getelementptr i32, ptr addrspace(1) %from, i64 %12
  %v.1 = load i32, ptr addrspace(1) %p.1, align 4
  %q.1 = getelementptr i32, ptr addrspace(1) %to, i64 %12
  store i32 %v.1, ptr addrspace(1) %q.1, align 4
  %next.1 = add nsw i32 %next, %step
  %13 = sext i32 %next.1 to i64
  %p.2 = getelementptr i32, ptr addrspace(1) %from, i64 %13
  %v.2 = load i32, ptr addrspace(1) %p.2, align 4
  %q.2 = getelementptr i32, ptr addrspace(1) %to, i64 %13
  store i32 %v.2, ptr addrspace(1) %q.2, align 4
  %next.2 = add nsw i32 %next.1, %step
  %14 = sext i32 %next.2 to i64
  %p.3 = getelementptr i32, ptr addrspace(1) %from, i64 %14
  %v.3 = load i32, ptr addrspace(1) %p.3, align 4
  %q.3 = getelementptr i32, ptr addrspace(1) %to, i64 %14
  store i32 %v.3, ptr addrspace(1) %q.3, align 4
  %next.3 = add nsw i32 %next.2, %step
  %more.3 = icmp slt i32 %next.3, %n
  br i1 %more.3, label %loop, label %end, !llvm.loop !3
end:
  ret void
}

; Some of many iterations at a time: ptxas may repeat them further, so that loads
; overlap with what is done with those before.
; CHECK-LABEL: define ptx_kernel void @some(
; CHECK-COUNT-2: = load
; CHECK: [[MORE:%.*]] = icmp ne i32 %next.1, 5000
; CHECK-NEXT: br i1 [[MORE]], label %loop, label %end, !llvm.loop [[SOME:![0-9]+]]
; CHECK: ret void
define ptx_kernel void @some(ptr addrspace(1) %to, ptr addrspace(1) readonly %from) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next.1, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %more.1, %loop ]
  %1 = zext nneg i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %from, i64 %1
  %v = load i32, ptr addrspace(1) %p, align 4
  %more = add i32 %v, %sum
  %p.1 = getelementptr i8, ptr addrspace(1) %p, i64 4
  %v.1 = load i32, ptr addrspace(1) %p.1, align 4
  %more.1 = add i32 %v.1, %more
  %next.1 = add nuw nsw i32 %i, 2
  %exitcond.not.1 = icmp eq i32 %next.1, 5000
  br i1 %exitcond.not.1, label %end, label %loop, !llvm.loop !4
end:
  store i32 %more.1, ptr addrspace(1) %to, align 4
  ret void
}

declare i32 @llvm.smax.i32(i32, i32)
declare void @llvm.assume(i1)
!0 = distinct !{!0, !5}
!1 = distinct !{!1, !5}
!2 = distinct !{!2, !5}
!3 = distinct !{!3, !6, !5}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.unroll.disable"}
!6 = !{!"llvm.loop.mustprogress"}

; CHECK-DAG: [[REST]] = distinct !{[[REST]], [[NEVER:![0-9]+]]}
; CHECK-DAG: [[NEVER]] = !{!"llvm.loop.unroll.disable"}
; CHECK-DAG: [[BACK]] = distinct !{[[BACK]], [[NEVER]]}
; CHECK-DAG: [[PROL]] = distinct !{[[PROL]], [[NEVER]]}
; CHECK-DAG: [[STEPS]] = distinct !{[[STEPS]], [[PROGRESS:![0-9]+]]}
; CHECK-DAG: [[PROGRESS]] = !{!"llvm.loop.mustprogress"}
; CHECK-DAG: [[SOME]] = distinct !{[[SOME]]}
