; Accesses at constant distances from each other have one address, in whatever
; order their indices are added up.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; A stencil, as the optimiser leaves it: (i - 1) * 256 + j + 1, i * 256 + j, and
; j - 1 + (i + 1) * 256.
; CHECK-LABEL: .entry stencil(
; CHECK: mul.wide.s32 %[[INDEX:.*]], %{{.*}}, 4;
; CHECK-NOT: mul.wide
; CHECK: add.s64 %[[P:.*]], %{{.*}}, %[[INDEX]];
; CHECK-NOT: mul.wide
; CHECK: ld.global.nc.b32 %{{.*}}, [%[[P]]];
; CHECK-NOT: {{mul.wide|add.s64}}
; CHECK: ld.global.nc.b32 %{{.*}}, [%[[P]]+1020];
; CHECK-NOT: {{mul.wide|add.s64}}
; CHECK: ld.global.nc.b32 %{{.*}}, [%[[P]]+2040];
; CHECK: ret;
define ptx_kernel void @stencil(ptr noalias %a, ptr noalias %b, i32 %i, i32 %j) {
  %row = shl nsw i32 %i, 8
  %above = add nsw i32 %row, -256
  %right = add nsw i32 %j, 1
  %n0 = add nsw i32 %above, %right
  %w0 = sext i32 %n0 to i64
  %p0 = getelementptr float, ptr %a, i64 %w0
  %v0 = load float, ptr %p0
  %n1 = add nsw i32 %row, %j
  %w1 = sext i32 %n1 to i64
  %p1 = getelementptr float, ptr %a, i64 %w1
  %v1 = load float, ptr %p1
  %left = add nsw i32 %j, -1
  %below = add nsw i32 %row, 256
  %n2 = add nsw i32 %left, %below
  %w2 = sext i32 %n2 to i64
  %p2 = getelementptr float, ptr %a, i64 %w2
  %v2 = load float, ptr %p2
  %s = fadd float %v0, %v1
  %t = fadd float %s, %v2
  store float %t, ptr %b
  ret void
}

; In 64 bits, as Fortran's arrays, overflow does not matter: a row is %n elements.
; CHECK-LABEL: .entry columns(
; CHECK: ld.global.nc.b64 %{{.*}}, [%[[P:rd[0-9]+]]{{(\+-?[0-9]+)?}}];
; CHECK: ld.global.nc.b64 %{{.*}}, [%[[P]]{{(\+-?[0-9]+)?}}];
; CHECK: ld.global.nc.b64 %{{.*}}, [%[[P]]{{(\+-?[0-9]+)?}}];
; CHECK: ret;
define ptx_kernel void @columns(ptr noalias %a, ptr noalias %b, i64 %i, i64 %j, i64 %n) {
  %row = mul i64 %j, %n
  %west = add i64 %i, -1
  %w0 = add i64 %west, %row
  %p0 = getelementptr double, ptr %a, i64 %w0
  %v0 = load double, ptr %p0
  %before = add i64 %row, -1
  %w1 = add i64 %before, %i
  %q1 = getelementptr double, ptr %a, i64 %w1
  %p1 = getelementptr i8, ptr %q1, i64 8
  %v1 = load double, ptr %p1
  %east = add i64 %i, 1
  %w2 = add i64 %row, %east
  %p2 = getelementptr double, ptr %a, i64 %w2
  %v2 = load double, ptr %p2
  %s = fadd double %v0, %v1
  %t = fadd double %s, %v2
  store double %t, ptr %b
  ret void
}

; The sum of 32 bits may overflow: nothing is known of the distance.
; CHECK-LABEL: .entry wraps(
; CHECK: mul.wide.u32
; CHECK: ld.global.nc.b32
; CHECK: mul.wide.u32
; CHECK: ld.global.nc.b32
; CHECK: ret;
define ptx_kernel void @wraps(ptr noalias %a, ptr noalias %b, i32 %i, i32 %j) {
  %i0 = add i32 %i, 3
  %n0 = add i32 %i0, %j
  %w0 = zext i32 %n0 to i64
  %p0 = getelementptr float, ptr %a, i64 %w0
  %v0 = load float, ptr %p0
  %j1 = add i32 %j, 1
  %n1 = add i32 %j1, %i
  %w1 = zext i32 %n1 to i64
  %p1 = getelementptr float, ptr %a, i64 %w1
  %v1 = load float, ptr %p1
  %s = fadd float %v0, %v1
  store float %s, ptr %b
  ret void
}

; A thread's index, of which more is known where it is used than where it is
; computed: it is not negative there, so adding one has not led to the least
; numbers.
; CHECK-LABEL: .entry index(
; CHECK: ld.global.nc.b32 %{{.*}}, [%[[P:rd[0-9]+]]];
; CHECK: ld.global.nc.b32 %{{.*}}, [%[[P]]+4];
; CHECK: ret;
define ptx_kernel void @index(ptr noalias %a, ptr noalias %b, i32 %i, i32 %d) {
  %k = mul i32 %i, %d
  %w0 = zext nneg i32 %k to i64
  %p0 = getelementptr float, ptr %a, i64 %w0
  %v0 = load float, ptr %p0
  %k1 = add i32 %k, 1
  %w1 = zext nneg i32 %k1 to i64
  %p1 = getelementptr float, ptr %a, i64 %w1
  %v1 = load float, ptr %p1
  %s = fadd float %v0, %v1
  store float %s, ptr %b
  ret void
}

; Indices of 32 bits that are not negative have the distance of their sums,
; although LLVM no longer knows that these do not overflow.
; CHECK-LABEL: .entry planes(
; CHECK: ld.volatile.global.b32 {{%r[0-9]+}}, [[[AT:%rd[0-9]+]]];
; CHECK: ld.volatile.global.b32 {{%r[0-9]+}}, [[[AT]]+4096];
; CHECK: ld.volatile.global.b32 {{%r[0-9]+}}, [[[AT]]+-4];
; CHECK: ret;
define ptx_kernel void @planes(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %i, i32 %j) {
  %row = shl i32 %i, 10
  %k0 = add i32 %row, %j
  %w0 = zext nneg i32 %k0 to i64
  %p0 = getelementptr float, ptr addrspace(1) %a, i64 %w0
  %v0 = load volatile float, ptr addrspace(1) %p0
  %below = add i32 %row, 1024
  %k1 = add i32 %below, %j
  %w1 = zext nneg i32 %k1 to i64
  %p1 = getelementptr float, ptr addrspace(1) %a, i64 %w1
  %v1 = load volatile float, ptr addrspace(1) %p1
  %k2 = add i32 %k0, -1
  %w2 = zext nneg i32 %k2 to i64
  %p2 = getelementptr float, ptr addrspace(1) %a, i64 %w2
  %v2 = load volatile float, ptr addrspace(1) %p2
  ret void
}
