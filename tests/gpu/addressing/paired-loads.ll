; The other half of an aligned pair that is loaded is loaded with it, and not
; under the condition that needs it. Of the pass gpu-load-order.
; RUN: cufort-opt -passes=gpu-load-order %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; `if (v.y > y) *to = v.x;`
; CHECK-LABEL: define ptx_kernel void @together(
; CHECK: %vy = load float, ptr addrspace(1) %q, align 4
; CHECK-NEXT: [[P:%[0-9]+]] = getelementptr i8, ptr addrspace(1) %p, i64 0
; CHECK-NEXT: %vx = load float, ptr addrspace(1) [[P]], align 8
; CHECK: br i1 %above
; CHECK-NOT: load
; CHECK: ret void
define ptx_kernel void @together(ptr noalias readonly %v, float %y, ptr noalias %to) {
  %1 = addrspacecast ptr %v to ptr addrspace(1)
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %2 = zext nneg i32 %i to i64
  %p = getelementptr <2 x float>, ptr addrspace(1) %1, i64 %2
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  %vy = load float, ptr addrspace(1) %q, align 4
  %above = fcmp ogt float %vy, %y
  br i1 %above, label %use, label %end
use:
  %3 = addrspacecast ptr %to to ptr addrspace(1)
  %vx = load float, ptr addrspace(1) %p, align 8
  %d = fdiv float %vx, %vy
  store float %d, ptr addrspace(1) %3, align 4
  br label %end
end:
  ret void
}

; Not where the pair is not known to be aligned: half of it may lie elsewhere.
; CHECK-LABEL: define ptx_kernel void @unaligned(
; CHECK: %vy = load float, ptr addrspace(1) %q, align 4
; CHECK-NOT: load
; CHECK: br i1 %above, label %use, label %end
; CHECK: use:
; CHECK: %vx = load float, ptr addrspace(1) %p, align 4
; CHECK: ret void
define ptx_kernel void @unaligned(ptr noalias readonly %v, float %y, ptr noalias %to) {
  %1 = addrspacecast ptr %v to ptr addrspace(1)
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %2 = zext nneg i32 %i to i64
  %p = getelementptr <2 x float>, ptr addrspace(1) %1, i64 %2
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  %vy = load float, ptr addrspace(1) %q, align 4
  %above = fcmp ogt float %vy, %y
  br i1 %above, label %use, label %end
use:
  %3 = addrspacecast ptr %to to ptr addrspace(1)
  %vx = load float, ptr addrspace(1) %p, align 4
  %d = fdiv float %vx, %vy
  store float %d, ptr addrspace(1) %3, align 4
  br label %end
end:
  ret void
}

; Not past what may write it.
; CHECK-LABEL: define ptx_kernel void @written(
; CHECK: %vy = load float, ptr addrspace(1) %q, align 4
; CHECK-NOT: load
; CHECK: store float %y
; CHECK-NOT: load
; CHECK: br i1 %above, label %use, label %end
; CHECK: use:
; CHECK: %vx = load float, ptr addrspace(1) %p, align 8
; CHECK: ret void
define ptx_kernel void @written(ptr readonly %v, float %y, ptr %to) {
  %1 = addrspacecast ptr %v to ptr addrspace(1)
  %2 = addrspacecast ptr %to to ptr addrspace(1)
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %3 = zext nneg i32 %i to i64
  %p = getelementptr <2 x float>, ptr addrspace(1) %1, i64 %3
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  %vy = load float, ptr addrspace(1) %q, align 4
  store float %y, ptr addrspace(1) %2, align 4
  %above = fcmp ogt float %vy, %y
  br i1 %above, label %use, label %end
use:
  %vx = load float, ptr addrspace(1) %p, align 8
  %d = fdiv float %vx, %vy
  store float %d, ptr addrspace(1) %2, align 4
  br label %end
end:
  ret void
}

; Not where the condition may be what makes the pair aligned: that the index is
; even, or that the address is.
; CHECK-LABEL: define ptx_kernel void @even(
; CHECK: %vy = load float, ptr addrspace(1) %q, align 4
; CHECK-NOT: load
; CHECK: br i1 %both, label %use, label %end
; CHECK: use:
; CHECK: %vx = load float, ptr addrspace(1) %p, align 8
; CHECK: ret void
define ptx_kernel void @even(ptr noalias readonly %v, i32 %i, ptr noalias %to) {
  %1 = addrspacecast ptr %v to ptr addrspace(1)
  %2 = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %1, i64 %2
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  %vy = load float, ptr addrspace(1) %q, align 4
  %bit = and i32 %i, 1
  %is = icmp eq i32 %bit, 0
  %above = fcmp ogt float %vy, 1.000000e+00
  %both = and i1 %is, %above
  br i1 %both, label %use, label %end
use:
  %3 = addrspacecast ptr %to to ptr addrspace(1)
  %vx = load float, ptr addrspace(1) %p, align 8
  %d = fdiv float %vx, %vy
  store float %d, ptr addrspace(1) %3, align 4
  br label %end
end:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @address(
; CHECK: %vy = load float, ptr addrspace(1) %q, align 4
; CHECK-NOT: load
; CHECK: br i1 %both, label %use, label %end
; CHECK: use:
; CHECK: %vx = load float, ptr addrspace(1) %1, align 8
; CHECK: ret void
define ptx_kernel void @address(ptr noalias readonly %v, ptr noalias %to) {
  %1 = addrspacecast ptr %v to ptr addrspace(1)
  %q = getelementptr i8, ptr addrspace(1) %1, i64 4
  %vy = load float, ptr addrspace(1) %q, align 4
  %n = ptrtoint ptr %v to i64
  %bit = and i64 %n, 7
  %is = icmp eq i64 %bit, 0
  %above = fcmp ogt float %vy, 1.000000e+00
  %both = and i1 %is, %above
  br i1 %both, label %use, label %end
use:
  %2 = addrspacecast ptr %to to ptr addrspace(1)
  %vx = load float, ptr addrspace(1) %1, align 8
  %d = fdiv float %vx, %vy
  store float %d, ptr addrspace(1) %2, align 4
  br label %end
end:
  ret void
}

; The first half says of itself that it is aligned.
; CHECK-LABEL: define ptx_kernel void @second(
; CHECK: %vx = load float, ptr addrspace(1) %p, align 8
; CHECK-NEXT: [[Q:%[0-9]+]] = getelementptr i8, ptr addrspace(1) %p, i64 4
; CHECK-NEXT: %vy = load float, ptr addrspace(1) [[Q]], align 4
; CHECK: br i1 %above
; CHECK-NOT: load
; CHECK: ret void
define ptx_kernel void @second(ptr noalias readonly %v, i32 %i, float %y, ptr noalias %to) {
  %1 = addrspacecast ptr %v to ptr addrspace(1)
  %2 = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %1, i64 %2
  %vx = load float, ptr addrspace(1) %p, align 8
  %above = fcmp ogt float %vx, %y
  br i1 %above, label %use, label %end
use:
  %3 = addrspacecast ptr %to to ptr addrspace(1)
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  %vy = load float, ptr addrspace(1) %q, align 4
  %d = fdiv float %vx, %vy
  store float %d, ptr addrspace(1) %3, align 4
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
