; Shared memory and the arena are apart from each other and from what parameters
; point to; of other pointers nothing is said.
; RUN: cufort-opt -passes=...cpu-scopes -cpu-no-thread-entries %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@tile = internal addrspace(3) global [256 x float] poison, align 4

; CHECK-LABEL: define void @kernel
; CHECK: %x = load float, {{.*}}!noalias ![[BOTH:[0-9]+]]
; CHECK: store float %x, {{.*}}!alias.scope ![[SHARED:[0-9]+]], !noalias ![[ARENA:[0-9]+]]
; CHECK: store float %more, {{.*}}!alias.scope ![[ARENA]], !noalias ![[SHARED]]
; CHECK: %inner = load ptr, {{.*}}!noalias ![[BOTH]]
; CHECK: store float %{{.*}}, ptr %inner, align 4, !llvm.access.group
; CHECK: ![[BOTH]] = !{![[S:[0-9]+]], ![[A:[0-9]+]]}
; CHECK: ![[SHARED]] = !{![[S]]}
; CHECK: ![[ARENA]] = !{![[A]]}
define ptx_kernel void @kernel(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %a, i32 %t
  %x = load float, ptr %p
  %place = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float %x, ptr addrspace(3) %place
  %more = fadd float %x, 1.0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %inner = load ptr, ptr %a
  store float %more, ptr %inner
  ret void
}
