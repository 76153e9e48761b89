; The other half of an aligned pair that is loaded is loaded with it, and not
; under the condition that needs it.
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; `if (v.y > y) *to = v.x;`
; CHECK-LABEL: .entry together(
; CHECK: ld.global.nc.v2.b32
; CHECK: bra
; CHECK-NOT: ld.global
; CHECK: ret;
define ptx_kernel void @together(ptr noalias readonly %v, float %y, ptr noalias %to) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr <2 x float>, ptr %v, i32 %i
  %q = getelementptr i8, ptr %p, i64 4
  %vy = load float, ptr %q, align 4
  %above = fcmp ogt float %vy, %y
  br i1 %above, label %use, label %end
use:
  %vx = load float, ptr %p, align 8
  %d = fdiv float %vx, %vy
  store float %d, ptr %to
  br label %end
end:
  ret void
}

; Not where the pair is not known to be aligned: half of it may lie elsewhere.
; CHECK-LABEL: .entry unaligned(
; CHECK: ld.global.nc.b32
; CHECK: bra
; CHECK: ld.global.nc.b32
; CHECK: ret;
define ptx_kernel void @unaligned(ptr noalias readonly %v, float %y, ptr noalias %to) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr <2 x float>, ptr %v, i32 %i
  %q = getelementptr i8, ptr %p, i64 4
  %vy = load float, ptr %q, align 4
  %above = fcmp ogt float %vy, %y
  br i1 %above, label %use, label %end
use:
  %vx = load float, ptr %p, align 4
  %d = fdiv float %vx, %vy
  store float %d, ptr %to
  br label %end
end:
  ret void
}

; Not past what may write it.
; CHECK-LABEL: .entry written(
; CHECK: ld.global.b32
; CHECK: st.global
; CHECK: bra
; CHECK: ld.global.b32
; CHECK: ret;
define ptx_kernel void @written(ptr %v, float %y, ptr %to) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr <2 x float>, ptr %v, i32 %i
  %q = getelementptr i8, ptr %p, i64 4
  %vy = load float, ptr %q, align 4
  store float %y, ptr %to
  %above = fcmp ogt float %vy, %y
  br i1 %above, label %use, label %end
use:
  %vx = load float, ptr %p, align 8
  %d = fdiv float %vx, %vy
  store float %d, ptr %to
  br label %end
end:
  ret void
}

; Not where the condition may be what makes the pair aligned: that the index is
; even, or that the address is.
; CHECK-LABEL: .entry even(
; CHECK: ld.global.nc.b32
; CHECK: bra
; CHECK: ld.global.nc.b32
; CHECK: ret;
define ptx_kernel void @even(ptr noalias readonly %v, i32 %i, ptr noalias %to) {
  %p = getelementptr float, ptr %v, i32 %i
  %q = getelementptr i8, ptr %p, i64 4
  %vy = load float, ptr %q, align 4
  %bit = and i32 %i, 1
  %is = icmp eq i32 %bit, 0
  %above = fcmp ogt float %vy, 1.0
  %both = and i1 %above, %is
  br i1 %both, label %use, label %end
use:
  %vx = load float, ptr %p, align 8
  %d = fdiv float %vx, %vy
  store float %d, ptr %to
  br label %end
end:
  ret void
}

; CHECK-LABEL: .entry address(
; CHECK: ld.global.nc.b32
; CHECK: bra
; CHECK: ld.global.nc.b32
; CHECK: ret;
define ptx_kernel void @address(ptr noalias readonly %v, ptr noalias %to) {
  %q = getelementptr i8, ptr %v, i64 4
  %vy = load float, ptr %q, align 4
  %n = ptrtoint ptr %v to i64
  %bit = and i64 %n, 7
  %is = icmp eq i64 %bit, 0
  %above = fcmp ogt float %vy, 1.0
  %both = and i1 %above, %is
  br i1 %both, label %use, label %end
use:
  %vx = load float, ptr %v, align 8
  %d = fdiv float %vx, %vy
  store float %d, ptr %to
  br label %end
end:
  ret void
}

; The first half says of itself that it is aligned.
; CHECK-LABEL: .entry second(
; CHECK: ld.global.nc.v2.b32
; CHECK: bra
; CHECK-NOT: ld.global
; CHECK: ret;
define ptx_kernel void @second(ptr noalias readonly %v, i32 %i, float %y, ptr noalias %to) {
  %p = getelementptr float, ptr %v, i32 %i
  %q = getelementptr i8, ptr %p, i64 4
  %vx = load float, ptr %p, align 8
  %above = fcmp ogt float %vx, %y
  br i1 %above, label %use, label %end
use:
  %vy = load float, ptr %q, align 4
  %d = fdiv float %vx, %vy
  store float %d, ptr %to
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
