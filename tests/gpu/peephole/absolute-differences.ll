; The distance of two numbers, and a sum with it, are one instruction. LLVM has
; made the larger less the smaller in 8 or 16 bits of it.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare i8 @llvm.umax.i8(i8, i8)
declare i8 @llvm.umin.i8(i8, i8)
declare i16 @llvm.smax.i16(i16, i16)
declare i16 @llvm.smin.i16(i16, i16)
declare i32 @llvm.abs.i32(i32, i1)

; CHECK-LABEL: .entry bytes(
; CHECK-NOT: {{min|max|abs}}
; CHECK: sad.s32 [[SUM:%r[0-9]+]], {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}};
; CHECK-NOT: {{min|max|abs|add}}
; CHECK: st.global.b32 {{.*}}, [[SUM]];
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
; CHECK-LABEL: .entry signed(
; CHECK: {{[a-z.]+}}s16 [[A:%r[0-9]+]]
; CHECK: {{[a-z.]+}}s16 [[B:%r[0-9]+]]
; CHECK-NOT: {{min|max|abs}}
; CHECK: sad.s32 {{%r[0-9]+}}, [[A]], [[B]], 
; CHECK-NOT: {{min|max|abs}}
; CHECK: ret;
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
; CHECK-LABEL: .entry integers(
; CHECK: sad.s32 [[FIRST:%r[0-9]+]],
; CHECK: sad.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, [[FIRST]];
; CHECK-NOT: {{abs|add}}
; CHECK: ret;
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
; CHECK-LABEL: .entry others(
; CHECK-NOT: sad
; CHECK: ret;
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
