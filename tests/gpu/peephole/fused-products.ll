; Of a sum of two products the one of the loop is fused, and what has been
; computed before it stays there.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry k(
; CHECK: mul.f32 [[BEFORE:%r[0-9]+]],
; CHECK: {{^}}$L
; CHECK-NOT: mul.f32
; CHECK: fma.rn.f32 {{.*}}, [[BEFORE]];
; CHECK-NOT: mul.f32
; CHECK: fma.rn.f32 {{.*}}, [[BEFORE]];
; CHECK-NOT: mul.f32
; CHECK: ret;
define ptx_kernel void @k(ptr addrspace(1) %a, float %x, float %y, float %f, float %g, i32 %n) {
entry:
  %own = fmul contract float %x, %y
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %x, %entry ], [ %sum, %loop ]
  %w = phi float [ %y, %entry ], [ %difference, %loop ]
  %p = fmul contract float %v, %f
  %sum = fadd contract float %own, %p
  %q = fmul contract float %w, %g
  %difference = fsub contract float %own, %q
  %c = call float @llvm.nvvm.sqrt.rn.f(float %w)
  %place = getelementptr float, ptr addrspace(1) %a, i32 %i
  store float %c, ptr addrspace(1) %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %out, !llvm.loop !0
out:
  store float %sum, ptr addrspace(1) %a
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
