; In the form of NVIDIA's libdevice: another triple, an older data layout, and
; questions to __nvvm_reflect.
target datalayout = "e-i64:64-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-gpulibs"
@ftz = private unnamed_addr addrspace(1) constant [11 x i8] c"__CUDA_FTZ\00"
@prec = private unnamed_addr addrspace(1) constant [17 x i8] c"__CUDA_PREC_SQRT\00"
declare i32 @__nvvm_reflect(ptr)
declare float @llvm.nvvm.sqrt.rn.f(float)
declare float @llvm.nvvm.sqrt.rn.ftz.f(float)
declare float @llvm.nvvm.sqrt.approx.f(float)
declare float @llvm.nvvm.sqrt.approx.ftz.f(float)
define float @__nv_sqrtf(float %x) alwaysinline {
  %p = call i32 @__nvvm_reflect(ptr addrspacecast (ptr addrspace(1) @prec to ptr))
  %f = call i32 @__nvvm_reflect(ptr addrspacecast (ptr addrspace(1) @ftz to ptr))
  %precise = icmp ne i32 %p, 0
  %flush = icmp ne i32 %f, 0
  br i1 %precise, label %rn, label %approx
rn:
  %r1 = call float @llvm.nvvm.sqrt.rn.f(float %x)
  %r2 = call float @llvm.nvvm.sqrt.rn.ftz.f(float %x)
  %r = select i1 %flush, float %r2, float %r1
  ret float %r
approx:
  %a1 = call float @llvm.nvvm.sqrt.approx.f(float %x)
  %a2 = call float @llvm.nvvm.sqrt.approx.ftz.f(float %x)
  %a = select i1 %flush, float %a2, float %a1
  ret float %a
}
; As libdevice's, this one makes zeros of denormal numbers: it must not be taken.
declare float @llvm.nvvm.div.rz.ftz.f(float, float)
define float @__nv_fmodf(float %x, float %y) alwaysinline {
  %r = call float @llvm.nvvm.div.rz.ftz.f(float %x, float %y)
  ret float %r
}
