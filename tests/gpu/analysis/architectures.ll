; The PTX version is the oldest that has the architecture.
; RUN: cufort-ptx %s | FileCheck %s --check-prefixes=CHECK,SM70
; RUN: cufort-ptx -arch=75 %s | FileCheck %s --check-prefixes=CHECK,SM75
; RUN: cufort-ptx -arch=80 %s | FileCheck %s --check-prefixes=CHECK,SM80
; RUN: cufort-ptx -arch=90 %s | FileCheck %s --check-prefixes=CHECK,SM90
; SM70: .version 6.0
; SM70: .target sm_70
; SM75: .version 6.3
; SM75: .target sm_75
; SM80: .version 7.0
; SM80: .target sm_80
; SM90: .version 7.8
; SM90: .target sm_90
; CHECK: .visible .entry triad(
; Loads of what nobody writes go through the read-only cache.
; CHECK: ld.global.nc.b64
; CHECK: fma.rn.f64
; CHECK: st.global.b64
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @triad(ptr noalias writeonly %a, ptr noalias readonly %b, ptr noalias readonly %c, double %q, i32 %n) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = mul i32 %block, %size
  %i = add i32 %base, %thread
  %in = icmp slt i32 %i, %n
  br i1 %in, label %do, label %out
do:
  %ib = getelementptr double, ptr %b, i32 %i
  %ic = getelementptr double, ptr %c, i32 %i
  %ia = getelementptr double, ptr %a, i32 %i
  %b1 = load double, ptr %ib
  %c1 = load double, ptr %ic
  %p = fmul contract double %q, %c1
  %s = fadd contract double %b1, %p
  store double %s, ptr %ia
  br label %out
out:
  ret void
}
