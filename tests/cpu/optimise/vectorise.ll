; Each copy is vectorised for its instruction set.
; RUN: cufort-opt -passes=cpu-vectorise %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @k.v2(
; CHECK: store <4 x i32>
; CHECK-NOT: <8 x i32>
; CHECK-LABEL: define void @k.v3(
; CHECK: store <8 x i32>
define void @k.v2(ptr noalias %a, i64 %n) #0 {
  br label %threads
threads:
  %t = phi i64 [ 0, %0 ], [ %next, %threads ]
  %p = getelementptr i32, ptr %a, i64 %t
  %value = load i32, ptr %p
  %more = add i32 %value, 1
  store i32 %more, ptr %p
  %next = add nuw nsw i64 %t, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %threads, label %end
end:
  ret void
}

define void @k.v3(ptr noalias %a, i64 %n) #1 {
  br label %threads
threads:
  %t = phi i64 [ 0, %0 ], [ %next, %threads ]
  %p = getelementptr i32, ptr %a, i64 %t
  %value = load i32, ptr %p
  %more = add i32 %value, 1
  store i32 %more, ptr %p
  %next = add nuw nsw i64 %t, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %threads, label %end
end:
  ret void
}

attributes #0 = { "cufort-kernel"="k" "cufort-entry"="block0" "target-cpu"="x86-64-v2" }
attributes #1 = { "cufort-kernel"="k" "cufort-entry"="block1" "target-cpu"="x86-64-v3" }
