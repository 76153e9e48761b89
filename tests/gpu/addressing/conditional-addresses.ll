; Of accesses at constant distances, each under a condition of its own, one
; address is computed, before the first condition.
; RUN: cufort-ptx %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; i + 1 and i + 2 are not negative where they are used, so they have not
; overflowed; of i - 1 that is not known, as of the smallest number it would
; be a large one.
; CHECK-LABEL: .entry near(
; CHECK: mul.wide.s32
; CHECK: add.s64 [[A:%rd[0-9]+]],
; CHECK: bra
; CHECK: ld.global{{.*}}.b32 %r{{[0-9]+}}, [[[A]]];
; CHECK: bra
; CHECK: ld.global{{.*}}.b32 %r{{[0-9]+}}, [[[A]]+4];
; CHECK: bra
; CHECK: ld.global{{.*}}.b32 %r{{[0-9]+}}, [[[A]]+8];
; CHECK: bra
; CHECK: mul.wide
; CHECK: ld.global
; CHECK: ret;
define ptx_kernel void @near(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %i, i32 %n) {
  %is0 = icmp ult i32 %i, %n
  br i1 %is0, label %load0, label %test1
load0:
  %w0 = zext nneg i32 %i to i64
  %p0 = getelementptr float, ptr addrspace(1) %from, i64 %w0
  %v0 = load float, ptr addrspace(1) %p0
  store volatile float %v0, ptr addrspace(1) %to
  br label %test1
test1:
  %i1 = add i32 %i, 1
  %is1 = icmp ult i32 %i1, %n
  br i1 %is1, label %load1, label %test2
load1:
  %w1 = zext nneg i32 %i1 to i64
  %p1 = getelementptr float, ptr addrspace(1) %from, i64 %w1
  %v1 = load float, ptr addrspace(1) %p1
  store volatile float %v1, ptr addrspace(1) %to
  br label %test2
test2:
  %i2 = add i32 %i, 2
  %is2 = icmp ult i32 %i2, %n
  br i1 %is2, label %load2, label %test3
load2:
  %w2 = zext nneg i32 %i2 to i64
  %p2 = getelementptr float, ptr addrspace(1) %from, i64 %w2
  %v2 = load float, ptr addrspace(1) %p2
  store volatile float %v2, ptr addrspace(1) %to
  br label %test3
test3:
  %i3 = add i32 %i, -1
  %is3 = icmp ult i32 %i3, %n
  br i1 %is3, label %load3, label %end
load3:
  %w3 = zext nneg i32 %i3 to i64
  %p3 = getelementptr float, ptr addrspace(1) %from, i64 %w3
  %v3 = load float, ptr addrspace(1) %p3
  store volatile float %v3, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; Two are too few.
; CHECK-LABEL: .entry two(
; CHECK: bra
; CHECK: mul.wide
; CHECK: ld.global
; CHECK: bra
; CHECK: mul.wide
; CHECK: ld.global
; CHECK: ret;
define ptx_kernel void @two(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %i, i32 %n) {
  %is0 = icmp ult i32 %i, %n
  br i1 %is0, label %load0, label %test1
load0:
  %w0 = zext nneg i32 %i to i64
  %p0 = getelementptr float, ptr addrspace(1) %from, i64 %w0
  %v0 = load float, ptr addrspace(1) %p0
  store volatile float %v0, ptr addrspace(1) %to
  br label %test1
test1:
  %i1 = add i32 %i, 1
  %is1 = icmp ult i32 %i1, %n
  br i1 %is1, label %load1, label %end
load1:
  %w1 = zext nneg i32 %i1 to i64
  %p1 = getelementptr float, ptr addrspace(1) %from, i64 %w1
  %v1 = load float, ptr addrspace(1) %p1
  store volatile float %v1, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; The index may be a product with a number: of four iterations of a loop, (i | 2) * 3.
; CHECK-LABEL: .entry products(
; CHECK: mul.wide
; CHECK: bra
; CHECK-NOT: mul
; CHECK: ld.global.b32 {{.*}}+12];
; CHECK-NOT: mul
; CHECK: ld.global.b32 {{.*}}+24];
; CHECK: ret;
define ptx_kernel void @products(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %of, i32 %thread) {
  %i = and i32 %of, 1020
  %is0 = icmp ne i32 %i, %thread
  br i1 %is0, label %load0, label %test1
load0:
  %t0 = mul nuw nsw i32 %i, 3
  %w0 = zext nneg i32 %t0 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %from, i64 %w0
  %v0 = load i32, ptr addrspace(1) %p0
  store volatile i32 %v0, ptr addrspace(1) %to
  br label %test1
test1:
  %i1 = or disjoint i32 %i, 1
  %is1 = icmp ne i32 %i1, %thread
  br i1 %is1, label %load1, label %test2
load1:
  %t1 = mul nuw nsw i32 %i1, 3
  %w1 = zext nneg i32 %t1 to i64
  %p1 = getelementptr i32, ptr addrspace(1) %from, i64 %w1
  %v1 = load i32, ptr addrspace(1) %p1
  store volatile i32 %v1, ptr addrspace(1) %to
  br label %test2
test2:
  %i2 = or disjoint i32 %i, 2
  %is2 = icmp ne i32 %i2, %thread
  br i1 %is2, label %load2, label %end
load2:
  %t2 = mul nuw nsw i32 %i2, 3
  %w2 = zext nneg i32 %t2 to i64
  %p2 = getelementptr i32, ptr addrspace(1) %from, i64 %w2
  %v2 = load i32, ptr addrspace(1) %p2
  store volatile i32 %v2, ptr addrspace(1) %to
  br label %end
end:
  ret void
}
