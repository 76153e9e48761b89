; Variables come behind those whose addresses they hold, in the order in which
; they hold them, and else stay where they are. Of the pass gpu-ptx-forms.
; RUN: cufort-opt -passes=gpu-ptx-forms %s | FileCheck %s
; RUN: cufort-ptx %s | FileCheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"

; CHECK: @first =
; CHECK-NEXT: @second =
; CHECK-NEXT: @third =
; CHECK-NEXT: @inner =
; CHECK-NEXT: @table =
; CHECK-NEXT: @last =
; PTX: .u32 first
; PTX: .u32 second
; PTX: .u32 third
; PTX: inner
; PTX: table
; PTX: .u32 last
@first = addrspace(1) externally_initialized global i32 1
@table = addrspace(1) externally_initialized global [3 x ptr addrspace(1)] [
  ptr addrspace(1) @second,
  ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @third, i64 2),
  ptr addrspace(1) @inner ]
@third = addrspace(1) externally_initialized global i32 3
@inner = addrspace(1) externally_initialized global [2 x ptr addrspace(1)] [
  ptr addrspace(1) @third, ptr addrspace(1) @second ]
@second = addrspace(1) externally_initialized global i32 2
@last = addrspace(1) externally_initialized global i32 4

define ptx_kernel void @k(ptr addrspace(1) %to) {
  %x = load ptr addrspace(1), ptr addrspace(1) @table
  store ptr addrspace(1) %x, ptr addrspace(1) %to
  ret void
}
