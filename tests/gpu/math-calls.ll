; A math function that is called twice with the same number is called once, and
; before a loop that does not change the number, through the program's own
; procedures. CUDA's front end says of each call that threads may have to make it
; together.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s
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
; CHECK-LABEL: .entry square(
; CHECK: 0d3FE45F306DC9C883
; CHECK-NOT: 0d3FE45F306DC9C883
; CHECK: ret;
define ptx_kernel void @square(ptr addrspace(1) %a) {
  %x = load double, ptr addrspace(1) %a
  %one = call double @sin(double %x) #0
  %other = call double @sin(double %x) #0
  %product = fmul double %one, %other
  store double %product, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: .entry turns(
; CHECK: 0d3FE45F306DC9C883
; CHECK: .pragma "nounroll"
; CHECK-NOT: 0d3FE45F306DC9C883
; CHECK: ret;
define ptx_kernel void @turns(ptr addrspace(1) noalias %to, ptr addrspace(1) noalias readonly %from, i32 %n, double %x) mustprogress {
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

attributes #0 = { convergent nounwind }
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
