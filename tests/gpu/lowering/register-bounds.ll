; Kernels that add up what they load may have 64 registers; ptxas would make do
; with 32, and wait for each few loads.
; RUN: cufort-opt -passes=gpu-register-bounds %s | FileCheck %s --check-prefix=ALONE
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; ALONE: define ptx_kernel void @unrolled({{.*}} [[BOUND:#[0-9]+]]
; ALONE: define ptx_kernel void @twice({{.*}} [[SAID:#[0-9]+]]
; ALONE: attributes [[BOUND]] = { "nvvm.maxnreg"="64" }
; ALONE: attributes [[SAID]] = { "nvvm.minctasm"="2" }
define ptx_kernel void @unrolled(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %p = phi ptr addrspace(1) [ %from, %0 ], [ %p.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum7, %loop ]
  %p0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %v0 = load float, ptr addrspace(1) %p0
  %sum0 = fadd float %sum, %v0
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 4
  %v1 = load float, ptr addrspace(1) %p1
  %sum1 = fadd float %sum0, %v1
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v2 = load float, ptr addrspace(1) %p2
  %sum2 = fadd float %sum1, %v2
  %p3 = getelementptr i8, ptr addrspace(1) %p, i64 12
  %v3 = load float, ptr addrspace(1) %p3
  %sum3 = fadd float %sum2, %v3
  %p4 = getelementptr i8, ptr addrspace(1) %p, i64 16
  %v4 = load float, ptr addrspace(1) %p4
  %sum4 = fadd float %sum3, %v4
  %p5 = getelementptr i8, ptr addrspace(1) %p, i64 20
  %v5 = load float, ptr addrspace(1) %p5
  %sum5 = fadd float %sum4, %v5
  %p6 = getelementptr i8, ptr addrspace(1) %p, i64 24
  %v6 = load float, ptr addrspace(1) %p6
  %sum6 = fadd float %sum5, %v6
  %p7 = getelementptr i8, ptr addrspace(1) %p, i64 28
  %v7 = load float, ptr addrspace(1) %p7
  %sum7 = fadd float %sum6, %v7
  %p.next = getelementptr i8, ptr addrspace(1) %p, i64 32
  %next = add nuw nsw i32 %i, 8
  %more = icmp ne i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store float %sum7, ptr addrspace(1) %to
  ret void
}
define ptx_kernel void @twice(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %n) "nvvm.minctasm"="2" {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %p = phi ptr addrspace(1) [ %from, %0 ], [ %p.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum7, %loop ]
  %p0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %v0 = load float, ptr addrspace(1) %p0
  %sum0 = fadd float %sum, %v0
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 4
  %v1 = load float, ptr addrspace(1) %p1
  %sum1 = fadd float %sum0, %v1
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v2 = load float, ptr addrspace(1) %p2
  %sum2 = fadd float %sum1, %v2
  %p3 = getelementptr i8, ptr addrspace(1) %p, i64 12
  %v3 = load float, ptr addrspace(1) %p3
  %sum3 = fadd float %sum2, %v3
  %p4 = getelementptr i8, ptr addrspace(1) %p, i64 16
  %v4 = load float, ptr addrspace(1) %p4
  %sum4 = fadd float %sum3, %v4
  %p5 = getelementptr i8, ptr addrspace(1) %p, i64 20
  %v5 = load float, ptr addrspace(1) %p5
  %sum5 = fadd float %sum4, %v5
  %p6 = getelementptr i8, ptr addrspace(1) %p, i64 24
  %v6 = load float, ptr addrspace(1) %p6
  %sum6 = fadd float %sum5, %v6
  %p7 = getelementptr i8, ptr addrspace(1) %p, i64 28
  %v7 = load float, ptr addrspace(1) %p7
  %sum7 = fadd float %sum6, %v7
  %p.next = getelementptr i8, ptr addrspace(1) %p, i64 32
  %next = add nuw nsw i32 %i, 8
  %more = icmp ne i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store float %sum7, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: .entry sums(
; CHECK: .maxnreg 64
; CHECK: ret;
define ptx_kernel void @sums(ptr %to, ptr readonly %from, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr %from, i32 %i
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  store float %r, ptr %to
  ret void
}

; The size of a block says nothing of how many blocks shall run at a time.
; CHECK-LABEL: .entry sized(
; CHECK-DAG: .maxnreg 64
; CHECK-DAG: .maxntid 256
; CHECK: ret;
define ptx_kernel void @sized(ptr %to, ptr readonly %from, i32 %n) "nvvm.maxntid"="256" {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr %from, i32 %i
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  store float %r, ptr %to
  ret void
}

; What the program says holds.
; CHECK-LABEL: .entry bounded(
; CHECK-NOT: .maxnreg
; CHECK: .minnctapersm 2
; CHECK-NOT: .maxnreg
; CHECK: ret;
define ptx_kernel void @bounded(ptr %to, ptr readonly %from, i32 %n) "nvvm.maxntid"="256" "nvvm.minctasm"="2" {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr %from, i32 %i
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  store float %r, ptr %to
  ret void
}

; A loop that writes, and one that other warps hide the waiting of.
; CHECK-LABEL: .entry writes(
; CHECK-NOT: .maxnreg
; CHECK: ret;
define ptx_kernel void @writes(ptr %to, ptr readonly %from, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %from, i32 %i
  %v = load float, ptr %p
  %q = getelementptr float, ptr %to, i32 %i
  store float %v, ptr %q
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: .entry waits(
; CHECK-NOT: .maxnreg
; CHECK: ret;
define ptx_kernel void @waits(ptr %to, ptr readonly %from, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr %from, i32 %i
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store float %r, ptr %to
  ret void
}

; What it loads next may depend on what it has loaded in the iteration before.
; CHECK-LABEL: .entry follows(
; CHECK: .maxnreg 64
; CHECK: ret;
define ptx_kernel void @follows(ptr %to, ptr readonly %next, ptr readonly %from, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %at = phi i32 [ 0, %0 ], [ %at.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %c = getelementptr i32, ptr %next, i32 %at
  %at.next = load i32, ptr %c
  %p = getelementptr float, ptr %from, i32 %at
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  %r = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  store float %r, ptr %to
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}

; Without a loop, of one that loads more than 64 registers' worth before it computes.
; CHECK-LABEL: .entry much(
; CHECK: .maxnreg 64
; CHECK: ret;
define ptx_kernel void @much(ptr noalias %to, ptr noalias readonly %from, i64 %n) {
  %v0 = load <16 x float>, ptr %from, align 16
  %p1 = getelementptr <16 x float>, ptr %from, i64 %n
  %v1 = load <16 x float>, ptr %p1, align 16
  %p2 = getelementptr <16 x float>, ptr %p1, i64 %n
  %v2 = load <16 x float>, ptr %p2, align 16
  %p3 = getelementptr <16 x float>, ptr %p2, i64 %n
  %v3 = load <16 x float>, ptr %p3, align 16
  %s0 = fmul <16 x float> %v0, %v1
  %s1 = fmul <16 x float> %v2, %v3
  %r = fmul <16 x float> %s0, %s1
  store <16 x float> %r, ptr %to, align 16
  ret void
}

; CHECK-LABEL: .entry little(
; CHECK-NOT: .maxnreg
; CHECK: ret;
define ptx_kernel void @little(ptr noalias %to, ptr noalias readonly %from, i64 %n) {
  %v0 = load <16 x float>, ptr %from, align 16
  %p1 = getelementptr <16 x float>, ptr %from, i64 %n
  %v1 = load <16 x float>, ptr %p1, align 16
  %r = fmul <16 x float> %v0, %v1
  store <16 x float> %r, ptr %to, align 16
  ret void
}

; Loops that copy in several blocks one after the other may have 40 registers,
; also behind a barrier: the stores then wait behind the next block's load.
; CHECK-LABEL: .entry copies(
; CHECK: .maxnreg 40
; CHECK: bar.sync
; CHECK: ret;
define ptx_kernel void @copies(ptr noalias %to, ptr noalias readonly %from, ptr noalias readonly %flags, i64 %n) {
  %some = icmp sgt i64 %n, 0
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [ 0, %0 ], [ %i.next, %last ]
  %f = getelementptr i32, ptr %flags, i64 %i
  %flag = load i32, ptr %f
  %p = getelementptr float, ptr %from, i64 %i
  %q = getelementptr float, ptr %to, i64 %i
  %bit0 = and i32 %flag, 1
  %is0 = icmp eq i32 %bit0, 0
  br i1 %is0, label %a, label %b
a:
  %pa = getelementptr i8, ptr %p, i64 1000
  %va = load float, ptr %pa
  store float %va, ptr %q
  br label %b
b:
  %bit1 = and i32 %flag, 2
  %is1 = icmp eq i32 %bit1, 0
  br i1 %is1, label %c, label %d
c:
  %pc = getelementptr i8, ptr %p, i64 2000
  %vc = load float, ptr %pc
  %qc = getelementptr i8, ptr %q, i64 2000
  store float %vc, ptr %qc
  br label %d
d:
  %bit2 = and i32 %flag, 4
  %is2 = icmp eq i32 %bit2, 0
  br i1 %is2, label %e, label %last
e:
  %pe = getelementptr i8, ptr %p, i64 3000
  %ve = load float, ptr %pe
  %qe = getelementptr i8, ptr %q, i64 3000
  store float %ve, ptr %qe
  br label %last
last:
  %i.next = add nuw nsw i64 %i, 1
  %go = icmp slt i64 %i.next, %n
  br i1 %go, label %loop, label %end
end:
  ret void
}

; What might be written meanwhile has to be stored first.
; CHECK-LABEL: .entry moves(
; CHECK-NOT: .maxnreg
; CHECK: ret;
define ptx_kernel void @moves(ptr %to, ptr %from, ptr noalias readonly %flags, i64 %n) {
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [ 0, %0 ], [ %i.next, %last ]
  %f = getelementptr i32, ptr %flags, i64 %i
  %flag = load i32, ptr %f
  %p = getelementptr float, ptr %from, i64 %i
  %q = getelementptr float, ptr %to, i64 %i
  %bit0 = and i32 %flag, 1
  %is0 = icmp eq i32 %bit0, 0
  br i1 %is0, label %a, label %b
a:
  %pa = getelementptr i8, ptr %p, i64 1000
  %va = load float, ptr %pa
  store float %va, ptr %q
  br label %b
b:
  %bit1 = and i32 %flag, 2
  %is1 = icmp eq i32 %bit1, 0
  br i1 %is1, label %c, label %d
c:
  %pc = getelementptr i8, ptr %p, i64 2000
  %vc = load float, ptr %pc
  %qc = getelementptr i8, ptr %q, i64 2000
  store float %vc, ptr %qc
  br label %d
d:
  %bit2 = and i32 %flag, 4
  %is2 = icmp eq i32 %bit2, 0
  br i1 %is2, label %e, label %last
e:
  %pe = getelementptr i8, ptr %p, i64 3000
  %ve = load float, ptr %pe
  %qe = getelementptr i8, ptr %q, i64 3000
  store float %ve, ptr %qe
  br label %last
last:
  %i.next = add nuw nsw i64 %i, 1
  %go = icmp slt i64 %i.next, %n
  br i1 %go, label %loop, label %end
end:
  ret void
}

; Bytes come from the caches.
; CHECK-LABEL: .entry bytes(
; CHECK-NOT: .maxnreg
; CHECK: ret;
define ptx_kernel void @bytes(ptr %to, ptr readonly %from, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %sum.next, %loop ]
  %p = getelementptr i8, ptr %from, i32 %i
  %v = load i8, ptr %p
  %w = zext i8 %v to i32
  %sum.next = add i32 %sum, %w
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi i32 [ 0, %0 ], [ %sum.next, %loop ]
  store i32 %r, ptr %to
  ret void
}

; Those of a column are each in a line of their own.
; CHECK-LABEL: .entry columns(
; CHECK: .maxnreg 64
; CHECK: ret;
define ptx_kernel void @columns(ptr %to, ptr readonly %from, i32 %n, i64 %row) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %sum.next, %loop ]
  %w.i = zext nneg i32 %i to i64
  %place = mul i64 %w.i, %row
  %p = getelementptr i8, ptr %from, i64 %place
  %v = load i8, ptr %p
  %w = zext i8 %v to i32
  %sum.next = add i32 %sum, %w
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi i32 [ 0, %0 ], [ %sum.next, %loop ]
  store i32 %r, ptr %to
  ret void
}
