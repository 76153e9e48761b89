; What two ways do nothing but store to one place is stored behind both.
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; `if (a > t || b > t) *to = 255; else *to = 0;`
; CHECK-LABEL: .entry threshold(
; CHECK: ld.global
; CHECK: @%p{{[0-9]+}} bra [[STORE:\$L.*]];
; CHECK: ld.global
; CHECK: selp.b16 [[V:%rs[0-9]+]],
; CHECK: [[STORE]]:
; CHECK: st.global.b8 {{.*}}, [[V]];
; CHECK-NOT: st.global
; CHECK: ret;
define ptx_kernel void @threshold(ptr noalias readonly %a, ptr noalias readonly %b, i32 %t, ptr noalias %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext nneg i32 %i to i64
  %pa = getelementptr i32, ptr %a, i64 %w
  %va = load i32, ptr %pa
  %far = icmp sgt i32 %va, %t
  br i1 %far, label %on, label %second
second:
  %pb = getelementptr i32, ptr %b, i64 %w
  %vb = load i32, ptr %pb
  %far2 = icmp sgt i32 %vb, %t
  br i1 %far2, label %on, label %off
on:
  %p1 = getelementptr i8, ptr %out, i64 %w
  store i8 -1, ptr %p1
  br label %end
off:
  %p2 = getelementptr i8, ptr %out, i64 %w
  store i8 0, ptr %p2
  br label %end
end:
  ret void
}

; Not to two places.
; CHECK-LABEL: .entry places(
; CHECK: st.global.b8
; CHECK: st.global.b8
; CHECK: ret;
define ptx_kernel void @places(ptr noalias readonly %a, ptr noalias readonly %b, i32 %t, ptr noalias %out) {
  %va = load i32, ptr %a
  %far = icmp sgt i32 %va, %t
  br i1 %far, label %on, label %second
second:
  %vb = load i32, ptr %b
  %far2 = icmp sgt i32 %vb, %t
  br i1 %far2, label %on, label %off
on:
  store i8 -1, ptr %out
  br label %end
off:
  %p2 = getelementptr i8, ptr %out, i64 1
  store i8 0, ptr %p2
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
