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
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
