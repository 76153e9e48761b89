; An index with a number within its sum is added up in 32 bits. Where the number
; is added last it is part of the access.
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry within(
; CHECK: add.s32
; CHECK: add.s32 [[INDEX:%r[0-9]+]], {{%r[0-9]+}}, -1;
; CHECK: mul.wide.s32 %{{.*}}, [[INDEX]], 4;
; CHECK-NOT: add.s32
; CHECK: ld.global.b32 {{%r[0-9]+}}, [{{%rd[0-9]+}}];
; CHECK: ret;
define ptx_kernel void @within(ptr %to, ptr %from, i32 %i, i32 %row) {
  %most = call i32 @llvm.smax.i32(i32 %i, i32 1)
  %before = add nsw i32 %most, -1
  %sum = add nsw i32 %before, %row
  %index = sext i32 %sum to i64
  %p = getelementptr float, ptr %from, i64 %index
  %v = load float, ptr %p
  store float %v, ptr %to
  ret void
}

; CHECK-LABEL: .entry last(
; CHECK: add.s32 [[INDEX:%r[0-9]+]],
; CHECK: mul.wide.s32 %{{.*}}, [[INDEX]], 4;
; CHECK: ld.global.b32 {{%r[0-9]+}}, [{{%rd[0-9]+}}+-4];
; CHECK: ret;
define ptx_kernel void @last(ptr %to, ptr %from, i32 %i, i32 %row) {
  %both = add nsw i32 %i, %row
  %sum = add nsw i32 %both, -1
  %index = sext i32 %sum to i64
  %p = getelementptr float, ptr %from, i64 %index
  %v = load float, ptr %p
  store float %v, ptr %to
  ret void
}
