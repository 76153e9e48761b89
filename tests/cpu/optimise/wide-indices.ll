; Sums that are known not to wrap around are made of extended parts; others are
; extended as they are.
; RUN: cufort-opt -passes=...cpu-wide-indices -cpu-no-thread-entries %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-scopes -cpu-no-thread-entries %s | FileCheck %s --check-prefix=BEFORE

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; BEFORE-LABEL: define void @exact
; BEFORE: %place = sub nsw i32 %sum, %m
; BEFORE: sext i32 %place to i64
; CHECK-LABEL: define void @exact
; CHECK: %[[T:.+]] = sext i32 %thread.x{{.*}} to i64
; CHECK: %[[N:.+]] = sext i32 %{{.+}} to i64
; CHECK: %[[SUM:.+]] = add nsw i64 %[[T]], %[[N]]
; CHECK: %[[M:.+]] = sext i32 %m to i64
; CHECK: %[[PLACE:.+]] = sub nsw i64 %[[SUM]], %[[M]]
; CHECK: getelementptr i32, ptr %{{.+}}, i64 %[[PLACE]]
define ptx_kernel void @exact(ptr %a, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %sum = add nsw i32 %t, %n
  %place = sub nsw i32 %sum, %m
  %wide = sext i32 %place to i64
  %p = getelementptr i32, ptr %a, i64 %wide
  store volatile i32 1, ptr %p
  ret void
}

; What cannot be negative is extended with its sign as well.
; CHECK-LABEL: define void @positive
; CHECK: %[[T:.+]] = sext i32 %thread.x{{.*}} to i64
; CHECK: %[[N:.+]] = sext i32 %n to i64
; CHECK: %[[SUM:.+]] = add nsw i64 %[[T]], %[[N]]
; CHECK: getelementptr i32, ptr %{{.+}}, i64 %[[SUM]]
define ptx_kernel void @positive(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %sum = add nsw i32 %t, %n
  %wide = zext nneg i32 %sum to i64
  %p = getelementptr i32, ptr %a, i64 %wide
  store volatile i32 1, ptr %p
  ret void
}

; One that may wrap around, one that does not wrap around only without a sign, and
; one that is extended without its sign: nothing is known.
; CHECK-LABEL: define void @wraps
; CHECK: %sum = add i32 %thread.x{{.*}}, %n
; CHECK: sext i32 %sum to i64
; CHECK: %other = add nuw i32 %thread.x{{.*}}, %m
; CHECK: sext i32 %other to i64
; CHECK: %third = add nsw i32 %thread.x{{.*}}, %k
; CHECK: zext i32 %third to i64
define ptx_kernel void @wraps(ptr %a, i32 %n, i32 %m, i32 %k) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %sum = add i32 %t, %n
  %wide = sext i32 %sum to i64
  %other = add nuw i32 %t, %m
  %wide2 = sext i32 %other to i64
  %third = add nsw i32 %t, %k
  %wide3 = zext i32 %third to i64
  %p = getelementptr i32, ptr %a, i64 %wide
  %q = getelementptr i32, ptr %p, i64 %wide2
  %r = getelementptr i32, ptr %q, i64 %wide3
  store volatile i32 1, ptr %r
  ret void
}
