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
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
