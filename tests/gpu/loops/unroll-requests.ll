; What is asked of LLVM's passes that unroll loops, and dropped afterwards, as LLVM
; warns of what it has not done. Of the passes gpu-full-unrolling,
; gpu-partial-unrolling and gpu-loop-cleanup.
; RUN: cufort-opt -passes=gpu-full-unrolling %s | FileCheck %s --check-prefix=FULL
; RUN: cufort-opt -passes=gpu-partial-unrolling %s | FileCheck %s --check-prefix=PART
; RUN: cufort-opt -passes=gpu-full-unrolling,gpu-partial-unrolling,gpu-loop-cleanup %s | FileCheck %s --check-prefix=DONE
; RUN: cufort-opt -passes=gpu-partial-unrolling,gpu-loop-cleanup %s | FileCheck %s --check-prefix=DONE
target triple = "nvptx64-nvidia-cuda"

; FULL: br i1 %more, label %loop, label %out, !llvm.loop [[LOOP:![0-9]+]]
; FULL: [[LOOP]] = distinct !{[[LOOP]], [[ASKED:![0-9]+]], {{.*}}}
; FULL: [[ASKED]] = !{!"llvm.loop.unroll.full", i32 0}
; PART: br i1 %more, label %loop, label %out, !llvm.loop [[LOOP:![0-9]+]]
; PART: [[LOOP]] = distinct !{[[LOOP]], [[ASKED:![0-9]+]], {{.*}}}
; PART: [[ASKED]] = !{!"llvm.loop.unroll.count", i32 8}
; DONE: br i1 %more{{.*}}, !llvm.loop [[LOOP:![0-9]+]]
; DONE: [[LOOP]] = distinct !{[[LOOP]]}
define ptx_kernel void @k(ptr addrspace(1) %to) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr inbounds float, ptr addrspace(1) %to, i64 %i
  %x = load float, ptr addrspace(1) %place
  %y = fadd float %x, 1.0
  store float %y, ptr addrspace(1) %place
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, 8
  br i1 %more, label %loop, label %out
out:
  ret void
}
