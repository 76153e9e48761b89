; Warps as vectors: in rows with all lanes and with some, and by rank where warps
; do not lie in rows.
; RUN: split-file %s %t
; RUN: cufort-opt -cpu-disable-pass=cpu-needless-barriers -passes=...cpu-warps -cpu-no-thread-entries %t/plain.ll | FileCheck %s
; RUN: cufort-opt -cpu-disable-pass=cpu-needless-barriers -passes=...cpu-warps %t/lock.ll | FileCheck %s --check-prefix=LOCK
; RUN: not cufort-opt -passes=...cpu-warps -cpu-no-thread-entries %t/lock.ll 2>&1 | FileCheck %s --check-prefix=WITHOUT
; RUN: cufort-opt -passes=...cpu-warps -cpu-no-thread-entries -cpu-disable-pass=cpu-needless-barriers,cpu-regions %t/dispatch.ll | FileCheck %s --check-prefix=DISPATCH

; On fibers a lane lets others go on before it tries to take the lock.
; LOCK-NOT: define void @lock
; LOCK: define void @lock.thread({{.*}} [[FIBERS:#[0-9]+]]
; LOCK: call i64 @__cufort_cpu_warp_operation(i32 17,
; LOCK-NEXT: atomicrmw xchg
; LOCK: attributes [[FIBERS]] = {{.*}}"cufort-fibers"="a warp vote beside a lock or flag for which threads of a warp wait"
; WITHOUT: kernel 'lock': a warp vote beside a lock or flag for which threads of a warp wait is not supported on the CPU without the code that runs one fiber for each thread

;--- plain.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
@tile = internal addrspace(3) global [64 x i32] poison, align 4

; CHECK-LABEL: define void @shuffle
; CHECK: ranks:
; CHECK: %warp.rank = phi i32
; CHECK: call {{.*}}@llvm.masked.gather.v32i32
; CHECK: warp:
; CHECK: %warp.x = phi i32
; CHECK: warp.part:
; CHECK: [[SOME:%.*]] = icmp ult <32 x i32>
; CHECK: shufflevector <32 x i32> {{.*}} <i32 1, i32 2, i32 3
; CHECK: store <32 x i32>
; CHECK: call {{.*}}@llvm.masked.load.v32i32.p0({{.*}}, <32 x i1> [[SOME]]
; CHECK: call void @llvm.masked.store.v32i32.p0({{.*}}, <32 x i1> [[SOME]])
define ptx_kernel void @shuffle(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %a, i32 %t
  %x = load i32, ptr %p
  %y = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %x, i32 1, i32 31)
  store i32 %y, ptr %p
  ret void
}
; Warp-synchronous code: every lane has read before any writes.
; CHECK-LABEL: define void @synchronous
; CHECK: load volatile <32 x i32>
; CHECK: load volatile <32 x i32>
; CHECK: store volatile <32 x i32>
define ptx_kernel void @synchronous() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %q = getelementptr i32, ptr addrspace(3) %p, i32 16
  %x = load volatile i32, ptr addrspace(3) %p
  %y = load volatile i32, ptr addrspace(3) %q
  %z = add i32 %x, %y
  store volatile i32 %z, ptr addrspace(3) %p
  ret void
}
;--- lock.ll
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
define ptx_kernel void @lock(ptr %a, ptr %b) {
  br label %loop
loop:
  %old = atomicrmw xchg ptr %a, i32 1 seq_cst
  %taken = icmp ne i32 %old, 0
  br i1 %taken, label %loop, label %end
end:
  store atomic i32 0, ptr %a seq_cst, align 4
  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  store i32 %v, ptr %b
  ret void
}
;--- dispatch.ll
; In the general path lanes come from wherever they stopped; the vote is of those
; that come from the barrier.
; DISPATCH-LABEL: define void @dispatch
; DISPATCH: ranks:
; DISPATCH: [[LOADED:%.*]] = load <32 x i32>, ptr
; DISPATCH: [[PLACE:%.*]] = freeze <32 x i32> [[LOADED]]
; DISPATCH: [[FROM:%.*]] = icmp eq <32 x i32> [[PLACE]], splat (i32 1)
; DISPATCH: [[COMING:%.*]] = select <32 x i1> {{.*}}, <32 x i1> [[FROM]], <32 x i1> zeroinitializer
; DISPATCH: [[VOTE:%.*]] = and <32 x i1> splat (i1 true), [[COMING]]
; DISPATCH: bitcast <32 x i1> [[VOTE]] to i32
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @dispatch(ptr %b) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  store i32 %v, ptr %b
  ret void
}
