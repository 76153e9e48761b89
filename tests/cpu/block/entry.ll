; A kernel becomes a block entry: parameters come from the buffer, registers from
; the launch; a by-value parameter that is written becomes a thread's own copy.
; RUN: cufort-opt -passes=...cpu-entry %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: define void @kernel(ptr noalias readonly align 8 dereferenceable(40) %arguments, ptr noalias readonly align 4 dereferenceable(32) %launch, ptr noalias readonly align 4 dereferenceable(12) %block, i32 %further, ptr noalias readonly align 8 dereferenceable(16) %workspace) [[ATTRIBUTES:#[0-9]+]]
; CHECK-NEXT: prologue:
; CHECK-DAG: [[A:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 0
; CHECK-DAG: load ptr, ptr [[A]], align 8, !invariant.load
; CHECK-DAG: [[N:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 8
; CHECK-DAG: load i8, ptr [[N]], align 1
; CHECK-DAG: [[NX:%.*]] = getelementptr inbounds i8, ptr %launch, i64 12
; CHECK-DAG: %blockDim.x = load i32, ptr [[NX]], align 4, !range [[SIZES:![0-9]+]]
; CHECK-DAG: [[Y:%.*]] = getelementptr inbounds i8, ptr %block, i64 4
; CHECK-DAG: %blockIdx.y = load i32, ptr [[Y]], align 4
; CHECK: br label
; CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: ret void
; CHECK: attributes [[ATTRIBUTES]] = {{{.*}}"cufort-entry"="block" "cufort-kernel"="kernel" "cufort-parameter-bytes"="40" "cufort-parameters"="0:8,8:1,16:16,32:8"
; CHECK: [[SIZES]] = !{i32 1, i32 1025}
define ptx_kernel void @kernel(ptr %a, i8 %n, ptr byval({ ptr, i64 }) %box, ptr byval({ i64 }) %own) {
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = add i32 %y, %x
  %u = add i32 %s, %t
  %base = load ptr, ptr %box
  store i32 %u, ptr %base
  store i8 %n, ptr %a
  store i64 1, ptr %own
  %v = load i64, ptr %own
  store i64 %v, ptr %a
  ret void
}
