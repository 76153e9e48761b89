; A loop over levels under a condition on the index: blocks of which all threads
; meet it make the loop's iterations together, row after row; the block at the end of
; the grid takes the body as it was. Loads that all threads do first, and such as
; nobody writes, do not stand in the way; what is read under the condition does.
; RUN: cufort-opt -passes=...cpu-whole-blocks -cpu-no-thread-entries %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-stride-loops -cpu-no-thread-entries %s | FileCheck %s --check-prefix=LOOP
; RUN: cufort-opt -passes=...cpu-stride-loops -cpu-no-thread-entries -cpu-disable-pass=cpu-whole-blocks %s | FileCheck %s --check-prefix=WITHOUT

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; CHECK-LABEL: define void @columns(
; CHECK: prologue:
; CHECK: %whole = and i1
; CHECK: body:
; CHECK-NEXT: br i1 %whole, label %[[COPY:.*]], label %[[BODY:[0-9a-z.]+]]
; CHECK: [[BODY]]:
; CHECK: %ends = icmp sgt i32 %i, %m
; CHECK: br i1 %ends, label %out, label %level
; CHECK: [[COPY]]:
; CHECK-NOT: br i1
; CHECK: br label %level.whole
; CHECK: ret void
; LOOP-LABEL: define void @columns(
; LOOP: br i1 {{.*}}!cufort.stride
; WITHOUT-NOT: !cufort.stride
define ptx_kernel void @columns(ptr noalias %a, ptr noalias %s, ptr %pm, i32 %levels) {
  %m = load i32, ptr %pm
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %f = mul i32 %b, %d
  %i = add i32 %f, %t
  %ends = icmp sgt i32 %i, %m
  br i1 %ends, label %out, label %start
start:
  br label %level
level:
  %k = phi i32 [ 0, %start ], [ %next, %level ]
  %sum = phi float [ 0.0, %start ], [ %more, %level ]
  %row = mul i32 %k, %m
  %place = add i32 %row, %i
  %wide = sext i32 %place to i64
  %p = getelementptr float, ptr %a, i64 %wide
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  store float %more, ptr %p
  %next = add i32 %k, 1
  %again = icmp slt i32 %next, %levels
  br i1 %again, label %level, label %out
out:
  ret void
}

; The bound is read by those who come alone.
; CHECK-LABEL: define void @nested(
; CHECK-NOT: %whole
; LOOP-LABEL: define void @nested(
; LOOP-NOT: !cufort.stride
; LOOP: ret void
define ptx_kernel void @nested(ptr noalias %a, ptr %pm, i32 %n, i32 %levels) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %inside, label %out
inside:
  %m = load i32, ptr %pm
  %e = icmp slt i32 %t, %m
  br i1 %e, label %level, label %out
level:
  %k = phi i32 [ 0, %inside ], [ %next, %level ]
  %row = mul i32 %k, 1000
  %place = add i32 %row, %t
  %wide = sext i32 %place to i64
  %p = getelementptr float, ptr %a, i64 %wide
  %v = load float, ptr %p
  %more = fadd float %v, 1.0
  store float %more, ptr %p
  %next = add i32 %k, 1
  %again = icmp slt i32 %next, %levels
  br i1 %again, label %level, label %out
out:
  ret void
}
