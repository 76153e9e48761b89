; Operations that allow it are contracted, unless -gpu=nofma; exactly rounded ones
; stay exact but with -gpu=fastmath, which allows approximate ones in single
; precision only, and never reassociation.
; RUN: cufort-opt -passes=cpu -cpu-levels=4 -cpu-no-thread-entries %s > %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: llc %t.ll -o - | FileCheck %s --check-prefixes=CODE,FUSED
; RUN: cufort-opt -passes=cpu -cpu-levels=4 -cpu-no-thread-entries -cpu-no-contract %s > %t.nofma.ll
; RUN: FileCheck %s --check-prefix=NOFMA < %t.nofma.ll
; RUN: llc %t.nofma.ll -o - | FileCheck %s --check-prefixes=CODE,APART
; RUN: cufort-opt -passes=cpu -cpu-levels=4 -cpu-no-thread-entries -cpu-fast-math %s | FileCheck %s --check-prefix=FAST

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define {{.*}}@single.v4(
; CHECK: fmul contract <8 x float>
; CHECK: fadd contract <8 x float>
; CHECK: fdiv contract <8 x float>
; CHECK-LABEL: define {{.*}}@double.v4(
; CHECK: fdiv contract <4 x double>

; CODE-LABEL: single.v4:
; FUSED: vfmadd
; APART: vmulps
; APART: vaddps
; CODE: vdivps
; CODE-LABEL: double.v4:
; CODE: vdivpd

; NOFMA-NOT: contract

; FAST-LABEL: define {{.*}}@single.v4(
; FAST: fmul arcp contract afn <8 x float>
; FAST: fdiv arcp contract afn <8 x float>
; FAST-LABEL: define {{.*}}@double.v4(
; FAST: fdiv contract <4 x double>
; FAST-NOT: reassoc
define ptx_kernel void @single(ptr %a, float %s) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %a, i32 %t
  %x = load float, ptr %p
  %m = fmul contract float %x, %x
  %r = fadd contract float %m, %s
  %q = fdiv contract float %r, %x
  store float %q, ptr %p
  ret void
}
define ptx_kernel void @double(ptr %a, double %s) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr double, ptr %a, i32 %t
  %x = load double, ptr %p
  %q = fdiv contract double %s, %x
  store double %q, ptr %p
  ret void
}
