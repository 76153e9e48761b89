; A math function that is called twice with the same number is called once, and
; before a loop that does not change the number, through the program's own
; procedures. CUDA's front end says of each call that threads may have to make it
; together. With constants its value is known now, and what stands before and
; behind calls stays in its order. Of the pass gpu-math-calls, which needs the
; functions that gpu-math links.
; RUN: cufort-opt -passes=gpu-math,gpu-math-calls -device-folder=%build/lib/cufort/device %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare double @__nv_sin(double) #0
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define internal double @sin(double %x) #0 {
  %place = alloca double
  store double %x, ptr %place
  %v = load double, ptr %place
  %r = call double @__nv_sin(double %v) #0
  ret double %r
}

; One reduction of a large argument.
; CHECK-LABEL: define ptx_kernel void @square(
; CHECK: %x = load double, ptr addrspace(1) %a
; CHECK-NEXT: [[SINE:%.*]] = call double @__nv_sin(double %x)
; CHECK-NEXT: %product = fmul double [[SINE]], [[SINE]]
; CHECK-NOT: call
; CHECK: ret void
define ptx_kernel void @square(ptr addrspace(1) %a) {
  %x = load double, ptr addrspace(1) %a
  %one = call double @sin(double %x) #0
  %other = call double @sin(double %x) #0
  %product = fmul double %one, %other
  store double %product, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: define ptx_kernel void @iterations(
; CHECK: [[SINE:%.*]] = call double @__nv_sin(double %x)
; CHECK-NEXT: br label %loop
; CHECK: {{^}}loop:
; CHECK-NOT: call
; CHECK: %product = fmul double [[SINE]], %v
; CHECK-NOT: call
; CHECK: br i1 %more, label %loop, {{.*}}, !llvm.loop
; CHECK-NOT: call
; CHECK: ret void
define ptx_kernel void @iterations(ptr addrspace(1) noalias %to, ptr addrspace(1) noalias readonly %from, i32 %n, double %x) mustprogress {
  br label %test
test:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %s = phi double [ 0.0, %0 ], [ %sum, %loop ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %loop, label %end
loop:
  %factor = call double @sin(double %x) #0
  %p = getelementptr double, ptr addrspace(1) %from, i32 %i
  %v = load double, ptr addrspace(1) %p
  %product = fmul double %factor, %v
  %sum = fadd double %s, %product
  %next = add nsw i32 %i, 1
  br label %test, !llvm.loop !0
end:
  store double %s, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define ptx_kernel void @constants(
; CHECK-NOT: call
; CHECK: store double 0x3E80000000000000, ptr addrspace(1) %a
; CHECK-NOT: call
; CHECK: store double 0x3FFA61298E1E069C, ptr addrspace(1) %next
; CHECK-NOT: call
; CHECK: ret void
define ptx_kernel void @constants(ptr addrspace(1) %a) {
  %two = call double @half() #0
  %power = call double @__nv_pow(double %two, double 23.0) #0
  store double %power, ptr addrspace(1) %a
  %exponential = call double @__nv_exp(double %two) #0
  %next = getelementptr double, ptr addrspace(1) %a, i32 2
  store double %exponential, ptr addrspace(1) %next
  ret void
}
define internal double @half() #0 {
  ret double 0.5
}
declare double @__nv_pow(double, double) #0
declare double @__nv_exp(double) #0

; Two quotients, which take long, at the same time.
; CHECK-LABEL: define ptx_kernel void @order(
; CHECK: %one = fdiv float %y, %x
; CHECK-NEXT: %other = fdiv float %x, %y
; CHECK-NEXT: %root = call float @llvm.sqrt.f32(float %one)
; CHECK-NEXT: %third = call float @llvm.sqrt.f32(float %other)
; CHECK: call double @__nv_sin(double %z)
; CHECK: ret void
define ptx_kernel void @order(ptr addrspace(1) %a, float %x, float %y, double %z) {
  %one = fdiv float %y, %x
  %other = fdiv float %x, %y
  %root = call float @llvm.sqrt.f32(float %one)
  %third = call float @llvm.sqrt.f32(float %other)
  br label %behind
behind:
  %product = fmul float %root, %third
  %sine = call double @sin(double %z) #0
  %extended = fpext float %product to double
  %sum = fadd double %extended, %sine
  store double %sum, ptr addrspace(1) %a
  ret void
}
declare float @llvm.sqrt.f32(float)

attributes #0 = { convergent nounwind }
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
