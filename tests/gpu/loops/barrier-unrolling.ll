; Short loops with a barrier in each iteration do four iterations at a time, or as many as
; the program says; what is left over is a loop of its own.
; RUN: cufort-ptx -arch=80 %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@row = external addrspace(3) global [0 x float], align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)

; CHECK-LABEL: .entry four(
; CHECK: [[MAIN:\$L__BB[0-9_]+]]:
; CHECK-NOT: bra
; CHECK-COUNT-4: bar.sync
; CHECK-NOT: bar.sync
; CHECK: bra [[MAIN]];
; CHECK: bar.sync
; CHECK-NOT: bar.sync
; CHECK: ret;
define ptx_kernel void @four(i32 %from, i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr float, ptr addrspace(3) @row, i32 %tid
  %left = getelementptr float, ptr addrspace(3) %mine, i32 -1
  %any = icmp slt i32 %from, %to
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ %from, %0 ], [ %next, %loop ]
  %a = load float, ptr addrspace(3) %left
  %b = load float, ptr addrspace(3) %mine
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %to
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: .entry asked(
; CHECK: [[MAIN:\$L__BB[0-9_]+]]:
; CHECK-COUNT-2: bar.sync
; CHECK-NOT: bar.sync
; CHECK: bra [[MAIN]];
; CHECK: bar.sync
; CHECK-NOT: bar.sync
; CHECK: ret;
define ptx_kernel void @asked(i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr float, ptr addrspace(3) @row, i32 %tid
  %any = icmp sgt i32 %to, 0
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %b = load float, ptr addrspace(3) %mine
  %c = fmul float %b, 3.0
  store float %c, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %to
  br i1 %more, label %loop, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: .entry thrice(
; CHECK: [[MAIN:\$L__BB[0-9_]+]]:
; CHECK-COUNT-3: bar.sync
; CHECK-NOT: bar.sync
; CHECK: bra [[MAIN]];
; CHECK: bar.sync
; CHECK-NOT: bar.sync
; CHECK: ret;
define ptx_kernel void @thrice(i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr float, ptr addrspace(3) @row, i32 %tid
  %any = icmp sgt i32 %to, 0
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %b = load float, ptr addrspace(3) %mine
  %c = fmul float %b, 3.0
  store float %c, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %to
  br i1 %more, label %loop, label %done, !llvm.loop !4
done:
  ret void
}

; With two barriers in an iteration only if the program says so.
; CHECK-LABEL: .entry two(
; CHECK-COUNT-2: bar.sync
; CHECK-NOT: bar.sync
; CHECK: ret;
define ptx_kernel void @two(i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr float, ptr addrspace(3) @row, i32 %tid
  %left = getelementptr float, ptr addrspace(3) %mine, i32 -1
  %any = icmp sgt i32 %to, 0
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %b = load float, ptr addrspace(3) %left
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store float %b, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %to
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: .entry forbidden(
; CHECK: bar.sync
; CHECK-NOT: bar.sync
; CHECK: ret;
define ptx_kernel void @forbidden(i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr float, ptr addrspace(3) @row, i32 %tid
  %any = icmp sgt i32 %to, 0
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %b = load float, ptr addrspace(3) %mine
  %c = fmul float %b, 3.0
  store float %c, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %to
  br i1 %more, label %loop, label %done, !llvm.loop !1
done:
  ret void
}

; Threads that come to the barrier in some iterations only may have different numbers
; of iterations.
; CHECK-LABEL: .entry sometimes(
; CHECK: bar.sync
; CHECK-NOT: bar.sync
; CHECK: ret;
define ptx_kernel void @sometimes(i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr float, ptr addrspace(3) @row, i32 %tid
  %any = icmp slt i32 %tid, %to
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ %tid, %0 ], [ %next, %last ]
  %b = load float, ptr addrspace(3) %mine
  %c = fmul float %b, 3.0
  store float %c, ptr addrspace(3) %mine
  %early = icmp slt i32 %i, 1024
  br i1 %early, label %wait, label %last
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %last
last:
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %to
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A shuffle is for lanes that are at the same place.
; CHECK-LABEL: .entry shuffles(
; CHECK: shfl.sync
; CHECK-NOT: shfl.sync
; CHECK: ret;
define ptx_kernel void @shuffles(i32 %to) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr float, ptr addrspace(3) @row, i32 %tid
  %any = icmp sgt i32 %to, 0
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %b = load float, ptr addrspace(3) %mine
  %c = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %b, i32 1, i32 31)
  store float %c, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %to
  br i1 %more, label %loop, label %done
done:
  ret void
}

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !3}
!2 = !{!"llvm.loop.unroll.count", i32 2}
!3 = !{!"llvm.loop.unroll.disable"}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.unroll.count", i32 3}
