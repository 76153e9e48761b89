; An unsigned index below zero leads back in shared memory, whose addresses have
; 32 bits: that the program's addresses may not wrap is not taken for granted.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@all = internal addrspace(3) global [256 x i32] undef

; CHECK-LABEL: .entry back(
; CHECK: not.b32 [[I:%r[0-9]+]], {{%r[0-9]+}};
; CHECK: shl.b32 [[BYTES:%r[0-9]+]], [[I]], 2;
; CHECK: add.s32 [[AT:%r[0-9]+]], {{%r[0-9]+}}, [[BYTES]];
; CHECK: ld.shared.b32 {{%r[0-9]+}}, [[[AT]]+1024];
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
