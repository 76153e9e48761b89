; Kernels that add up what they load may have 64 registers; ptxas would make do
; with 32, and wait for each few loads.
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

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


; Fewer for a loop that loads from where it has loaded in the same turn, also
; beside another one.
; CHECK-LABEL: .entry gathers(
; CHECK: .maxnreg 56
; CHECK: ret;
define ptx_kernel void @gathers(ptr %to, ptr readonly %from, ptr readonly %columns, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %c = getelementptr i32, ptr %columns, i32 %i
  %column = load i32, ptr %c
  %place = add nsw i32 %column, 1
  %p = getelementptr float, ptr %from, i32 %place
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %loop, label %others
others:
  %j = phi i32 [ 0, %loop ], [ %j.next, %others ]
  %more = phi float [ %sum.next, %loop ], [ %more.next, %others ]
  %q = getelementptr float, ptr %from, i32 %j
  %w = load float, ptr %q
  %more.next = fadd float %more, %w
  %j.next = add nuw nsw i32 %j, 1
  %d = icmp slt i32 %j.next, %n
  br i1 %d, label %others, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %more.next, %others ]
  store float %r, ptr %to
  ret void
}

; What it loads next may depend on what it has loaded in the turn before.
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

; Reading a texture there is the same.
; CHECK-LABEL: .entry reads(
; CHECK: .maxnreg 56
; CHECK: ret;
define ptx_kernel void @reads(ptr %to, i64 %texture, ptr readonly %columns, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %c = getelementptr i32, ptr %columns, i32 %i
  %column = load i32, ptr %c
  %v = call { float, float, float, float } asm "tex.1d.v4.f32.s32 {$0, $1, $2, $3}, [$4, {$5}];", "=f,=f,=f,=f,l,r"(i64 %texture, i32 %column) nounwind memory(none)
  %x = extractvalue { float, float, float, float } %v, 0
  %sum.next = fadd float %sum, %x
  %i.next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  store float %r, ptr %to
  ret void
}

; Without a loop, of one that loads much before it computes.
; CHECK-LABEL: .entry much(
; CHECK: .maxnreg 64
; CHECK: ret;
define ptx_kernel void @much(ptr noalias %to, ptr noalias readonly %from, i64 %n) {
  %v0 = load <4 x float>, ptr %from, align 16
  %p1 = getelementptr <4 x float>, ptr %from, i64 1
  %v1 = load <4 x float>, ptr %p1, align 16
  %p2 = getelementptr <4 x float>, ptr %from, i64 %n
  %v2 = load <4 x float>, ptr %p2, align 16
  %p3 = getelementptr <4 x float>, ptr %p2, i64 1
  %v3 = load <4 x float>, ptr %p3, align 16
  %p4 = getelementptr <4 x float>, ptr %p2, i64 %n
  %v4 = load <4 x float>, ptr %p4, align 16
  %p5 = getelementptr <4 x float>, ptr %p4, i64 1
  %v5 = load <4 x float>, ptr %p5, align 16
  %p6 = getelementptr <4 x float>, ptr %p4, i64 %n
  %v6 = load <4 x float>, ptr %p6, align 16
  %p7 = getelementptr <4 x float>, ptr %p6, i64 1
  %v7 = load <4 x float>, ptr %p7, align 16
  %s0 = fmul <4 x float> %v0, %v1
  %s1 = fmul <4 x float> %v2, %v3
  %s2 = fmul <4 x float> %v4, %v5
  %s3 = fmul <4 x float> %v6, %v7
  %t0 = fsub <4 x float> %s0, %s1
  %t1 = fsub <4 x float> %s2, %s3
  %r = fmul <4 x float> %t0, %t1
  store <4 x float> %r, ptr %to, align 16
  ret void
}

; CHECK-LABEL: .entry little(
; CHECK-NOT: .maxnreg
; CHECK: ret;
define ptx_kernel void @little(ptr noalias %to, ptr noalias readonly %from, i64 %n) {
  %v0 = load <4 x float>, ptr %from, align 16
  %p1 = getelementptr <4 x float>, ptr %from, i64 %n
  %v1 = load <4 x float>, ptr %p1, align 16
  %r = fmul <4 x float> %v0, %v1
  store <4 x float> %r, ptr %to, align 16
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


