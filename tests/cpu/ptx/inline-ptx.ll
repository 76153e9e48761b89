; Inline PTX becomes LLVM's instructions and NVVM's intrinsics, also of several
; statements with registers of their own.
; RUN: cufort-opt -passes=...cpu-intrinsics %s | FileCheck %s
; CHECK-LABEL: @kernel(
; CHECK-NOT: asm
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.laneid()
; CHECK: load float, ptr %{{.*}}, align 4
; CHECK: %[[PRODUCT:.*]] = mul i32 %{{.*}}, 3
; CHECK: %[[SUM:.*]] = add i32 %[[PRODUCT]], 1
; CHECK: store i32 %[[SUM]], ptr %{{.*}}, align 4
; CHECK: fence seq_cst
; CHECK: call float @llvm.exp2.f32(
; What other threads write is read at once, with its flag, and so it is written.
; CHECK-LABEL: @descriptors(
; CHECK: %[[PAIR:.*]] = load volatile i64, ptr %{{.*}}, align 8
; CHECK: lshr i64 %[[PAIR]], 32
; CHECK: store volatile <4 x i32> %{{.*}}, ptr %{{.*}}, align 16
; CHECK: store volatile i64 %{{.*}}, ptr %{{.*}}, align 8
; CHECK: load volatile <2 x i64>, ptr %{{.*}}, align 16
; What is rounded to bfloat16 stays an integer: of a bfloat LLVM makes a float and
; back, by a function that not every libgcc has.
; CHECK-LABEL: @rounded(
; CHECK-NOT: bfloat
; CHECK: trunc <2 x i32> %{{.*}} to <2 x i16>
; CHECK-NOT: bfloat
; CHECK: ret void

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p, ptr %q) {
  %lane = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  %f = call float asm "ld.global.cg.f32 $0, [$1];", "=f,l"(ptr %p)
  %s = call i32 asm "{ .reg .u32 t;\0A mul.lo.u32 t, $1, 3;\0A add.u32 $0, t, 1; }", "=r,r"(i32 %lane)
  call void asm sideeffect "st.global.wt.u32 [$0+8], $1;", "l,r,~{memory}"(ptr %q, i32 %s)
  call void asm sideeffect "membar.gl;", "~{memory}"()
  %power = call float asm "ex2.approx.f32.ftz $0, $1;", "=f,f"(float %f)
  %g = fptosi float %power to i32
  store i32 %g, ptr %q
  ret void
}

define ptx_kernel void @descriptors(ptr %p, ptr %q) {
  %pair = call { i32, i32 } asm sideeffect "ld.relaxed.gpu.v2.u32 {$0, $1}, [$2];", "=r,=r,l,~{memory}"(ptr %p)
  %flag = extractvalue { i32, i32 } %pair, 0
  %value = extractvalue { i32, i32 } %pair, 1
  call void asm sideeffect "st.relaxed.gpu.v4.u32 [$0], {$1, $2, $1, $2};", "l,r,r,~{memory}"(ptr %q, i32 %flag, i32 %value)
  call void asm sideeffect "st.volatile.v2.u32 [$0+16], {$1, $2};", "l,r,r,~{memory}"(ptr %q, i32 %flag, i32 %value)
  %wide = call { i64, i64 } asm sideeffect "ld.acquire.gpu.v2.u64 {$0, $1}, [$2];", "=l,=l,l,~{memory}"(ptr %q)
  %sum = extractvalue { i64, i64 } %wide, 1
  store i64 %sum, ptr %p
  ret void
}

define ptx_kernel void @rounded(ptr %p, float %x, float %y) {
  %pair = call i32 asm "cvt.rn.bf16x2.f32 $0, $1, $2;", "=r,f,f"(float %x, float %y)
  %one = call i16 asm "cvt.rn.bf16.f32 $0, $1;", "=h,f"(float %x)
  %wide = zext i16 %one to i32
  %all = xor i32 %pair, %wide
  store i32 %all, ptr %p
  ret void
}
