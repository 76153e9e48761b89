; A thread that has nothing to do leaves at one branch, even if an index is
; computed between two conditions.
; RUN: cufort-ptx %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry copy(
; CHECK-COUNT-1: bra
; CHECK-NOT: bra
; CHECK: ret;
define ptx_kernel void @copy(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %n, i32 %m) {
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %y, 0
  br i1 %first, label %out, label %next
next:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul i32 %y, %m
  %place = add i32 %row, %x
  %isIn = icmp slt i32 %place, %n
  br i1 %isIn, label %work, label %out
work:
  %index = sext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %from, i64 %index
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %to, i64 %index
  store float %v, ptr addrspace(1) %q
  br label %out
out:
  ret void
}

; A load is not done for a condition that a thread may not come to.
; CHECK-LABEL: .entry loads(
; CHECK: bra
; CHECK: ld.global
; CHECK: bra
; CHECK: ret;
define ptx_kernel void @loads(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp sge i32 %x, %n
  br i1 %first, label %out, label %next
next:
  %index = sext i32 %x to i64
  %p = getelementptr float, ptr addrspace(1) %from, i64 %index
  %v = load float, ptr addrspace(1) %p
  %isIn = fcmp olt float %v, 0.0
  br i1 %isIn, label %work, label %out
work:
  %q = getelementptr float, ptr addrspace(1) %to, i64 %index
  store volatile float %v, ptr addrspace(1) %q
  br label %out
out:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
