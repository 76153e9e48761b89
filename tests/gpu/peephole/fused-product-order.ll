; A sum is fused with the product of its own block, not with that of a block
; before. Of the pass gpu-peephole.
; RUN: cufort-opt -passes=gpu-peephole %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: %sum = fadd contract float %p, %own
; CHECK: %difference = call contract float @llvm.fma.f32(float {{%[0-9]+}}, float %w, float %own)
define ptx_kernel void @k(ptr addrspace(1) %a, float %x, float %y, float %f, float %g, i32 %n) {
entry:
  %own = fmul contract float %x, %y
  %smax = tail call i32 @llvm.smax.i32(i32 %n, i32 1)
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %x, %entry ], [ %sum, %loop ]
  %w = phi float [ %y, %entry ], [ %difference, %loop ]
  %p = fmul contract float %f, %v
  %sum = fadd contract float %own, %p
  %q = fmul contract float %g, %w
  %difference = fsub contract float %own, %q
  %c = tail call float @llvm.nvvm.sqrt.rn.f(float %w)
  %0 = zext nneg i32 %i to i64
  %place = getelementptr float, ptr addrspace(1) %a, i64 %0
  store float %c, ptr addrspace(1) %place, align 4
  %next = add nuw nsw i32 %i, 1
  %exitcond.not = icmp ne i32 %next, %smax
  br i1 %exitcond.not, label %loop, label %out

out:                                              ; preds = %loop
  store float %sum, ptr addrspace(1) %a, align 4
  ret void
}
