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

; A search by halves that would take a few more than 64 registers may have those:
; more of its warps run.
; CHECK-LABEL: .entry search(
; CHECK: .maxnreg 64
define ptx_kernel void @search(ptr addrspace(1) noalias %to, ptr addrspace(1) noalias readonly %a, i64 %n, i64 %x) {
  %p0 = getelementptr i64, ptr addrspace(1) %a, i64 0
  %v0 = load i64, ptr addrspace(1) %p0
  %p1 = getelementptr i64, ptr addrspace(1) %a, i64 3
  %v1 = load i64, ptr addrspace(1) %p1
  %p2 = getelementptr i64, ptr addrspace(1) %a, i64 6
  %v2 = load i64, ptr addrspace(1) %p2
  %p3 = getelementptr i64, ptr addrspace(1) %a, i64 9
  %v3 = load i64, ptr addrspace(1) %p3
  %p4 = getelementptr i64, ptr addrspace(1) %a, i64 12
  %v4 = load i64, ptr addrspace(1) %p4
  %p5 = getelementptr i64, ptr addrspace(1) %a, i64 15
  %v5 = load i64, ptr addrspace(1) %p5
  %p6 = getelementptr i64, ptr addrspace(1) %a, i64 18
  %v6 = load i64, ptr addrspace(1) %p6
  %p7 = getelementptr i64, ptr addrspace(1) %a, i64 21
  %v7 = load i64, ptr addrspace(1) %p7
  %p8 = getelementptr i64, ptr addrspace(1) %a, i64 24
  %v8 = load i64, ptr addrspace(1) %p8
  %p9 = getelementptr i64, ptr addrspace(1) %a, i64 27
  %v9 = load i64, ptr addrspace(1) %p9
  %p10 = getelementptr i64, ptr addrspace(1) %a, i64 30
  %v10 = load i64, ptr addrspace(1) %p10
  %p11 = getelementptr i64, ptr addrspace(1) %a, i64 33
  %v11 = load i64, ptr addrspace(1) %p11
  %p12 = getelementptr i64, ptr addrspace(1) %a, i64 36
  %v12 = load i64, ptr addrspace(1) %p12
  %p13 = getelementptr i64, ptr addrspace(1) %a, i64 39
  %v13 = load i64, ptr addrspace(1) %p13
  %p14 = getelementptr i64, ptr addrspace(1) %a, i64 42
  %v14 = load i64, ptr addrspace(1) %p14
  %p15 = getelementptr i64, ptr addrspace(1) %a, i64 45
  %v15 = load i64, ptr addrspace(1) %p15
  %p16 = getelementptr i64, ptr addrspace(1) %a, i64 48
  %v16 = load i64, ptr addrspace(1) %p16
  %p17 = getelementptr i64, ptr addrspace(1) %a, i64 51
  %v17 = load i64, ptr addrspace(1) %p17
  %p18 = getelementptr i64, ptr addrspace(1) %a, i64 54
  %v18 = load i64, ptr addrspace(1) %p18
  %p19 = getelementptr i64, ptr addrspace(1) %a, i64 57
  %v19 = load i64, ptr addrspace(1) %p19
  %p20 = getelementptr i64, ptr addrspace(1) %a, i64 60
  %v20 = load i64, ptr addrspace(1) %p20
  %p21 = getelementptr i64, ptr addrspace(1) %a, i64 63
  %v21 = load i64, ptr addrspace(1) %p21
  %p22 = getelementptr i64, ptr addrspace(1) %a, i64 66
  %v22 = load i64, ptr addrspace(1) %p22
  %p23 = getelementptr i64, ptr addrspace(1) %a, i64 69
  %v23 = load i64, ptr addrspace(1) %p23
  %p24 = getelementptr i64, ptr addrspace(1) %a, i64 72
  %v24 = load i64, ptr addrspace(1) %p24
  %p25 = getelementptr i64, ptr addrspace(1) %a, i64 75
  %v25 = load i64, ptr addrspace(1) %p25
  br label %loop
loop:
  %low = phi i64 [ 0, %0 ], [ %nextlow, %loop ]
  %length = phi i64 [ %n, %0 ], [ %rest, %loop ]
  %half = lshr i64 %length, 1
  %middle = add i64 %low, %half
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %middle
  %v = load i64, ptr addrspace(1) %p
  %above = icmp ugt i64 %v, %x
  %nextlow = select i1 %above, i64 %low, i64 %middle
  %rest = sub i64 %length, %half
  %more = icmp ugt i64 %rest, 1
  br i1 %more, label %loop, label %end
end:
  %s0 = add i64 %nextlow, %v0
  %t1 = mul i64 %s0, %s0
  %s1 = add i64 %t1, %v1
  %t2 = mul i64 %s1, %s1
  %s2 = add i64 %t2, %v2
  %t3 = mul i64 %s2, %s2
  %s3 = add i64 %t3, %v3
  %t4 = mul i64 %s3, %s3
  %s4 = add i64 %t4, %v4
  %t5 = mul i64 %s4, %s4
  %s5 = add i64 %t5, %v5
  %t6 = mul i64 %s5, %s5
  %s6 = add i64 %t6, %v6
  %t7 = mul i64 %s6, %s6
  %s7 = add i64 %t7, %v7
  %t8 = mul i64 %s7, %s7
  %s8 = add i64 %t8, %v8
  %t9 = mul i64 %s8, %s8
  %s9 = add i64 %t9, %v9
  %t10 = mul i64 %s9, %s9
  %s10 = add i64 %t10, %v10
  %t11 = mul i64 %s10, %s10
  %s11 = add i64 %t11, %v11
  %t12 = mul i64 %s11, %s11
  %s12 = add i64 %t12, %v12
  %t13 = mul i64 %s12, %s12
  %s13 = add i64 %t13, %v13
  %t14 = mul i64 %s13, %s13
  %s14 = add i64 %t14, %v14
  %t15 = mul i64 %s14, %s14
  %s15 = add i64 %t15, %v15
  %t16 = mul i64 %s15, %s15
  %s16 = add i64 %t16, %v16
  %t17 = mul i64 %s16, %s16
  %s17 = add i64 %t17, %v17
  %t18 = mul i64 %s17, %s17
  %s18 = add i64 %t18, %v18
  %t19 = mul i64 %s18, %s18
  %s19 = add i64 %t19, %v19
  %t20 = mul i64 %s19, %s19
  %s20 = add i64 %t20, %v20
  %t21 = mul i64 %s20, %s20
  %s21 = add i64 %t21, %v21
  %t22 = mul i64 %s21, %s21
  %s22 = add i64 %t22, %v22
  %t23 = mul i64 %s22, %s22
  %s23 = add i64 %t23, %v23
  %t24 = mul i64 %s23, %s23
  %s24 = add i64 %t24, %v24
  %t25 = mul i64 %s24, %s24
  %s25 = add i64 %t25, %v25
  store i64 %s25, ptr addrspace(1) %to
  ret void
}

; One that holds little takes what it needs.
; CHECK-LABEL: .entry search_only(
; CHECK-NOT: .maxnreg
; CHECK: ret;
define ptx_kernel void @search_only(ptr addrspace(1) noalias %to, ptr addrspace(1) noalias readonly %a, i64 %n, i64 %x) {
  br label %loop
loop:
  %low = phi i64 [ 0, %0 ], [ %nextlow, %loop ]
  %length = phi i64 [ %n, %0 ], [ %rest, %loop ]
  %half = lshr i64 %length, 1
  %middle = add i64 %low, %half
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %middle
  %v = load i64, ptr addrspace(1) %p
  %above = icmp ugt i64 %v, %x
  %nextlow = select i1 %above, i64 %low, i64 %middle
  %rest = sub i64 %length, %half
  %more = icmp ugt i64 %rest, 1
  br i1 %more, label %loop, label %end
end:
  store i64 %nextlow, ptr addrspace(1) %to
  ret void
}
