; An unsigned index below zero leads back in shared memory, whose addresses have
; 32 bits: that the program's addresses may not wrap is not taken for granted. Of
; the pass gpu-memory-accesses.
; RUN: cufort-opt -passes=gpu-memory-accesses %s | FileCheck %s
; RUN: cufort-ptx %s | FileCheck %s --check-prefix=PTX

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@all = internal addrspace(3) global [256 x i32] undef

; CHECK-LABEL: define ptx_kernel void @back(
; CHECK: %mine = getelementptr i32, ptr addrspace(3) @all, i64 %own
; CHECK: %end = getelementptr i32, ptr addrspace(3) @all, i64 256
; CHECK-NEXT: %p = getelementptr i32, ptr addrspace(3) %end, i64 %wide
; CHECK-NEXT: %v = load i32, ptr addrspace(3) %p
; PTX-LABEL: .entry back(
; PTX: not.b32 [[I:%r[0-9]+]], {{%r[0-9]+}};
; PTX: shl.b32 [[BYTES:%r[0-9]+]], [[I]], 2;
; PTX: add.s32 [[AT:%r[0-9]+]], {{%r[0-9]+}}, [[BYTES]];
; PTX: ld.shared.b32 {{%r[0-9]+}}, [[[AT]]+1024];
define ptx_kernel void @back(ptr addrspace(1) %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = zext i32 %i to i64
  %mine = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @all to ptr), i64 %own
  store i32 %i, ptr %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %back = xor i32 %i, -1
  %wide = zext i32 %back to i64
  %end = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @all to ptr), i64 256
  %p = getelementptr inbounds nuw i32, ptr %end, i64 %wide
  %v = load i32, ptr %p
  store i32 %v, ptr addrspace(1) %out
  ret void
}
