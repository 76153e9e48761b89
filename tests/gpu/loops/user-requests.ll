; How the program wants a loop unrolled is remembered, as LLVM forgets it: a loop
; that shall stay one keeps its mark for ptxas, while what LLVM has marked itself is
; dropped. Of the passes gpu-annotation and gpu-loop-cleanup.
; RUN: cufort-opt -passes=gpu-annotation %s | FileCheck %s
; RUN: cufort-opt -passes=gpu-annotation,gpu-loop-cleanup %s | FileCheck %s --check-prefix=KEPT
; RUN: cufort-opt -passes=gpu-loop-cleanup %s | FileCheck %s --check-prefix=DROPPED
; RUN: cufort-ptx %s | FileCheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"
@tile = external addrspace(3) global [0 x float], align 4

; CHECK-LABEL: define ptx_kernel void @never(
; CHECK: br i1 %c, label %loop, label %end, !llvm.loop [[LOOP:![0-9]+]]
; KEPT-LABEL: define ptx_kernel void @never(
; KEPT: br i1 {{%.*}}, label %loop, label %end, !llvm.loop [[LOOP:![0-9]+]]
; DROPPED-LABEL: define ptx_kernel void @never(
; DROPPED: br i1 {{%.*}}, label %loop, label %end, !llvm.loop [[LOOP:![0-9]+]]
; PTX-LABEL: .entry never(
; PTX: .pragma "nounroll"
; PTX: bra
; PTX: ret;
define ptx_kernel void @never(ptr %a) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 1.0, %0 ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %v = load float, ptr addrspace(3) %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp ne i32 %i.next, 8
  br i1 %c, label %loop, label %end, !llvm.loop !0
end:
  store float %sum.next, ptr %a
  ret void
}

; Of a loop of which the program says nothing nothing is remembered.
; CHECK-LABEL: define ptx_kernel void @free(
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; CHECK: [[LOOP]] = distinct !{[[LOOP]], [[NEVER:![0-9]+]], [[USER:![0-9]+]]}
; CHECK-DAG: [[NEVER]] = !{!"llvm.loop.unroll.disable"}
; CHECK-DAG: [[USER]] = !{!"cufort.unroll.user", i32 0}
; KEPT: [[LOOP]] = distinct !{[[LOOP]], [[NEVER:![0-9]+]], {{.*}}}
; KEPT: [[NEVER]] = !{!"llvm.loop.unroll.disable"}
; DROPPED-NOT: llvm.loop.unroll.disable
; DROPPED: [[LOOP]] = distinct !{[[LOOP]]}
; DROPPED-NOT: llvm.loop.unroll.disable
define ptx_kernel void @free(ptr %a, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 1.0, %0 ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %v = load float, ptr addrspace(3) %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp ne i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  store float %sum.next, ptr %a
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
