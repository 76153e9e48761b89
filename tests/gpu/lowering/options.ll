; RUN: cufort-ptx %s | FileCheck %s --check-prefix=PLAIN
; RUN: cufort-ptx -no-contract %s | FileCheck %s --check-prefix=NOFMA
; RUN: cufort-ptx -flush %s | FileCheck %s --check-prefix=FLUSH
; RUN: cufort-ptx -fast-math -flush %s | FileCheck %s --check-prefix=FAST
; RUN: cufort-ptx -max-registers=64 %s | FileCheck %s --check-prefix=REGISTERS
; PLAIN: .maxntid 128
; PLAIN-NEXT: .minnctapersm 4
; PLAIN-NOT: .maxnreg
; PLAIN: fma.rn.f32
; PLAIN: div.rn.f32
; PLAIN: sqrt.rn.f32
; NOFMA: mul.rn.f32
; NOFMA: add.rn.f32
; FLUSH: fma.rn.ftz.f32
; FLUSH: div.rn.ftz.f32
; FAST: fma.rn.ftz.f32
; FAST: div.approx.ftz.f32
; FAST: sqrt.approx.ftz.f32
; REGISTERS: .maxnreg 64
target triple = "nvptx64-nvidia-cuda"
declare float @llvm.sqrt.f32(float)
define ptx_kernel void @k(ptr %a, float %x, float %y) #0 {
  %l = load float, ptr %a
  %m = fmul contract float %l, %x
  %s = fadd contract float %m, %y
  %d = fdiv contract float %s, %x
  %r = call contract float @llvm.sqrt.f32(float %d)
  store float %r, ptr %a
  ret void
}
attributes #0 = { "nvvm.maxntid"="128" "nvvm.minctasm"="4" }
