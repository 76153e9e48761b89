; A virtual function without a body is one that ends the kernel: ptxas does not
; take the address of what is not there.
; RUN: cufort-ptx -arch=80 %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare void @__cxa_pure_virtual()
declare void @has_one()

; CHECK: .global {{.*}} table[2] = {__cxa_pure_virtual, has_one};
; CHECK: .func __cxa_pure_virtual(
; CHECK: trap;
@table = addrspace(1) constant [2 x ptr] [ptr @__cxa_pure_virtual, ptr @has_one]

; CHECK: .entry kernel(
define ptx_kernel void @kernel(i32 %n) {
  %place = getelementptr ptr, ptr addrspace(1) @table, i32 %n
  %f = load volatile ptr, ptr addrspace(1) %place
  call void %f()
  ret void
}
