; An address in constant memory goes on from iteration to iteration by itself where the
; counter is also part of an address of each thread's own: no element of the
; array is found by the counter.
; RUN: cufort-ptx %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

@weights = internal addrspace(4) externally_initialized global [64 x float] undef
@tile = internal addrspace(3) global [256 x float] undef

; CHECK-LABEL: .entry filter(
; CHECK: mov.b32 [[W:%r[0-9]+]], weights;
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK-DAG: ld.const{{.*}}, [[[W]]];
; CHECK-DAG: add.s32 [[W]], [[W]], {{4|8|16|32}};
; CHECK: bra {{.*}}[[LOOP]];
; CHECK: ret;
define ptx_kernel void @filter(ptr addrspace(1) %to, i32 %n) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %place = add nuw nsw i32 %i, %thread
  %own = zext nneg i32 %place to i64
  %p = getelementptr float, ptr addrspace(3) @tile, i64 %own
  %v = load float, ptr addrspace(3) %p
  %index = zext nneg i32 %i to i64
  %q = getelementptr float, ptr addrspace(4) @weights, i64 %index
  %w = load float, ptr addrspace(4) %q
  %product = fmul contract float %v, %w
  %sum.next = fadd contract float %sum, %product
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  store float %r, ptr addrspace(1) %to
  ret void
}

; Without sign, a counter of 32 bits that may begin again is no distance, unless
; addresses have 32 bits as well; this one goes through the array again.
; CHECK-LABEL: .entry again(
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK: shl.b32 [[D:%r[0-9]+]], %r{{[0-9]+}}, 2;
; CHECK: add.s32 [[A:%r[0-9]+]], %r{{[0-9]+}}, [[D]];
; CHECK: ld.const.b32 %r{{[0-9]+}}, [[[A]]];
; CHECK: bra {{.*}}[[LOOP]];
; CHECK: ret;
define ptx_kernel void @again(ptr addrspace(1) %to, i32 %step) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %place = add i32 %i, %thread
  store volatile i32 %place, ptr addrspace(1) %to
  %index = zext i32 %i to i64
  %q = getelementptr float, ptr addrspace(4) @weights, i64 %index
  %w = load float, ptr addrspace(4) %q
  %i.next = add i32 %i, 1
  %c = fcmp olt float %w, 0.0
  br i1 %c, label %loop, label %end
end:
  ret void
}

; What both ways load is loaded before the branch.
; CHECK-LABEL: .entry both(
; CHECK: ld.const
; CHECK: bra
; CHECK-NOT: ld.const
; CHECK: ret;
define ptx_kernel void @both(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %n) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = zext nneg i32 %thread to i64
  %p = getelementptr float, ptr addrspace(3) @tile, i64 %own
  %g = getelementptr float, ptr addrspace(1) %from, i64 %own
  %here = icmp slt i32 %thread, %n
  %weight = getelementptr float, ptr addrspace(4) @weights, i64 4
  br i1 %here, label %near, label %far
near:
  %v = load volatile float, ptr addrspace(3) %p
  %w1 = load float, ptr addrspace(4) %weight
  %a = fmul float %v, %w1
  br label %end
far:
  %u = load volatile float, ptr addrspace(1) %g
  %w2 = load float, ptr addrspace(4) %weight
  %b = fmul float %u, %w2
  br label %end
end:
  %r = phi float [ %a, %near ], [ %b, %far ]
  store float %r, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
