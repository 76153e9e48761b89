; The block's size is read before the block's index: ptxas then reads the index
; as a thread's value, which is there sooner.
; RUN: cufort-opt -passes=gpu-peephole %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define ptx_kernel void @own(
; CHECK-NEXT: %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK-NEXT: %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK-NEXT: %start = mul i32 %block, %size
; CHECK: ret void
define ptx_kernel void @own(ptr addrspace(1) %a) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %block, %size
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %start, %thread
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

; Compared with a sum of parameters, the index is read behind it.
; CHECK-LABEL: define ptx_kernel void @edges(
; CHECK: %rows = add i32 %both, %height
; CHECK-NEXT: %row = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
; CHECK-NEXT: %is = icmp slt i32 %row, %rows
; CHECK: ret void
define ptx_kernel void @edges(ptr addrspace(1) %a, i32 %height, i32 %edge) {
  %row = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %both = shl i32 %edge, 1
  %rows = add i32 %both, %height
  %is = icmp slt i32 %row, %rows
  br i1 %is, label %in, label %out
in:
  %wide = sext i32 %row to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %p
  br label %out
out:
  ret void
}
