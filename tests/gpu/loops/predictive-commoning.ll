; What an iteration has loaded from global memory, and the next one would load again, stays
; in a register.
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; x[i] = (x[i] - x[i - 1] * a[i - 1]) / b[i - 1], i from n down: x[n] is loaded before,
; and the index has forgotten that it does not overflow.
; CHECK-LABEL: .entry down(
; CHECK: ld.global.b32 [[CARRIED:%r[0-9]+]],
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK-COUNT-2: ld.global.b32
; CHECK: fma.rn.f32 {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, [[CARRIED]];
; CHECK-NOT: ld.global
; CHECK: st.global.b32
; CHECK: ld.global.b32 [[CARRIED]],
; CHECK: st.global.b32
; CHECK-NOT: ld.global
; CHECK: bra [[LOOP]];
; CHECK: ret;
define ptx_kernel void @down(ptr addrspace(1) %x, ptr addrspace(1) readonly %a, i32 %row, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %place = sub i32 %row, %i
  %index = sext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %x, i64 %index
  %v = load float, ptr addrspace(1) %p
  %place.below = add i32 %place, -1
  %index.below = sext i32 %place.below to i64
  %q = getelementptr float, ptr addrspace(1) %x, i64 %index.below
  %w = load float, ptr addrspace(1) %q
  %r = getelementptr float, ptr addrspace(1) %a, i64 %index.below
  %u = load float, ptr addrspace(1) %r
  %product = fmul contract float %w, %u
  %difference = fsub contract float %v, %product
  store float %difference, ptr addrspace(1) %p
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; The store may be to where the next iteration loads.
; CHECK-LABEL: .entry elsewhere(
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK: ld.global.b32
; CHECK: ld.global.b32
; CHECK: st.global.b32
; CHECK: ld.global.b32
; CHECK: ld.global.b32
; CHECK: st.global.b32
; CHECK: bra [[LOOP]];
; CHECK: ret;
define ptx_kernel void @elsewhere(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %row, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %place = sub i32 %row, %i
  %index = sext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %x, i64 %index
  %v = load float, ptr addrspace(1) %p
  %place.below = add i32 %place, -1
  %index.below = sext i32 %place.below to i64
  %q = getelementptr float, ptr addrspace(1) %x, i64 %index.below
  %w = load float, ptr addrspace(1) %q
  %product = fmul contract float %w, %v
  %r = getelementptr float, ptr addrspace(1) %y, i64 %index
  store float %product, ptr addrspace(1) %r
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; So may other threads of the block, until the barrier.
; CHECK-LABEL: .entry together(
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK: ld.global.b32
; CHECK-NOT: bar.sync
; CHECK: ld.global.b32
; CHECK: bar.sync
; CHECK: bra
; CHECK: ret;
define ptx_kernel void @together(ptr addrspace(1) %x, ptr addrspace(1) noalias %y, i32 %row, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %place = sub i32 %row, %i
  %index = sext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %x, i64 %index
  %v = load float, ptr addrspace(1) %p
  %place.below = add i32 %place, -1
  %index.below = sext i32 %place.below to i64
  %q = getelementptr float, ptr addrspace(1) %x, i64 %index.below
  %w = load float, ptr addrspace(1) %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %product = fmul contract float %w, %v
  %r = getelementptr float, ptr addrspace(1) %y, i64 %index
  store float %product, ptr addrspace(1) %r
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  store float 0.0, ptr addrspace(1) %x
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
