; The end of a loop is tested by what its counter is next.
; RUN: cufort-opt -passes=gpu-exit-tests %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; LLVM makes `i++ != n` of `++i != n + 1`; ptxas counts the latter's iterations.
; CHECK-LABEL: define ptx_kernel void @equal(
; CHECK: [[END:%.*]] = add {{.*}}i32 %n, 1
; CHECK: loop:
; CHECK: %next = add {{.*}}i32 %i, 1
; CHECK-NEXT: %more = icmp ne i32 %next, [[END]]
; CHECK-NEXT: br i1 %more, label %loop, label %end
define ptx_kernel void @equal(ptr %a, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 1, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr %a, i32 %i
  store i32 %i, ptr %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ne i32 %i, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; Where the first iteration may be the last: the larger of both, and one.
; CHECK-LABEL: define ptx_kernel void @less(
; CHECK-NEXT: [[LAST:%.*]] = call i32 @llvm.smax.i32(i32 %from, i32 %to)
; CHECK-NEXT: [[END:%.*]] = add i32 [[LAST]], 1
; CHECK: %next = add i32 %i, 1
; CHECK-NEXT: %more = icmp ne i32 %next, [[END]]
; CHECK-NEXT: br i1 %more, label %loop, label %end
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
; CHECK-LABEL: define ptx_kernel void @both(
; CHECK: %next = add i32 %i, 2
; CHECK-NEXT: %few = icmp ult i32 %next, 1024
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
; CHECK-LABEL: define ptx_kernel void @skips(
; CHECK: %more = icmp ult i32 %i, -3
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
; CHECK-LABEL: define ptx_kernel void @before(
; CHECK: loop:
; CHECK-NEXT: %i = phi i32 [ %first, %0 ], [ %next, %loop ]
; CHECK-NEXT: [[BEFORE:%.*]] = add i32 %i, -1
; CHECK: store i32 [[BEFORE]], ptr %p
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
; CHECK-LABEL: define ptx_kernel void @chained(
; CHECK: %more = icmp ne i32 %i, %n
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
  %more = icmp ne i32 %i, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
