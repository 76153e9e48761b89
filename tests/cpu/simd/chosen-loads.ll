; Where threads choose the place that they read, a strip loads neighbours under
; the condition and one element for all under its opposite, chooses by the
; condition alone, and gathers nothing; without a loop inside as well. What is read from shared memory for lanes that
; do not come along does not matter.
; RUN: cufort-opt -passes=...cpu-strips -cpu-no-thread-entries %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.smin.i32(i32, i32)
@tile = internal addrspace(3) global [64 x float] undef, align 16

; CHECK-LABEL: define void @chosen(
; CHECK: strip:
; CHECK: [[CHOSEN:%.*]] = freeze <16 x i1>
; CHECK: br i1 %any
; CHECK: call <16 x float> @llvm.masked.load.v16f32
; CHECK: br i1 %any
; CHECK: load float, ptr
; CHECK-NOT: gather
; CHECK: select <16 x i1> [[CHOSEN]], <16 x float>
; CHECK: store <16 x float>
; CHECK: strip.next:
define ptx_kernel void @chosen(ptr noalias %a, ptr noalias %b, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %left = add nsw i32 %t, -1
  %some = icmp sgt i32 %t, %n
  %i = select i1 %some, i32 %left, i32 %n
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %at
  %x = load float, ptr %p
  %q = getelementptr float, ptr %b, i32 %t
  store float %x, ptr %q
  ret void
}

; The smaller of two indices is a choice too.
; CHECK-LABEL: define void @limit(
; CHECK: strip:
; CHECK: br i1 %any
; CHECK: load <16 x float>, ptr
; CHECK-NEXT: freeze <16 x float>
; CHECK-NOT: gather
; CHECK-NOT: masked.load
; CHECK: store <16 x float>
; CHECK: strip.next:
define ptx_kernel void @limit(ptr noalias %b, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %right = add nsw i32 %t, 1
  %i = call i32 @llvm.smin.i32(i32 %right, i32 %n)
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(3) @tile, i64 %at
  %x = load float, ptr addrspace(3) %p
  %q = getelementptr float, ptr %b, i32 %t
  store float %x, ptr %q
  ret void
}

; Parameters point to memory without margins, whatever the width is.
; CHECK-LABEL: define void @wide(
; CHECK: strip:
; CHECK: call <8 x double> @llvm.masked.load.v8f64
; CHECK: strip.next:
define ptx_kernel void @wide(ptr noalias %a, ptr noalias %b, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %left = add nsw i32 %t, -1
  %some = icmp sgt i32 %t, %n
  %i = select i1 %some, i32 %left, i32 %n
  %at = sext i32 %i to i64
  %p = getelementptr inbounds double, ptr %a, i64 %at
  %x = load double, ptr %p
  %q = getelementptr double, ptr %b, i32 %t
  store double %x, ptr %q
  ret void
}

; Two choices, or elements that lie apart: LLVM's vectoriser has the loop.
; CHECK-LABEL: define void @apart(
; CHECK-NOT: strip
; CHECK: ret void
define ptx_kernel void @apart(ptr noalias %a, ptr noalias %b, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %twice = shl nsw i32 %t, 1
  %some = icmp sgt i32 %t, %n
  %i = select i1 %some, i32 %twice, i32 %n
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %at
  %x = load float, ptr %p
  %q = getelementptr float, ptr %b, i32 %t
  store float %x, ptr %q
  ret void
}
