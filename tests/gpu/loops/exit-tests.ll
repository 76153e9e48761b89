; The end of a loop is tested by what its counter is next.
; RUN: cufort-ptx %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; LLVM makes `i++ != n` of `++i != n + 1`; ptxas counts the latter's iterations.
; CHECK-LABEL: .entry equal(
; CHECK-DAG: ld.param.b32 [[N:%r[0-9]+]], [equal_param_1];
; CHECK: add.s32 [[END:%r[0-9]+]], [[N]], 1;
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK: add.s32 [[I:%r[0-9]+]], [[I]], 1;
; CHECK-NEXT: setp.ne.b32 [[GO:%p[0-9]+]], [[I]], [[END]];
; CHECK-NEXT: @[[GO]] bra [[LOOP]];
; CHECK: ret;
define ptx_kernel void @equal(ptr %a, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 1, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr %a, i32 %i
  store i32 %i, ptr %p
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %i, %n
  br i1 %done, label %end, label %loop, !llvm.loop !0
end:
  ret void
}

; Where the first iteration may be the last: the larger of both, and one.
; CHECK-LABEL: .entry less(
; CHECK: max.s32 [[LAST:%r[0-9]+]],
; CHECK: add.s32 [[END:%r[0-9]+]], [[LAST]], 1;
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK: add.s32 [[I:%r[0-9]+]], [[I]], 1;
; CHECK-NEXT: setp.ne.b32 [[GO:%p[0-9]+]], [[I]], [[END]];
; CHECK-NEXT: @[[GO]] bra [[LOOP]];
; CHECK: ret;
define ptx_kernel void @less(ptr %a, i32 %from, i32 %to) {
  br label %loop
loop:
  %i = phi i32 [ %from, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr %a, i32 %i
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %i, %to
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; One of two conditions, and numbers that do not overflow.
; CHECK-LABEL: .entry both(
; CHECK: setp.lt.u32 %p{{[0-9]+}}, %r{{[0-9]+}}, 1024;
; CHECK: ret;
define ptx_kernel void @both(ptr noalias %a, ptr noalias %to, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %to, i32 %i
  store i32 %v, ptr %q
  %next = add nuw nsw i32 %i, 2
  %few = icmp ult i32 %i, 1022
  %good = icmp slt i32 %v, %n
  %more = and i1 %few, %good
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; A counter that may skip its limit, and begin again, keeps its comparison.
; CHECK-LABEL: .entry skips(
; CHECK: setp.lt.u32 %p{{[0-9]+}}, %r{{[0-9]+}}, -3;
; CHECK: ret;
define ptx_kernel void @skips(ptr %a, i32 %from) {
  br label %loop
loop:
  %i = phi i32 [ %from, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr %a, i32 %i
  store i32 %i, ptr %p
  %next = add i32 %i, 4
  %more = icmp ult i32 %i, -3
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; What the counter was in the iteration before is not carried.
; CHECK-LABEL: .entry before(
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK: add.s32 [[B:%r[0-9]+]], [[I:%r[0-9]+]], -1;
; CHECK: st.global.b32 {{.*}}, [[B]];
; CHECK: add.s32 [[I]], [[I]], 1;
; CHECK: bra {{.*}}[[LOOP]];
; CHECK: ret;
define ptx_kernel void @before(ptr %a, i32 %n, i32 %r) {
  %first = add i32 %r, 1
  %some = icmp ult i32 %first, %n
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %b = phi i32 [ %r, %0 ], [ %i, %loop ]
  %p = getelementptr i32, ptr %a, i32 %i
  store i32 %b, ptr %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ne i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; Repeating this would only make it longer.
; CHECK-LABEL: .entry chained(
; CHECK: setp.ne.b32 %p{{[0-9]+}}, [[I:%r[0-9]+]], [[N:%r[0-9]+]];
; CHECK-NEXT: mov.b32 [[I]],
; CHECK: ret;
define ptx_kernel void @chained(ptr %a, ptr %from, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 1, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr %a, i32 %i
  %q = getelementptr i32, ptr %from, i32 %i
  %v = load i32, ptr %q
  store i32 %v, ptr %p
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %i, %n
  br i1 %done, label %end, label %loop, !llvm.loop !0
end:
  ret void
}

; Where LLVM repeats loops it counts otherwise.
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
