; What is not there yet is named, never miscompiled.
; RUN: split-file %s %t
; RUN: not cufort-opt -passes=...cpu-intrinsics %t/reduction.ll 2>&1 | FileCheck %s --check-prefix=REDUCTION
; RUN: not cufort-opt -passes=...cpu-intrinsics %t/named.ll 2>&1 | FileCheck %s --check-prefix=NAMED
; RUN: not cufort-opt -passes=...cpu-intrinsics %t/asm.ll 2>&1 | FileCheck %s --check-prefix=ASM
; RUN: not cufort-opt -passes=...cpu-intrinsics %t/barrier.ll 2>&1 | FileCheck %s --check-prefix=BARRIER
; RUN: not cufort-opt -passes=...cpu-intrinsics %t/bulk.ll 2>&1 | FileCheck %s --check-prefix=BULK
; RUN: not cufort-opt -passes=...cpu-intrinsics %t/unknown.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN

; REDUCTION: kernel 'kernel': a warp reduction ('llvm.nvvm.redux.sync.fmax') is not supported on the CPU yet
; NAMED: kernel 'kernel': a vote at a barrier of part of a block ('llvm.nvvm.barrier.cta.red.popc.aligned.count') is not supported on the CPU yet
; ASM: kernel 'kernel': inline PTX is not supported on the CPU: "wgmma.fence.sync.aligned;"
; BARRIER: kernel 'kernel': inline PTX is not supported on the CPU: "mbarrier.init.shared.b64 [$0], 1;"
; BULK: kernel 'kernel': inline PTX is not supported on the CPU: "cp.async.bulk.commit_group;"
; UNKNOWN: kernel 'kernel': the device procedure 'outside' is not available on the CPU

;--- reduction.ll
target triple = "nvptx64-nvidia-cuda"
declare float @llvm.nvvm.redux.sync.fmax(float, i32)
define ptx_kernel void @kernel(ptr %a) {
  %1 = call float @llvm.nvvm.redux.sync.fmax(float 1.0, i32 -1)
  store float %1, ptr %a
  ret void
}
;--- named.ll
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.count(i32, i32, i1)
define ptx_kernel void @kernel(ptr %a, i1 %c) {
  %n = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.count(i32 1, i32 64, i1 %c)
  store i32 %n, ptr %a
  ret void
}
;--- asm.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @kernel(ptr %a) {
  call void asm sideeffect "wgmma.fence.sync.aligned;", ""()
  ret void
}
;--- barrier.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @kernel(i32 %a) {
  call void asm sideeffect "mbarrier.init.shared.b64 [$0], 1;", "r"(i32 %a)
  ret void
}
;--- bulk.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @kernel(ptr %a) {
  call void asm sideeffect "cp.async.bulk.commit_group;", ""()
  ret void
}
;--- unknown.ll
target triple = "nvptx64-nvidia-cuda"
declare i32 @outside(ptr, ptr)
define ptx_kernel void @kernel(ptr %a) {
  %1 = call i32 @outside(ptr %a, ptr %a)
  ret void
}
