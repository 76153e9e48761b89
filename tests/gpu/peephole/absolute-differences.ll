; The distance of two numbers, and a sum with it, are one instruction. LLVM has
; made the larger less the smaller in 8 or 16 bits of it.
; RUN: cufort-opt -passes=gpu-peephole %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare i8 @llvm.umax.i8(i8, i8)
declare i8 @llvm.umin.i8(i8, i8)
declare i16 @llvm.smax.i16(i16, i16)
declare i16 @llvm.smin.i16(i16, i16)
declare i32 @llvm.abs.i32(i32, i1)

; CHECK-LABEL: define ptx_kernel void @bytes(
; CHECK-NOT: {{min|max|abs}}
; CHECK: %next = call i32 @llvm.nvvm.sad.i(i32 %wide.x, i32 %wide.y, i32 %sum)
; CHECK-NEXT: store i32 %next
define ptx_kernel void @bytes(ptr addrspace(1) %to, ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %sum) {
  %x = load i8, ptr addrspace(1) %a
  %y = load i8, ptr addrspace(1) %b
  %wide.x = zext i8 %x to i32
  %wide.y = zext i8 %y to i32
  %difference = sub nsw i32 %wide.x, %wide.y
  %distance = call i32 @llvm.abs.i32(i32 %difference, i1 true)
  %next = add i32 %sum, %distance
  store i32 %next, ptr addrspace(1) %to
  ret void
}

; From -32768 to 32767 it is 65535.
; CHECK-LABEL: define ptx_kernel void @signed(
; CHECK: [[X:%.*]] = sext i16 %x to i32
; CHECK: [[Y:%.*]] = sext i16 %y to i32
; CHECK-NOT: {{min|max|abs}}
; CHECK: call i32 @llvm.nvvm.sad.i(i32 [[X]], i32 [[Y]], i32 0)
; CHECK-NOT: {{min|max|abs}}
; CHECK: ret void
define ptx_kernel void @signed(ptr addrspace(1) %to, ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %x = load i16, ptr addrspace(1) %a
  %y = load i16, ptr addrspace(1) %b
  %larger = call i16 @llvm.smax.i16(i16 %x, i16 %y)
  %smaller = call i16 @llvm.smin.i16(i16 %y, i16 %x)
  %difference = sub i16 %larger, %smaller
  %distance = zext i16 %difference to i32
  store i32 %distance, ptr addrspace(1) %to
  ret void
}

; Of whole integers whose difference does not overflow. Two distances of one sum.
; CHECK-LABEL: define ptx_kernel void @integers(
; CHECK: [[FIRST:%.*]] = call i32 @llvm.nvvm.sad.i(i32 %{{.}}, i32 %{{.}}, i32 0)
; CHECK: %sum = call i32 @llvm.nvvm.sad.i(i32 %{{.}}, i32 %{{.}}, i32 [[FIRST]])
; CHECK-NOT: {{abs|= add}}
; CHECK: ret void
define ptx_kernel void @integers(ptr addrspace(1) %to, i32 %a, i32 %b, i32 %c, i32 %d) {
  %x = sub nsw i32 %a, %b
  %y = sub nsw i32 %c, %d
  %from = call i32 @llvm.abs.i32(i32 %x, i1 false)
  %with = call i32 @llvm.abs.i32(i32 %y, i1 true)
  %sum = add i32 %from, %with
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

; No distances: of three numbers, and with an overflow.
; CHECK-LABEL: define ptx_kernel void @others(
; CHECK-NOT: sad
; CHECK: ret void
define ptx_kernel void @others(ptr addrspace(1) %to, ptr addrspace(1) %a, i8 %x, i8 %y, i8 %z, i32 %p, i32 %q) {
  %larger = call i8 @llvm.umax.i8(i8 %x, i8 %y)
  %smaller = call i8 @llvm.umin.i8(i8 %x, i8 %z)
  %difference = sub i8 %larger, %smaller
  %wide = zext i8 %difference to i32
  store i32 %wide, ptr addrspace(1) %to
  %around = sub i32 %p, %q
  %size = call i32 @llvm.abs.i32(i32 %around, i1 false)
  store i32 %size, ptr addrspace(1) %a
  ret void
}
