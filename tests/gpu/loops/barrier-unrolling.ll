; Short loops with a barrier in each iteration do four iterations at a time, or as many as
; the program says; what is left over is a loop of its own. Of the pass
; gpu-partial-unrolling.
; RUN: cufort-opt -passes=gpu-partial-unrolling %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@row = external addrspace(3) global [0 x float], align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)

; CHECK-LABEL: define ptx_kernel void @four(
; CHECK: {{^}}loop:
; CHECK-NOT: br i1
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: br i1
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: br i1
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: br i1
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: br i1 {{.*}}label %loop,
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: {{^}}loop.epil:
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: br i1 {{.*}}label %loop.epil,
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: ret void
define ptx_kernel void @four(i32 %from, i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = zext nneg i32 %tid to i64
  %mine = getelementptr float, ptr addrspace(3) @row, i64 %1
  %left = getelementptr i8, ptr addrspace(3) %mine, i64 -4
  %any = icmp slt i32 %from, %to
  br i1 %any, label %loop.preheader, label %done
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ %from, %loop.preheader ]
  %a = load float, ptr addrspace(3) %left, align 4
  %b = load float, ptr addrspace(3) %mine, align 4
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %mine, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %exitcond.not = icmp eq i32 %next, %to
  br i1 %exitcond.not, label %done.loopexit, label %loop
done.loopexit:
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @asked(
; CHECK: {{^}}loop:
; CHECK-COUNT-2: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: br i1 {{.*}}label %loop,
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: {{^}}loop.epil:
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: ret void
define ptx_kernel void @asked(i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = zext nneg i32 %tid to i64
  %mine = getelementptr float, ptr addrspace(3) @row, i64 %1
  %any = icmp sgt i32 %to, 0
  br i1 %any, label %loop.preheader, label %done
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ 0, %loop.preheader ]
  %b = load float, ptr addrspace(3) %mine, align 4
  %c = fmul float %b, 3.000000e+00
  store float %c, ptr addrspace(3) %mine, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %next, %to
  br i1 %exitcond.not, label %done.loopexit, label %loop, !llvm.loop !0
done.loopexit:
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @thrice(
; CHECK: {{^}}loop:
; CHECK-COUNT-3: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: br i1 {{.*}}label %loop,
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: {{^}}loop.epil:
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: br i1 {{.*}}label %loop.epil,
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: ret void
define ptx_kernel void @thrice(i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = zext nneg i32 %tid to i64
  %mine = getelementptr float, ptr addrspace(3) @row, i64 %1
  %any = icmp sgt i32 %to, 0
  br i1 %any, label %loop.preheader, label %done
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ 0, %loop.preheader ]
  %b = load float, ptr addrspace(3) %mine, align 4
  %c = fmul float %b, 3.000000e+00
  store float %c, ptr addrspace(3) %mine, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %next, %to
  br i1 %exitcond.not, label %done.loopexit, label %loop, !llvm.loop !1
done.loopexit:
  br label %done
done:
  ret void
}

; With two barriers in an iteration only if the program says so.
; CHECK-LABEL: define ptx_kernel void @two(
; CHECK-COUNT-2: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: ret void
define ptx_kernel void @two(i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = zext nneg i32 %tid to i64
  %mine = getelementptr float, ptr addrspace(3) @row, i64 %1
  %left = getelementptr i8, ptr addrspace(3) %mine, i64 -4
  %any = icmp sgt i32 %to, 0
  br i1 %any, label %loop.preheader, label %done
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ 0, %loop.preheader ]
  %b = load float, ptr addrspace(3) %left, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store float %b, ptr addrspace(3) %mine, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %next, %to
  br i1 %exitcond.not, label %done.loopexit, label %loop
done.loopexit:
  br label %done
done:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @forbidden(
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: ret void
define ptx_kernel void @forbidden(i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = zext nneg i32 %tid to i64
  %mine = getelementptr float, ptr addrspace(3) @row, i64 %1
  %any = icmp sgt i32 %to, 0
  br i1 %any, label %loop.preheader, label %done
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ 0, %loop.preheader ]
  %b = load float, ptr addrspace(3) %mine, align 4
  %c = fmul float %b, 3.000000e+00
  store float %c, ptr addrspace(3) %mine, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %next, %to
  br i1 %exitcond.not, label %done.loopexit, label %loop, !llvm.loop !2
done.loopexit:
  br label %done
done:
  ret void
}

; Threads that come to the barrier in some iterations only may have different numbers
; of iterations.
; CHECK-LABEL: define ptx_kernel void @sometimes(
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: ret void
define ptx_kernel void @sometimes(i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = zext nneg i32 %tid to i64
  %mine = getelementptr float, ptr addrspace(3) @row, i64 %1
  %any = icmp slt i32 %tid, %to
  br i1 %any, label %loop.preheader, label %done
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %last ], [ %tid, %loop.preheader ]
  %b = load float, ptr addrspace(3) %mine, align 4
  %c = fmul float %b, 3.000000e+00
  store float %c, ptr addrspace(3) %mine, align 4
  %early = icmp samesign ult i32 %i, 1024
  br i1 %early, label %wait, label %last
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %last
last:
  %next = add nuw i32 %i, 1
  %exitcond.not = icmp eq i32 %next, %to
  br i1 %exitcond.not, label %done.loopexit, label %loop
done.loopexit:
  br label %done
done:
  ret void
}

; A shuffle is for lanes that are at the same place.
; CHECK-LABEL: define ptx_kernel void @shuffles(
; CHECK: @llvm.nvvm.shfl.sync
; CHECK-NOT: @llvm.nvvm.shfl.sync
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: {{@llvm.nvvm.(barrier|shfl)}}
; CHECK: ret void
define ptx_kernel void @shuffles(i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = zext nneg i32 %tid to i64
  %mine = getelementptr float, ptr addrspace(3) @row, i64 %1
  %any = icmp sgt i32 %to, 0
  br i1 %any, label %loop.preheader, label %done
loop.preheader:
  br label %loop
loop:
  %i = phi i32 [ %next, %loop ], [ 0, %loop.preheader ]
  %b = load float, ptr addrspace(3) %mine, align 4
  %c = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %b, i32 1, i32 31)
  store float %c, ptr addrspace(3) %mine, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp eq i32 %next, %to
  br i1 %exitcond.not, label %done.loopexit, label %loop
done.loopexit:
  br label %done
done:
  ret void
}

!0 = distinct !{!0, !3, !6}
!1 = distinct !{!1, !4, !6}
!2 = distinct !{!2, !5, !6}
!3 = !{!"llvm.loop.unroll.count", i32 2}
!4 = !{!"llvm.loop.unroll.count", i32 3}
!5 = !{!"llvm.loop.unroll.disable"}
!6 = !{!"cufort.unroll.user", i32 0}
