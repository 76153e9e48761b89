; A barrier that all threads come to stays one instruction: LLVM's splitting of
; call sites would copy it into both ways that lead to the call, and a GPU, whose
; warps wait as a whole, would hang.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

@shared = internal addrspace(3) global i32 undef

define internal i32 @scaled(i32 %tid, i32 %n) {
  %twice = mul i32 %tid, %n
  %even = and i32 %twice, 1
  %isEven = icmp eq i32 %even, 0
  br i1 %isEven, label %yes, label %no
yes:
  %quotient = sdiv i32 %twice, 3
  br label %no
no:
  %result = phi i32 [ %quotient, %yes ], [ %twice, %0 ]
  ret i32 %result
}

; CHECK-LABEL: .entry kernel(
; CHECK: bar.sync
; CHECK-NOT: bar.sync
; CHECK: ret;
define ptx_kernel void @kernel(ptr addrspace(1) %result, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %isFirst = icmp eq i32 %tid, 0
  br i1 %isFirst, label %first, label %all
first:
  store i32 7, ptr addrspace(3) @shared
  br label %all
all:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %value = call i32 @scaled(i32 %tid, i32 %n)
  %known = load i32, ptr addrspace(3) @shared
  %sum = add i32 %value, %known
  %place = getelementptr i32, ptr addrspace(1) %result, i32 %tid
  store i32 %sum, ptr addrspace(1) %place
  ret void
}
