; A math function that is called twice with the same number is called once, and
; before a loop that does not change the number. Of the pass gpu-math-calls.
; RUN: cufort-opt -passes=gpu-math-calls %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

define internal double @__nv_long(double %x) memory(none) willreturn nounwind {
  %a = fmul double %x, 3.0
  %b = fadd double %a, 1.0
  %c = fmul double %b, %x
  %d = fadd double %c, 2.0
  %e = fmul double %d, %x
  %f = fadd double %e, 3.0
  %g = fmul double %f, %x
  %h = fadd double %g, 4.0
  %i = fmul double %h, %x
  %j = fadd double %i, 5.0
  %k = fmul double %j, %x
  ret double %k
}

; CHECK-LABEL: define ptx_kernel void @twice(
; CHECK: call double @__nv_long(
; CHECK-NOT: call
; CHECK: ret void
define ptx_kernel void @twice(ptr addrspace(1) %to, double %x) {
  %one = call double @__nv_long(double %x)
  %other = call double @__nv_long(double %x)
  %product = fmul double %one, %other
  store double %product, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define ptx_kernel void @loop(
; CHECK: call double @__nv_long(
; CHECK: {{^}}loop:
; CHECK-NOT: call
; CHECK: ret void
define ptx_kernel void @loop(ptr addrspace(1) %to, double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %y = call double @__nv_long(double %x)
  %place = getelementptr inbounds double, ptr addrspace(1) %to, i64 %i
  store double %y, ptr addrspace(1) %place
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
