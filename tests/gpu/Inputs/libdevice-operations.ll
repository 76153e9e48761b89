target triple = "nvptx64-nvidia-gpulibs"

define float @__nv_expf(float %x) {
  %e = call float asm "ex2.approx.ftz.f32 $0,$1;", "=f,f"(float %x) #0
  %r = fmul float %e, %x
  ret float %r
}

define float @__nv_powf(float %x, float %y) {
  %a = call float @llvm.nvvm.fabs.f(float %y)
  %isNan = fcmp uno float %a, 0.0
  %r = select i1 %isNan, float %a, float %x
  ret float %r
}

declare float @llvm.nvvm.fabs.f(float)
attributes #0 = { nounwind memory(none) }
