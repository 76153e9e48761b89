; A condition of two ways that is only counted with is a number on each of them.
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; `odd ^= a > y && x < a / b;`
; CHECK-LABEL: .entry odd(
; CHECK: mov.b32 [[N:%r[0-9]+]], 0;
; CHECK: @%p{{[0-9]+}} bra [[END:\$L.*]];
; CHECK: div.rn.f32
; CHECK: selp.b32 [[N]], 1, 0,
; CHECK: [[END]]:
; CHECK-NOT: selp
; CHECK: xor.b32 {{%r[0-9]+}}, {{.*}}[[N]]
; CHECK: ret;
define ptx_kernel void @odd(float %a, float %b, float %x, float %y, i32 %odd, ptr %to) {
  %above = fcmp ogt float %a, %y
  br i1 %above, label %second, label %end
second:
  %d = fdiv float %a, %b
  %left = fcmp olt float %x, %d
  br label %end
end:
  %both = phi i1 [ false, %0 ], [ %left, %second ]
  store volatile i32 7, ptr %to
  %number = zext i1 %both to i32
  %new = xor i32 %odd, %number
  store i32 %new, ptr %to
  ret void
}

; One that chooses as well stays a condition.
; CHECK-LABEL: .entry both(
; CHECK: mov.pred
; CHECK: ret;
define ptx_kernel void @both(float %a, float %b, float %x, float %y, i32 %odd, ptr %to) {
  %above = fcmp ogt float %a, %y
  br i1 %above, label %second, label %end
second:
  %d = fdiv float %a, %b
  %left = fcmp olt float %x, %d
  br label %end
end:
  %both = phi i1 [ false, %0 ], [ %left, %second ]
  store volatile i32 7, ptr %to
  %number = zext i1 %both to i32
  %new = xor i32 %odd, %number
  store volatile i32 %new, ptr %to
  %chosen = select i1 %both, float %a, float %b
  store volatile float %chosen, ptr %to
  ret void
}
