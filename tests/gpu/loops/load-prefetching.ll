; Loops that wait for their block twice or more in each iteration, and begin with
; loads, begin the next iteration's loads before the first barrier: under the condition
; of another iteration, and of the load itself.
; RUN: cufort-opt -passes=gpu-load-prefetching %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@tile = external addrspace(3) global [256 x float], align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; The first iteration's before the loop, the next one's in the loop between the store
; and the barrier.
; CHECK-LABEL: define ptx_kernel void @always(
; CHECK: loop.preheader:
; CHECK: [[FIRST:%.*]] = load float, ptr
; CHECK: loop:
; CHECK-NEXT: [[VALUE:%.*]] = phi float [ [[FIRST]], %loop.preheader ], [ [[NEXT:%.*]], %[[REST:.*]] ]
; CHECK: store volatile float [[VALUE]], ptr addrspace(3) %mine
; CHECK: %next = add nuw nsw i32 %i, 256
; CHECK: br i1 %again, label %[[LOAD:.*]], label %[[REST]]
; CHECK: [[LOAD]]:
; CHECK-NEXT: [[AHEAD:%.*]] = load float, ptr
; CHECK: [[REST]]:
; CHECK-NEXT: [[NEXT]] = phi float [ poison, %loop ], [ [[AHEAD]], %[[LOAD]] ]
; CHECK-NEXT: call void @llvm.nvvm.barrier
; CHECK-NOT: load float, ptr %
; CHECK: ret void
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
; CHECK-LABEL: define ptx_kernel void @guarded(
; CHECK: loop.preheader:
; CHECK: br i1 %{{.*}}, label %[[IN:.*]], label %[[START:.*]]
; CHECK: [[IN]]:
; CHECK: [[FIRST:%.*]] = load float, ptr
; CHECK: [[START]]:
; CHECK-NEXT: phi float [ poison, %{{.*}} ], [ [[FIRST]], %[[IN]] ]
; CHECK: in:
; CHECK-NOT: load
; CHECK: rest:
; CHECK: store volatile
; CHECK: %again = icmp slt i32 %next, %n
; CHECK: [[INSIDE:%.*]] = icmp slt i32 %{{.*}}, %n
; CHECK-NEXT: [[BOTH:%.*]] = select i1 %again, i1 [[INSIDE]], i1 false
; CHECK: br i1 [[BOTH]], label %[[LOAD:.*]], label %
; CHECK: [[LOAD]]:
; CHECK-NEXT: load float, ptr
; CHECK: call void @llvm.nvvm.barrier
; CHECK-NOT: load float, ptr %
; CHECK: ret void
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
; CHECK-LABEL: define ptx_kernel void @written(
; CHECK: loop:
; CHECK: %value = load float, ptr %place
; CHECK-NEXT: store volatile float %value, ptr addrspace(3) %mine
; CHECK-NEXT: call void @llvm.nvvm.barrier
; CHECK-NOT: load float, ptr %
; CHECK: ret void
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
