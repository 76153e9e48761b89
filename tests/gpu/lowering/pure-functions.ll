; A virtual function without a body is one that ends the kernel: ptxas does not
; take the address of what is not there.
; RUN: cufort-opt -passes=gpu-lowering %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare void @__cxa_pure_virtual()
declare void @has_one()

; CHECK: @table = addrspace(1) constant [2 x ptr] [ptr @__cxa_pure_virtual, ptr @has_one]
; CHECK: define internal void @__cxa_pure_virtual() {
; CHECK-NEXT: call void @llvm.trap()
; CHECK-NEXT: unreachable
; CHECK: declare void @has_one()
@table = addrspace(1) constant [2 x ptr] [ptr @__cxa_pure_virtual, ptr @has_one]

; CHECK: define ptx_kernel void @kernel(
define ptx_kernel void @kernel(i32 %n) {
  %place = getelementptr ptr, ptr addrspace(1) @table, i32 %n
  %f = load volatile ptr, ptr addrspace(1) %place
  call void %f()
  ret void
}
