; Loops that wait for their block twice or more in each iteration, and begin with
; loads, begin the next iteration's loads before the first barrier: under the condition
; of another iteration, and of the load itself.
; RUN: cufort-ptx -arch=80 %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@tile = external addrspace(3) global [256 x float], align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; The first iteration's before the loop, the next one's in the loop between the store
; and the barrier.
; CHECK-LABEL: .entry always(
; CHECK: ld.global.nc.b32 [[AHEAD:%r[0-9]+]],
; CHECK: bar.sync
; CHECK: bar.sync
; CHECK: st.volatile.shared.b32 [{{.*}}], [[AHEAD]];
; CHECK: setp.ge.s32 [[LAST:%p[0-9]+]],
; CHECK-NEXT: @[[LAST]] bra [[REST:\$L__BB[0-9_]+]];
; CHECK: ld.global.nc.b32 [[AHEAD]],
; CHECK-NEXT: bra.uni [[REST]];
; CHECK-NOT: ld.global
; CHECK: ret;
define ptx_kernel void @always(ptr noalias readonly %from, ptr noalias %to, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr float, ptr addrspace(3) @tile, i32 %tid
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %index = add nuw nsw i32 %i, %tid
  %wide = zext nneg i32 %index to i64
  %place = getelementptr float, ptr %from, i64 %wide
  %value = load float, ptr %place, align 4
  store volatile float %value, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = load volatile float, ptr addrspace(3) @tile
  %more = fadd float %sum, %other
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 256
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %result = phi float [ 0.0, %0 ], [ %more, %loop ]
  store float %result, ptr %to
  ret void
}

; Where the iteration's index is beyond the end nothing is loaded, now or ahead.
; CHECK-LABEL: .entry guarded(
; CHECK: setp.ge.s32 [[NONE:%p[0-9]+]],
; CHECK: @[[NONE]] bra [[START:\$L__BB[0-9_]+]];
; CHECK-NEXT: ld.global.nc.b32 [[AHEAD:%r[0-9]+]],
; CHECK-NEXT: [[START]]:
; CHECK: bar.sync
; CHECK: max.s32 [[LATER:%r[0-9]+]],
; CHECK-NEXT: setp.ge.s32 [[LAST:%p[0-9]+]], [[LATER]],
; CHECK-NEXT: @[[LAST]] bra [[REST:\$L__BB[0-9_]+]];
; CHECK: ld.global.nc.b32 [[AHEAD]],
; CHECK-NEXT: bra.uni [[REST]];
; CHECK-NOT: ld.global
; CHECK: ret;
define ptx_kernel void @guarded(ptr noalias readonly %from, ptr noalias %to, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr float, ptr addrspace(3) @tile, i32 %tid
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %rest ]
  %sum = phi float [ 0.0, %0 ], [ %more, %rest ]
  %index = add nuw nsw i32 %i, %tid
  %inside = icmp slt i32 %index, %n
  br i1 %inside, label %in, label %rest
in:
  %wide = zext nneg i32 %index to i64
  %place = getelementptr float, ptr %from, i64 %wide
  %value = load float, ptr %place, align 4
  br label %rest
rest:
  %stored = phi float [ %value, %in ], [ 1.0, %loop ]
  store volatile float %stored, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = load volatile float, ptr addrspace(3) @tile
  %more = fadd float %sum, %other
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 256
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %result = phi float [ 0.0, %0 ], [ %more, %rest ]
  store float %result, ptr %to
  ret void
}

; What the kernel may write is not loaded ahead.
; CHECK-LABEL: .entry written(
; CHECK: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK: ld.global.b32
; CHECK-NEXT: st.volatile.shared
; CHECK-NEXT: bar.sync
; CHECK-NOT: ld.global
; CHECK: bra [[LOOP]];
; CHECK-NOT: ld.global
; CHECK: ret;
define ptx_kernel void @written(ptr %from, ptr %to, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr float, ptr addrspace(3) @tile, i32 %tid
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %wide = zext nneg i32 %i to i64
  %place = getelementptr float, ptr %from, i64 %wide
  %value = load float, ptr %place, align 4
  store volatile float %value, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = load volatile float, ptr addrspace(3) @tile
  store float %other, ptr %to
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 256
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
