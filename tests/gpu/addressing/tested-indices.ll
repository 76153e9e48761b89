; An address is computed before its index is tested, which has just been loaded,
; if it is needed again behind what the test is for.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

@kept = internal addrspace(3) global [256 x i32] undef
@masses = internal addrspace(3) global [256 x float] undef

; i = a[0]; if (i >= n && (*out = b[i].w) < 0) return;
; *out = n; if (i >= 0) *out = b[i].x, ...;
; CHECK-LABEL: .entry again(
; CHECK: ld.global{{.*}}.b32 [[I:%r[0-9]+]],
; CHECK: mul.wide.s32 [[WIDE:%rd[0-9]+]], [[I]], 16;
; CHECK-NEXT: add.s64 [[P:%rd[0-9]+]], %rd{{[0-9]+}}, [[WIDE]];
; CHECK-NEXT: @%p{{[0-9]+}} bra
; CHECK-NEXT: ld.volatile.global.b32 %r{{[0-9]+}}, [[[P]]+12];
; CHECK-NOT: mul.wide
; CHECK: bra
; CHECK-NOT: mul.wide
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, [[[P]]];
; CHECK: ret;
define ptx_kernel void @again(ptr addrspace(1) readonly noalias %a,
                              ptr addrspace(1) %b, ptr addrspace(1) %out,
                              i32 %n) {
  %i = load i32, ptr addrspace(1) %a
  %isBody = icmp slt i32 %i, %n
  br i1 %isBody, label %behind, label %cell
cell:
  %index = sext i32 %i to i64
  %p = getelementptr inbounds <4 x float>, ptr addrspace(1) %b, i64 %index
  %mass = getelementptr inbounds i8, ptr addrspace(1) %p, i64 12
  %w = load volatile float, ptr addrspace(1) %mass
  store volatile float %w, ptr addrspace(1) %out
  %open = fcmp olt float %w, 0.0
  br i1 %open, label %end, label %behind
behind:
  store volatile i32 %n, ptr addrspace(1) %out
  %is = icmp sgt i32 %i, -1
  br i1 %is, label %sum, label %end
sum:
  %also = zext nneg i32 %i to i64
  %q = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %b, i64 %also
  %x = load volatile float, ptr addrspace(1) %q
  store volatile float %x, ptr addrspace(1) %out
  %toY = getelementptr inbounds i8, ptr addrspace(1) %q, i64 4
  %y = load volatile float, ptr addrspace(1) %toY
  store volatile float %y, ptr addrspace(1) %out
  %toZ = getelementptr inbounds i8, ptr addrspace(1) %q, i64 8
  %z = load volatile float, ptr addrspace(1) %toZ
  store volatile float %z, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

; The index is kept in shared memory until then.
; CHECK-LABEL: .entry stored(
; CHECK: mul.wide.s32
; CHECK-NEXT: add.s64 [[P:%rd[0-9]+]],
; CHECK-NEXT: @%p{{[0-9]+}} bra
; CHECK-NEXT: ld.volatile.global.b32 %r{{[0-9]+}}, [[[P]]+12];
; CHECK-NOT: mul.wide
; CHECK: ld.volatile.global.b32 %r{{[0-9]+}}, [[[P]]];
; CHECK: ret;
define ptx_kernel void @stored(ptr addrspace(1) readonly noalias %a,
                               ptr addrspace(1) %b, ptr addrspace(1) %out,
                               i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr inbounds i32, ptr addrspace(3) @kept, i32 %t
  %room = getelementptr inbounds float, ptr addrspace(3) @masses, i32 %t
  %i = load i32, ptr addrspace(1) %a
  store i32 %i, ptr addrspace(3) %place
  %isBody = icmp slt i32 %i, %n
  br i1 %isBody, label %behind, label %cell
cell:
  %index = sext i32 %i to i64
  %p = getelementptr inbounds <4 x float>, ptr addrspace(1) %b, i64 %index
  %mass = getelementptr inbounds i8, ptr addrspace(1) %p, i64 12
  %w = load volatile float, ptr addrspace(1) %mass
  store float %w, ptr addrspace(3) %room
  %open = fcmp olt float %w, 0.0
  br i1 %open, label %end, label %behind
behind:
  store volatile i32 %n, ptr addrspace(1) %out
  %j = load i32, ptr addrspace(3) %place
  %is = icmp sgt i32 %j, -1
  br i1 %is, label %sum, label %end
sum:
  %also = zext nneg i32 %j to i64
  %q = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %b, i64 %also
  %x = load volatile float, ptr addrspace(1) %q
  store volatile float %x, ptr addrspace(1) %out
  %toY = getelementptr inbounds i8, ptr addrspace(1) %q, i64 4
  %y = load volatile float, ptr addrspace(1) %toY
  store volatile float %y, ptr addrspace(1) %out
  %toZ = getelementptr inbounds i8, ptr addrspace(1) %q, i64 8
  %z = load volatile float, ptr addrspace(1) %toZ
  store volatile float %z, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

; The extension of what has no sign is not that of what may have one.
; CHECK-LABEL: .entry sign(
; CHECK: bra
; CHECK: mul.wide.u32
; CHECK: mul.wide.s32
; CHECK: ret;
define ptx_kernel void @sign(ptr addrspace(1) readonly noalias %a,
                             ptr addrspace(1) %b, ptr addrspace(1) %out,
                             i32 %n) {
  %i = load i32, ptr addrspace(1) %a
  %negative = icmp slt i32 %i, 0
  br i1 %negative, label %behind, label %cell
cell:
  %index = zext nneg i32 %i to i64
  %p = getelementptr inbounds <4 x float>, ptr addrspace(1) %b, i64 %index
  %w = load volatile float, ptr addrspace(1) %p
  store volatile float %w, ptr addrspace(1) %out
  %open = fcmp olt float %w, 0.0
  br i1 %open, label %end, label %behind
behind:
  store volatile i32 %n, ptr addrspace(1) %out
  %is = icmp slt i32 %i, %n
  br i1 %is, label %sum, label %end
sum:
  %also = sext i32 %i to i64
  %q = getelementptr inbounds <4 x float>, ptr addrspace(1) %b, i64 %also
  %x = load volatile float, ptr addrspace(1) %q
  store volatile float %x, ptr addrspace(1) %out
  %toY = getelementptr inbounds i8, ptr addrspace(1) %q, i64 4
  %y = load volatile float, ptr addrspace(1) %toY
  store volatile float %y, ptr addrspace(1) %out
  %toZ = getelementptr inbounds i8, ptr addrspace(1) %q, i64 8
  %z = load volatile float, ptr addrspace(1) %toZ
  store volatile float %z, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

; What is tested is not the index: the test need not wait for it.
; CHECK-LABEL: .entry other(
; CHECK: ld.global{{.*}}.b32
; CHECK-NOT: mul.wide
; CHECK: @%p{{[0-9]+}} bra
; CHECK: mul.wide.s32
; CHECK: ret;
define ptx_kernel void @other(ptr addrspace(1) readonly noalias %a,
                              ptr addrspace(1) %b, ptr addrspace(1) %out,
                              i32 %n) {
  %i = load volatile i32, ptr addrspace(1) %a
  %none = icmp slt i32 %n, 7
  br i1 %none, label %behind, label %cell
cell:
  %index = sext i32 %i to i64
  %p = getelementptr inbounds <4 x float>, ptr addrspace(1) %b, i64 %index
  %w = load volatile float, ptr addrspace(1) %p
  store volatile float %w, ptr addrspace(1) %out
  %open = fcmp olt float %w, 0.0
  br i1 %open, label %end, label %behind
behind:
  store volatile i32 %n, ptr addrspace(1) %out
  %is = icmp sgt i32 %i, -1
  br i1 %is, label %sum, label %end
sum:
  %also = zext nneg i32 %i to i64
  %q = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %b, i64 %also
  %x = load volatile float, ptr addrspace(1) %q
  store volatile float %x, ptr addrspace(1) %out
  %toY = getelementptr inbounds i8, ptr addrspace(1) %q, i64 4
  %y = load volatile float, ptr addrspace(1) %toY
  store volatile float %y, ptr addrspace(1) %out
  %toZ = getelementptr inbounds i8, ptr addrspace(1) %q, i64 8
  %z = load volatile float, ptr addrspace(1) %toZ
  store volatile float %z, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
