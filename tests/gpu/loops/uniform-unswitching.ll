; A loop each iteration of which asks for a parameter of the kernel is there once for
; either answer; one that asks what threads have of their own stays one.
; RUN: cufort-opt -passes=gpu-uniform-unswitching %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @parameter(
; CHECK-NOT: select
; CHECK: [[NOT:%.*]] = icmp eq i8 %{{.*}}, 0
; CHECK-NEXT: br i1 [[NOT]],
; CHECK-COUNT-2: load float
; CHECK-NOT: select
; CHECK: ret void
define ptx_kernel void @parameter(ptr addrspace(1) noalias %to, ptr addrspace(1) noalias readonly %from, i32 %n, i32 %channels, i8 %last) mustprogress {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %isLast = icmp ne i8 %last, 0
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %s = phi float [ 0.0, %0 ], [ %sum, %loop ]
  %product = mul nsw i32 %i, %channels
  %place = add nsw i32 %product, %t
  %index = select i1 %isLast, i32 %place, i32 %i
  %p = getelementptr float, ptr addrspace(1) %from, i32 %index
  %v = load float, ptr addrspace(1) %p
  %sum = fadd float %s, %v
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %result = phi float [ 0.0, %0 ], [ %sum, %loop ]
  %q = getelementptr float, ptr addrspace(1) %to, i32 %t
  store float %result, ptr addrspace(1) %q
  ret void
}

; Two questions, one of which is the thread's own.
; CHECK-LABEL: define ptx_kernel void @own(
; CHECK: %index = select i1 %isLast, i32 %place, i32 %i
; CHECK: load float
; CHECK-NOT: load
; CHECK: ret void
define ptx_kernel void @own(ptr addrspace(1) noalias %to, ptr addrspace(1) noalias readonly %from, i32 %n, i32 %channels, i8 %last) mustprogress {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %isLast = icmp eq i32 %t, 7
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %s = phi float [ 0.0, %0 ], [ %sum, %loop ]
  %product = mul nsw i32 %i, %channels
  %place = add nsw i32 %product, %t
  %index = select i1 %isLast, i32 %place, i32 %i
  %p = getelementptr float, ptr addrspace(1) %from, i32 %index
  %v = load float, ptr addrspace(1) %p
  %sum = fadd float %s, %v
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %result = phi float [ 0.0, %0 ], [ %sum, %loop ]
  %q = getelementptr float, ptr addrspace(1) %to, i32 %t
  store float %result, ptr addrspace(1) %q
  ret void
}

; Of both kinds in one loop: the parameter's parts it, the thread's own does not.
; CHECK-LABEL: define ptx_kernel void @both(
; CHECK: select i1 %isSeventh
; CHECK: select i1 %isSeventh
; CHECK-NOT: select
; CHECK: ret void
define ptx_kernel void @both(ptr addrspace(1) noalias %to, ptr addrspace(1) noalias readonly %from, i32 %n, i32 %channels, i8 %last) mustprogress {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %isLast = icmp ne i8 %last, 0
  %isSeventh = icmp eq i32 %t, 7
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %s = phi float [ 0.0, %0 ], [ %sum, %loop ]
  %product = mul nsw i32 %i, %channels
  %place = add nsw i32 %product, %t
  %index = select i1 %isLast, i32 %place, i32 %i
  %p = getelementptr float, ptr addrspace(1) %from, i32 %index
  %v = load float, ptr addrspace(1) %p
  %w = fmul float %v, %v
  %x = select i1 %isSeventh, float %v, float %w
  %sum = fadd float %s, %x
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  %result = phi float [ 0.0, %0 ], [ %sum, %loop ]
  %q = getelementptr float, ptr addrspace(1) %to, i32 %t
  store float %result, ptr addrspace(1) %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
