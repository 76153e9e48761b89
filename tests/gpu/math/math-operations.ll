; libdevice's operations may be fused with the program's where the program's own
; may; its assembly ends, so that loads behind it leave a loop; its absolute
; values are LLVM's.
; RUN: llvm-as %S/../Inputs/libdevice-operations.ll -o %t.bc
; RUN: cufort-ptx -libdevice=%t.bc -device-folder=%build/lib/cufort/device %s | FileCheck %s
; RUN: cufort-ptx -libdevice=%t.bc -device-folder=%build/lib/cufort/device -no-contract %s | FileCheck %s --check-prefix=APART

target triple = "nvptx64-nvidia-cuda"
declare float @__nv_expf(float)
declare float @__nv_powf(float, float)

; CHECK-LABEL: .entry sums(
; CHECK: ld.global
; CHECK: ld.global
; CHECK: $L
; CHECK: ex2.approx.ftz.f32
; CHECK-NOT: ld.global
; CHECK-NOT: mul
; CHECK: fma.rn.f32
; CHECK: ret;
; APART-LABEL: .entry sums(
; APART-NOT: fma
; APART: ret;
define ptx_kernel void @sums(ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias readonly %b, ptr addrspace(1) noalias %c, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %e1, %loop ]
  %f = load float, ptr addrspace(1) %a
  %v = fadd float %s, %f
  %e = call float @__nv_expf(float %v)
  %g = load float, ptr addrspace(1) %b
  %e1 = fadd contract float %e, %g
  %place = getelementptr float, ptr addrspace(1) %c, i32 %i
  store float %e1, ptr addrspace(1) %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %out, !llvm.loop !0
out:
  ret void
}

; CHECK-LABEL: .entry whole(
; CHECK-NOT: {{abs|setp|selp}}
; CHECK: ret;
define ptx_kernel void @whole(ptr addrspace(1) %a, float %x, i32 %n) {
  %real = sitofp i32 %n to float
  %r = call float @__nv_powf(float %x, float %real)
  store float %r, ptr addrspace(1) %a
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
