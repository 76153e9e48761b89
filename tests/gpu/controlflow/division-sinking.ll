; Where a quotient is needed under a condition only, it is not computed otherwise:
; LLVM would divide always, and select.
; RUN: cufort-opt -passes=gpu-division-sinking %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @branch(
; CHECK: %several = icmp sgt i32 %k, 1
; CHECK-NEXT: [[SEVERAL:%.*]] = freeze i1 %several
; CHECK-NEXT: br i1 [[SEVERAL]], label %[[DIVIDE:.*]], label %[[END:.*]]
; CHECK: [[DIVIDE]]:
; CHECK-NEXT: %f = sitofp i32 %k to float
; CHECK-NEXT: %q = fdiv float %x, %f
; CHECK-NEXT: br label %[[END]]
; CHECK: [[END]]:
; CHECK-NEXT: %r = phi float [ %q, %[[DIVIDE]] ], [ %x, %0 ]
define ptx_kernel void @branch(ptr addrspace(1) %a, i32 %k) {
  %x = load float, ptr addrspace(1) %a
  %several = icmp sgt i32 %k, 1
  %f = sitofp i32 %k to float
  %q = fdiv float %x, %f
  %r = select i1 %several, float %q, float %x
  store float %r, ptr addrspace(1) %a
  ret void
}

; In a loop of one block, on the way that the condition does not take.
; CHECK-LABEL: define ptx_kernel void @otherwise(
; CHECK: %c = fcmp olt float %v, %y
; CHECK: br i1 %{{.*}}, label %[[END:.*]], label %[[DIVIDE:.*]]
; CHECK: [[DIVIDE]]:
; CHECK-NEXT: %q = fdiv float %sum, %y
; CHECK-NEXT: br label %[[END]]
; CHECK: [[END]]:
; CHECK-NEXT: %r = phi float [ %sum, %loop ], [ %q, %[[DIVIDE]] ]
define ptx_kernel void @otherwise(ptr addrspace(1) %a, float %y, i32 %n, i32 %m) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %x = phi float [ 1.0, %0 ], [ %r, %loop ]
  %place = mul i32 %i, %m
  %p = getelementptr float, ptr addrspace(1) %a, i32 %place
  %v = load volatile float, ptr addrspace(1) %p
  %sum = fadd float %x, %v
  %c = fcmp olt float %v, %y
  %q = fdiv float %sum, %y
  %r = select i1 %c, float %sum, float %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  store float %r, ptr addrspace(1) %a
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}

; On both ways, and a root for the quotient.
; CHECK-LABEL: define ptx_kernel void @both(
; CHECK: br i1 %{{.*}}, label %[[DIVIDE:.*]], label %[[ROOT:.*]]
; CHECK: [[DIVIDE]]:
; CHECK-NEXT: %q = fdiv double %x, %y
; CHECK-NEXT: br
; CHECK: [[ROOT]]:
; CHECK-NEXT: %root = call double @llvm.sqrt.f64(double %x)
; CHECK-NEXT: %s = fadd double %root,
; CHECK: phi double [ %q, %[[DIVIDE]] ], [ %s, %[[ROOT]] ]
define ptx_kernel void @both(ptr addrspace(1) %a, double %y, i1 %c) {
  %x = load double, ptr addrspace(1) %a
  %q = fdiv double %x, %y
  %root = call double @llvm.sqrt.f64(double %x)
  %s = fadd double %root, 1.0
  %r = select i1 %c, double %q, double %s
  store double %r, ptr addrspace(1) %a
  ret void
}

; What is needed elsewhere as well, or costs little, is selected.
; CHECK-LABEL: define ptx_kernel void @selected(
; CHECK-NOT: br
; CHECK: ret void
define ptx_kernel void @selected(ptr addrspace(1) %a, float %y, i1 %c) {
  %x = load float, ptr addrspace(1) %a
  %q = fdiv float %x, %y
  %r = select i1 %c, float %q, float %x
  store float %r, ptr addrspace(1) %a
  %b = getelementptr float, ptr addrspace(1) %a, i32 1
  store float %q, ptr addrspace(1) %b
  %about = fdiv afn float %q, 3.0
  %s = select i1 %c, float %about, float %x
  %d = getelementptr float, ptr addrspace(1) %a, i32 2
  store float %s, ptr addrspace(1) %d
  ret void
}
declare double @llvm.sqrt.f64(double)

; So is a double or two between which would be chosen, but not a float.
; CHECK-LABEL: define ptx_kernel void @chosen(
; CHECK-NOT: select
; CHECK: br i1
; CHECK: fma
; CHECK: br
; CHECK: fma
; CHECK: phi double
; CHECK: ret void
define ptx_kernel void @chosen(ptr addrspace(1) %a, double %t, i32 %k) {
  %x = load double, ptr addrspace(1) %a
  %odd = trunc i32 %k to i1
  %c = call double @llvm.fma.f64(double %x, double %t, double 1.0)
  %s = call double @llvm.fma.f64(double %x, double %t, double %x)
  %r = select i1 %odd, double %c, double %s
  store double %r, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: define ptx_kernel void @float(
; CHECK-NOT: br
; CHECK: select
; CHECK: ret void
define ptx_kernel void @float(ptr addrspace(1) %a, float %t, i32 %k) {
  %x = load float, ptr addrspace(1) %a
  %odd = trunc i32 %k to i1
  %c = call float @llvm.fma.f32(float %x, float %t, float 1.0)
  %s = call float @llvm.fma.f32(float %x, float %t, float %x)
  %r = select i1 %odd, float %c, float %s
  store float %r, ptr addrspace(1) %a
  ret void
}
