; Loops in steps of the block or the grid are unrolled by four: LLVM's pass, which
; comes late, is asked for it. Of the pass gpu-partial-unrolling.
; PTX shows that it comes before LLVM's.
; RUN: cufort-opt -passes=gpu-partial-unrolling %s | FileCheck %s
; RUN: cufort-opt -passes=gpu-partial-unrolling %s | opt -passes='loop-unroll<O3>' -S | FileCheck %s --check-prefix=LLVM
; RUN: cufort-ptx -arch=80 %s | FileCheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"

; A copy in steps of the grid: four iterations at a time, and a loop for up to three.
; CHECK-LABEL: define ptx_kernel void @steps(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %more, label %loop, label %end.loopexit, !llvm.loop [[STEPS:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; PTX-LABEL: .entry steps(
; PTX: div.u32
; PTX: .pragma "nounroll"
; PTX: ld.global
; PTX: bra
; PTX-NOT: .pragma
; PTX-COUNT-4: ld.global
; PTX: bra
; PTX-NOT: ld.global
; PTX: ret;
; LLVM-LABEL: define ptx_kernel void @steps(
; LLVM: udiv i32
; LLVM-NOT: = load
; LLVM: {{^}}loop.prol:
; LLVM: = load
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-4: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @steps(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %first, i32 %n, i32 %step) mustprogress {
  %any = icmp slt i32 %first, %n
  br i1 %any, label %loop.preheader, label %end
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ %first, %loop.preheader ]
  %1 = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %from, i64 %1
  %v = load i32, ptr addrspace(1) %p, align 4
  %q = getelementptr i32, ptr addrspace(1) %to, i64 %1
  store i32 %v, ptr addrspace(1) %q, align 4
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end.loopexit
end.loopexit:
  br label %end
end:
  ret void
}

; A fill in steps of the grid as well.
; CHECK-LABEL: define ptx_kernel void @fill(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %more, label %loop, label %end.loopexit, !llvm.loop [[FILL:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @fill(
; LLVM: udiv i32
; LLVM-NOT: store i32 -1
; LLVM: {{^}}loop.prol:
; LLVM: store i32 -1
; LLVM-NOT: store i32 -1
; LLVM: {{^}}loop:
; LLVM-COUNT-4: store i32 -1
; LLVM-NOT: store i32 -1
; LLVM: ret void
define ptx_kernel void @fill(ptr addrspace(1) %to, i32 %first, i32 %n, i32 %step) mustprogress {
  %any = icmp slt i32 %first, %n
  br i1 %any, label %loop.preheader, label %end
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ %first, %loop.preheader ]
  %1 = sext i32 %i to i64
  %q = getelementptr i32, ptr addrspace(1) %to, i64 %1
  store i32 -1, ptr addrspace(1) %q, align 4
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end.loopexit
end.loopexit:
  br label %end
end:
  ret void
}

; In steps of 1024 from what is known at run time only: four iterations at a time as well.
; LLVM finds the trip count too expensive, and would leave it a loop.
; CHECK-LABEL: define ptx_kernel void @pieces(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %go, label %loop, label %out.loopexit, !llvm.loop [[PIECES:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @pieces(
; LLVM: call i32 @llvm.smax.i32
; LLVM-NOT: = load
; LLVM: {{^}}loop.prol:
; LLVM: = load
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-4: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @pieces(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %base, i32 %length, i32 %first) mustprogress {
  %end = add nsw i32 %length, %base
  %any = icmp slt i32 %first, %length
  br i1 %any, label %loop.preheader, label %out
loop.preheader:
  %start = add nsw i32 %first, %base
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ %start, %loop.preheader ]
  %sum = phi float [ %more, %loop ], [ 0.000000e+00, %loop.preheader ]
  %1 = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %from, i64 %1
  %v = load float, ptr addrspace(1) %p, align 4
  %more = fadd float %sum, %v
  %next = add nsw i32 %i, 1024
  %go = icmp slt i32 %next, %end
  br i1 %go, label %loop, label %out.loopexit
out.loopexit:
  br label %out
out:
  %r = phi float [ 0.000000e+00, %0 ], [ %more, %out.loopexit ]
  store float %r, ptr addrspace(1) %to, align 4
  ret void
}

; LLVM finds this trip count one instruction too expensive.
; CHECK-LABEL: define ptx_kernel void @block_steps(
; CHECK-NOT: !llvm.loop
; CHECK: br i1 %again, label %loop, label %out.loopexit, !llvm.loop [[BLOCKSTEPS:![0-9]+]]
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @block_steps(
; LLVM-NOT: = load
; LLVM: {{^}}loop.prol:
; LLVM: = load
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-4: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @block_steps(ptr addrspace(1) noalias %result, ptr addrspace(1) noalias readonly %data, i32 %n) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp slt i32 %thread, %n
  br i1 %any, label %loop.preheader, label %out
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ %thread, %loop.preheader ]
  %sum = phi float [ %more, %loop ], [ 0.000000e+00, %loop.preheader ]
  %wide = zext nneg i32 %i to i64
  %element = getelementptr inbounds nuw float, ptr addrspace(1) %data, i64 %wide
  %value = load float, ptr addrspace(1) %element, align 4
  %more = fadd float %sum, %value
  %next = add nuw nsw i32 %i, 256
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %out.loopexit
out.loopexit:
  br label %out
out:
  %all = phi float [ 0.000000e+00, %entry ], [ %more, %out.loopexit ]
  store float %all, ptr addrspace(1) %result, align 4
  ret void
}

; Over a row of a sparse matrix in steps of a warp: few iterations, which ptxas repeats.
; CHECK-LABEL: define ptx_kernel void @row(
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; LLVM-LABEL: define ptx_kernel void @row(
; LLVM-COUNT-2: = load
; LLVM-NOT: = load
; LLVM: {{^}}loop:
; LLVM-COUNT-2: = load
; LLVM-NOT: = load
; LLVM: ret void
define ptx_kernel void @row(ptr noalias %to, ptr noalias readonly %from, ptr noalias readonly %columns, ptr noalias readonly %rows) mustprogress {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = load i32, ptr %rows, align 4
  %q = getelementptr i8, ptr %rows, i64 4
  %n = load i32, ptr %q, align 4
  %first = add i32 %start, %lane
  %some = icmp slt i32 %first, %n
  br i1 %some, label %loop.preheader, label %end
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %i.next, %loop ], [ %first, %loop.preheader ]
  %sum = phi float [ %sum.next, %loop ], [ 0.000000e+00, %loop.preheader ]
  %1 = sext i32 %i to i64
  %c = getelementptr i32, ptr %columns, i64 %1
  %column = load i32, ptr %c, align 4
  %w = sext i32 %column to i64
  %p = getelementptr float, ptr %from, i64 %w
  %v = load float, ptr %p, align 4
  %sum.next = fadd float %sum, %v
  %i.next = add nsw i32 %i, 32
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %loop, label %end.loopexit
end.loopexit:
  br label %end
end:
  %r = phi float [ 0.000000e+00, %0 ], [ %sum.next, %end.loopexit ]
  store float %r, ptr %to, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-DAG: [[STEPS]] = distinct !{[[STEPS]], [[COUNT4:![0-9]+]], {{.*}}}
; CHECK-DAG: [[COUNT4]] = !{!"llvm.loop.unroll.count", i32 4}
; CHECK-DAG: [[FILL]] = distinct !{[[FILL]], [[COUNT4]], {{.*}}}
; CHECK-DAG: [[PIECES]] = distinct !{[[PIECES]], [[COUNT4]], {{.*}}}
; CHECK-DAG: [[BLOCKSTEPS]] = distinct !{[[BLOCKSTEPS]], [[COUNT4]], {{.*}}}
