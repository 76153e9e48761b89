; Tensor cores' instructions in inline PTX: elements come by shuffles, products
; are a loop of four iterations. Addresses of which only the lower half is known get
; the upper one of a shared variable.
; RUN: cufort-opt -passes=...cpu-intrinsics %s | FileCheck %s
; CHECK-LABEL: @kernel(
; CHECK-NOT: asm
; CHECK: %[[UPPER:.*]] = and i64 ptrtoint (ptr @tile{{.*}} to i64), -4294967296
; CHECK: or i64 %[[UPPER]], %
; CHECK: %[[BEGIN:.*]] = call i32 @cufort.warp.shuffle.idx.i32(i32 -1, i32 %{{.*}}, i32 %{{.*}}, i32 31)
; CHECK: load i32, ptr %{{.*}}, align 4
; CHECK: products:
; CHECK: phi i32 [ 0, %{{.*}} ], [ %[[NEXT:.*]], %products ]
; CHECK-COUNT-4: phi float
; CHECK: fpext half %{{.*}} to float
; CHECK: %[[NEXT]] = add i32
; CHECK: icmp ult i32 %[[NEXT]], 4
; CHECK: store i32 %{{.*}}, ptr %{{.*}}, align 4

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [512 x i16] undef, align 16

define ptx_kernel void @kernel(ptr %p, i32 %where) {
  store i16 0, ptr addrspace(3) @tile
  %mixed = xor i32 %where, 16
  %m = call { i32, i32 } asm sideeffect "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {$0, $1}, [$2];", "=r,=r,r"(i32 %mixed)
  %a = extractvalue { i32, i32 } %m, 0
  %b = extractvalue { i32, i32 } %m, 1
  %d = call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5}, {$6}, {$7, $7, $7, $7};", "=f,=f,=f,=f,r,r,r,f"(i32 %a, i32 %b, i32 %a, float 0.0)
  %e = extractvalue { float, float, float, float } %d, 0
  store float %e, ptr %p
  call void asm sideeffect "stmatrix.sync.aligned.m8n8.x1.shared.b16 [$0], {$1};", "r,r"(i32 %mixed, i32 %a)
  ret void
}
