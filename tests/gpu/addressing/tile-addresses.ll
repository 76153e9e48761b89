; Accesses to shared memory, each under a condition of its own, whose addresses
; differ by constants have one that is computed before them. Of the pass
; gpu-addressing.
; RUN: cufort-opt -passes=gpu-addressing %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@tile = addrspace(3) global [17 x [17 x float]] poison, align 16

; tile[m - t][t], if t <= m: 68 m - 64 t. Rows of even m begin at multiples of 8,
; those of m that 4 divides at multiples of 16.
; CHECK-LABEL: define ptx_kernel void @diagonals(
; CHECK: [[PART:%[0-9]+]] = mul i32 %t, -64
; CHECK-NEXT: [[BYTES:%[0-9]+]] = sext i32 [[PART]] to i64
; CHECK-NEXT: [[P:%[0-9]+]] = getelementptr i8, ptr addrspace(3) @tile, i64 [[BYTES]]
; CHECK-NEXT: br i1 %c0, label %b1, label %i0
; CHECK-NOT: = {{mul|shl|sub|sext|zext}}
; CHECK: [[P0:%[0-9]+]] = getelementptr i8, ptr addrspace(3) [[P]], i64 68
; CHECK-NEXT: %v0 = load float, ptr addrspace(3) [[P0]], align 4
; CHECK-NOT: = {{mul|shl|sub|sext|zext}}
; CHECK: [[P1:%[0-9]+]] = getelementptr i8, ptr addrspace(3) [[P]], i64 136
; CHECK-NEXT: %v1 = load float, ptr addrspace(3) [[P1]], align 8
; CHECK-NOT: = {{mul|shl|sub|sext|zext}}
; CHECK: [[P2:%[0-9]+]] = getelementptr i8, ptr addrspace(3) [[P]], i64 204
; CHECK-NEXT: %v2 = load float, ptr addrspace(3) [[P2]], align 4
; CHECK-NOT: = {{mul|shl|sub|sext|zext}}
; CHECK: [[P3:%[0-9]+]] = getelementptr i8, ptr addrspace(3) [[P]], i64 272
; CHECK-NEXT: %v3 = load float, ptr addrspace(3) [[P3]], align 16
; CHECK-NOT: = {{mul|shl|sub|sext|zext}}
; CHECK: [[P4:%[0-9]+]] = getelementptr i8, ptr addrspace(3) [[P]], i64 340
; CHECK-NEXT: %v4 = load float, ptr addrspace(3) [[P4]], align 4
; CHECK-NOT: = {{mul|shl|sub|sext|zext}}
; CHECK: [[P5:%[0-9]+]] = getelementptr i8, ptr addrspace(3) [[P]], i64 408
; CHECK-NEXT: %v5 = load float, ptr addrspace(3) [[P5]], align 8
; CHECK-NEXT: [[Q5:%[0-9]+]] = getelementptr i8, ptr addrspace(3) [[P]], i64 412
; CHECK-NEXT: %u5 = load float, ptr addrspace(3) [[Q5]], align 4
; CHECK-NOT: = {{mul|shl|sub|sext|zext}}
; CHECK: ret void
define ptx_kernel void @diagonals(ptr addrspace(1) %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext nneg i32 %t to i64
  br label %b0
b0:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c0 = icmp ugt i32 %t, 1
  br i1 %c0, label %b1, label %i0
i0:
  %d0 = sub nuw nsw i32 1, %t
  %e0 = zext nneg i32 %d0 to i64
  %r0 = getelementptr [17 x float], ptr addrspace(3) @tile, i64 %e0
  %p0 = getelementptr float, ptr addrspace(3) %r0, i64 %w
  %v0 = load float, ptr addrspace(3) %p0, align 4
  store volatile float %v0, ptr addrspace(1) %x
  br label %b1
b1:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c1 = icmp ugt i32 %t, 2
  br i1 %c1, label %b2, label %i1
i1:
  %d1 = sub nuw nsw i32 2, %t
  %e1 = zext nneg i32 %d1 to i64
  %r1 = getelementptr [17 x float], ptr addrspace(3) @tile, i64 %e1
  %p1 = getelementptr float, ptr addrspace(3) %r1, i64 %w
  %v1 = load float, ptr addrspace(3) %p1, align 4
  store volatile float %v1, ptr addrspace(1) %x
  br label %b2
b2:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c2 = icmp ugt i32 %t, 3
  br i1 %c2, label %b3, label %i2
i2:
  %d2 = sub nuw nsw i32 3, %t
  %e2 = zext nneg i32 %d2 to i64
  %r2 = getelementptr [17 x float], ptr addrspace(3) @tile, i64 %e2
  %p2 = getelementptr float, ptr addrspace(3) %r2, i64 %w
  %v2 = load float, ptr addrspace(3) %p2, align 4
  store volatile float %v2, ptr addrspace(1) %x
  br label %b3
b3:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c3 = icmp ugt i32 %t, 4
  br i1 %c3, label %b4, label %i3
i3:
  %d3 = sub nuw nsw i32 4, %t
  %e3 = zext nneg i32 %d3 to i64
  %r3 = getelementptr [17 x float], ptr addrspace(3) @tile, i64 %e3
  %p3 = getelementptr float, ptr addrspace(3) %r3, i64 %w
  %v3 = load float, ptr addrspace(3) %p3, align 4
  store volatile float %v3, ptr addrspace(1) %x
  br label %b4
b4:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c4 = icmp ugt i32 %t, 5
  br i1 %c4, label %b5, label %i4
i4:
  %d4 = sub nuw nsw i32 5, %t
  %e4 = zext nneg i32 %d4 to i64
  %r4 = getelementptr [17 x float], ptr addrspace(3) @tile, i64 %e4
  %p4 = getelementptr float, ptr addrspace(3) %r4, i64 %w
  %v4 = load float, ptr addrspace(3) %p4, align 4
  store volatile float %v4, ptr addrspace(1) %x
  br label %b5
b5:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c5 = icmp ugt i32 %t, 6
  br i1 %c5, label %end, label %i5
i5:
  %d5 = sub nuw nsw i32 6, %t
  %e5 = zext nneg i32 %d5 to i64
  %r5 = getelementptr [17 x float], ptr addrspace(3) @tile, i64 %e5
  %p5 = getelementptr float, ptr addrspace(3) %r5, i64 %w
  %q5 = getelementptr i8, ptr addrspace(3) %p5, i64 4
  %v5 = load float, ptr addrspace(3) %p5, align 4
  %u5 = load float, ptr addrspace(3) %q5, align 4
  store volatile float %u5, ptr addrspace(1) %x
  store volatile float %v5, ptr addrspace(1) %x
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
