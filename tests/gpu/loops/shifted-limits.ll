; A comparison with a power of two in a loop is one, and the power is computed
; before the loop.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; LLVM makes a shift and a comparison with zero of it.
; CHECK-LABEL: .entry fill(
; CHECK: shl.b32 [[LIMIT:%r[0-9]+]],
; CHECK: [[TURN:\$L__BB[0-9_]+]]:
; CHECK-NOT: shr
; CHECK: setp.lt.u32 [[GO:%p[0-9]+]], {{%r[0-9]+}}, [[LIMIT]];
; CHECK-NEXT: @[[GO]] bra [[TURN]];
; CHECK: ret;
define ptx_kernel void @fill(ptr %a, i32 %bits, i32 %step) {
start:
  %limit = shl i32 1, %bits
  br label %iteration
iteration:
  %i = phi i32 [ 0, %start ], [ %next, %iteration ]
  %p = getelementptr float, ptr %a, i32 %i
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store float 1.0, ptr %p
  %next = add i32 %i, %step
  %go = icmp ult i32 %next, %limit
  br i1 %go, label %iteration, label %out
out:
  ret void
}

; The number of bits changes from iteration to iteration: the shift stays.
; CHECK-LABEL: .entry digits(
; CHECK: shr.u32
; CHECK: ret;
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
; CHECK-LABEL: .entry powers(
; CHECK-COUNT-5: ld.global
; CHECK: ret;
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
