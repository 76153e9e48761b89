; Quotients and remainders of integers in loops over threads become those of
; real(8), so that the loops become vectors; a remainder takes the quotient that
; is there.
; RUN: cufort-opt -passes=...cpu-vector-divisions -cpu-no-thread-entries -cpu-disable-pass=cpu-quotient-pieces %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-vector-divisions -cpu-no-thread-entries -cpu-disable-pass=cpu-vector-divisions,cpu-quotient-pieces %s | FileCheck %s --check-prefix=WITHOUT
; RUN: cufort-opt -passes=cpu -cpu-no-thread-entries -cpu-processor=x86-64-v3 -cpu-disable-pass=cpu-quotient-pieces %s | FileCheck %s --check-prefix=VECTORS

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define void @signed(
; CHECK: %[[A:.+]] = sitofp i32 %[[X:thread.x[0-9]*]] to double
; CHECK: %[[B:.+]] = sitofp i32 %n to double
; CHECK: %[[Q:.+]] = fdiv double %[[A]], %[[B]]
; CHECK: %[[I:.+]] = fptosi double %[[Q]] to i32
; CHECK: %[[P:.+]] = mul i32 %[[I]], %n
; CHECK: sub i32 %[[X]], %[[P]]
; CHECK-NOT: fdiv
; CHECK: ret void
; WITHOUT-LABEL: define void @signed(
; WITHOUT: sdiv i32
; WITHOUT: srem i32
; VECTORS-LABEL: define {{.*}}void @signed.v3(
; VECTORS: fdiv <{{[48]}} x double>
define ptx_kernel void @signed(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = sdiv i32 %t, %n
  %r = srem i32 %t, %n
  %s = shl i32 %q, %r
  %p = getelementptr i32, ptr %a, i32 %t
  store i32 %s, ptr %p
  ret void
}

; CHECK-LABEL: define void @unsigned(
; CHECK: uitofp i32 %v to double
; CHECK: uitofp i32 %n to double
; CHECK: fptoui double {{.*}} to i32
define ptx_kernel void @unsigned(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %a, i32 %t
  %v = load i32, ptr %p
  %q = udiv i32 %v, %n
  store i32 %q, ptr %p
  ret void
}

; Constants have better ways; 64 bits are not exact; a loop of the thread's own that
; is no vector stays as it is.
; CHECK-LABEL: define void @others(
; CHECK-NOT: fdiv
; CHECK: srem i32
; CHECK-NOT: fdiv
; CHECK: sdiv i64
; CHECK-NOT: fdiv
; CHECK: ret void
define ptx_kernel void @others(ptr %a, i64 %n, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = sdiv i32 %t, 7
  %w = sext i32 %t to i64
  %l = sdiv i64 %w, %n
  %z = trunc i64 %l to i32
  br label %iteration
iteration:
  %x = phi i32 [ %m, %entry ], [ %r, %iteration ]
  %p = getelementptr i32, ptr %a, i32 %x
  %v = load volatile i32, ptr %p
  %r = srem i32 %x, %v
  %more = icmp sgt i32 %r, 0
  br i1 %more, label %iteration, label %end
end:
  %s = add i32 %q, %z
  %d = getelementptr i32, ptr %a, i32 %t
  store i32 %s, ptr %d
  ret void
}
