; Block entries are simplified once, before there is a copy for each instruction set:
; loops over threads are not unrolled. A thread's entry is not to be optimised.
; RUN: cufort-opt -passes=cpu-simplify %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @k(
; CHECK-NOT: alloca
; CHECK: br label %threads
; CHECK: threads:
; CHECK: store i32 3,
; CHECK: br i1 %more, label %threads, label %{{.*}}, !llvm.loop
; CHECK-NOT: @k.v
define void @k(ptr %a) #0 {
  %three = alloca i32
  store i32 3, ptr %three
  br label %threads
threads:
  %t = phi i64 [ 0, %0 ], [ %next, %threads ]
  %value = load i32, ptr %three
  %p = getelementptr i32, ptr %a, i64 %t
  store i32 %value, ptr %p
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 4
  br i1 %more, label %threads, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK: define void @k.thread(ptr %a){{.*}} [[THREAD:#[0-9]+]]
; CHECK: attributes [[THREAD]] = { noinline optnone
define void @k.thread(ptr %a) #1 {
  store i32 3, ptr %a
  ret void
}

attributes #0 = { "cufort-kernel"="k" "cufort-entry"="block" }
attributes #1 = { "cufort-kernel"="k" "cufort-entry"="thread" }
!0 = distinct !{!0, !1}
!1 = !{!"cufort.threads"}
