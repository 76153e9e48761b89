; A comparison with a power of two in a loop is one, and the power is computed
; before the loop. Of the pass gpu-partial-unrolling.
; RUN: cufort-opt -passes=gpu-partial-unrolling %s | FileCheck %s
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s --check-prefix=PTX

target triple = "nvptx64-nvidia-cuda"

; LLVM makes a shift and a comparison with zero of it.
; CHECK-LABEL: define ptx_kernel void @fill(
; CHECK: [[SHIFTED:%.*]] = shl i32 1, %bits
; CHECK-NEXT: [[LIMIT:%.*]] = freeze i32 [[SHIFTED]]
; CHECK: iteration:
; CHECK-NOT: lshr
; CHECK: %go = icmp ult i32 %next, [[LIMIT]]
; CHECK-NEXT: br i1 %go, label %iteration, label %out
define ptx_kernel void @fill(ptr %a, i32 %bits, i32 %step) {
start:
  br label %iteration
iteration:
  %i = phi i32 [ 0, %start ], [ %next, %iteration ]
  %p = getelementptr float, ptr %a, i32 %i
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store float 1.0, ptr %p
  %next = add i32 %i, %step
  %rest = lshr i32 %next, %bits
  %go = icmp eq i32 %rest, 0
  br i1 %go, label %iteration, label %out
out:
  ret void
}

; The number of bits changes from iteration to iteration: the shift stays.
; CHECK-LABEL: define ptx_kernel void @digits(
; CHECK: %rest = lshr i32 %n, %next
; CHECK-NEXT: %end = icmp eq i32 %rest, 0
define ptx_kernel void @digits(ptr %a, i32 %n) {
start:
  br label %iteration
iteration:
  %i = phi i32 [ 0, %start ], [ %next, %iteration ]
  %p = getelementptr float, ptr %a, i32 %i
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store float 1.0, ptr %p
  %next = add i32 %i, 4
  %rest = lshr i32 %n, %next
  %end = icmp eq i32 %rest, 0
  br i1 %end, label %out, label %iteration
out:
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; The loop is unrolled, as its trip count is known when it starts.
; PTX-LABEL: .entry powers(
; PTX-COUNT-5: ld.global
; PTX: ret;
define ptx_kernel void @powers(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %bits) {
start:
  %limit = shl nuw i32 1, %bits
  br label %iteration
iteration:
  %i = phi i32 [ 0, %start ], [ %next, %iteration ]
  %sum = phi float [ 0.0, %start ], [ %more, %iteration ]
  %place = shl i32 %i, %bits
  %p = getelementptr float, ptr addrspace(1) %a, i32 %place
  %x = load float, ptr addrspace(1) %p
  %more = fadd float %sum, %x
  %next = add nuw i32 %i, 1
  %go = icmp ult i32 %next, %limit
  br i1 %go, label %iteration, label %out
out:
  store float %more, ptr addrspace(1) %b
  ret void
}
