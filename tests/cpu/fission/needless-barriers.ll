; Barriers go that order nothing between threads; every other one stays.
; RUN: cufort-opt -passes=...cpu-needless-barriers -cpu-no-thread-entries %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
@tile = internal addrspace(3) global [256 x float] poison, align 4

; The first orders nothing, nor the last; one of two is enough. Between what is
; read of shared memory and written to global memory there is nothing to order.
; CHECK-LABEL: define void @ends
; CHECK-NOT: call i32 @cufort.barrier
; CHECK: store float %x, ptr %place
; CHECK-NEXT: call i32 @cufort.barrier(i32 0)
; CHECK-NOT: call i32 @cufort.barrier
; CHECK: ret void
define ptx_kernel void @ends(ptr %a, ptr %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %p = getelementptr float, ptr %a, i32 %t
  %x = load float, ptr %p
  %place = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float %x, ptr addrspace(3) %place
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %back = sub i32 255, %t
  %other = getelementptr float, ptr addrspace(3) @tile, i32 %back
  %y = load float, ptr addrspace(3) %other
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %q = getelementptr float, ptr %b, i32 %t
  store float %y, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

; In a loop the next iteration's writes follow; both stay.
; CHECK-LABEL: define void @iterations
; CHECK: call i32 @cufort.barrier(i32 0)
; CHECK: call i32 @cufort.barrier(i32 0)
; CHECK: ret void
define ptx_kernel void @iterations(ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %back = sub i32 255, %t
  %other = getelementptr float, ptr addrspace(3) @tile, i32 %back
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ 0.0, %entry ], [ %y, %loop ]
  store float %x, ptr addrspace(3) %place
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %z = load float, ptr addrspace(3) %other
  %y = fadd float %z, 1.0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  store float %y, ptr %a
  ret void
}

; Threads may wait at one barrier for those at another: where they part, nothing
; goes.
; CHECK-LABEL: define void @parted
; CHECK: call i32 @cufort.barrier(i32 0)
; CHECK: call i32 @cufort.barrier(i32 0)
; CHECK: ret void
define ptx_kernel void @parted(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp slt i32 %t, 5
  br i1 %low, label %one, label %two
one:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %done
two:
  %place = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float 1.0, ptr addrspace(3) %place
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %back = sub i32 255, %t
  %other = getelementptr float, ptr addrspace(3) @tile, i32 %back
  %y = load float, ptr addrspace(3) %other
  store float %y, ptr %a
  br label %done
done:
  ret void
}

; What is volatile or atomic may be observed elsewhere; pointers of unknown origin
; may lead anywhere; votes have results.
; CHECK-LABEL: define void @unknown
; CHECK-COUNT-4: call i32 @cufort.barrier
; CHECK: ret void
define ptx_kernel void @unknown(ptr %a, ptr %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = load volatile i32, ptr %a
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %p = getelementptr i32, ptr %b, i32 %t
  %y = load i32, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %old = atomicrmw add ptr %b, i32 1 monotonic
  %odd = trunc i32 %x to i1
  %count = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %odd)
  %where = load ptr, ptr %a
  %z = load i32, ptr %where
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %sum = add i32 %y, %z
  %all = add i32 %sum, %count
  %place = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %all, ptr addrspace(3) %place
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
