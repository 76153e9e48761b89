; What two ways do nothing but store to one place is stored behind both.
; RUN: cufort-opt -passes=gpu-store-sinking %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; `if (a > t || b > t) *to = 255; else *to = 0;`
; CHECK-LABEL: define ptx_kernel void @threshold(
; CHECK: br i1 %far2, label %on, label %off
; CHECK-NOT: {{ store }}
; CHECK: [[V:%.*]] = phi i8 [ 0, %off ], [ -1, %on ]
; CHECK-NEXT: [[P:%.*]] = getelementptr i8, ptr %out, i64 %w
; CHECK-NEXT: store i8 [[V]], ptr [[P]]
; CHECK-NOT: {{ store }}
; CHECK: ret void
define ptx_kernel void @threshold(ptr noalias readonly %a, ptr noalias readonly %b, i32 %t, ptr noalias %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext nneg i32 %i to i64
  %pa = getelementptr i32, ptr %a, i64 %w
  %va = load i32, ptr %pa
  %far = icmp sgt i32 %va, %t
  br i1 %far, label %on, label %second
second:
  %pb = getelementptr i32, ptr %b, i64 %w
  %vb = load i32, ptr %pb
  %far2 = icmp sgt i32 %vb, %t
  br i1 %far2, label %on, label %off
on:
  %p1 = getelementptr i8, ptr %out, i64 %w
  store i8 -1, ptr %p1
  br label %end
off:
  %p2 = getelementptr i8, ptr %out, i64 %w
  store i8 0, ptr %p2
  br label %end
end:
  ret void
}

; Not to two places.
; CHECK-LABEL: define ptx_kernel void @places(
; CHECK: store i8 -1, ptr %out
; CHECK: store i8 0, ptr %p2
; CHECK: ret void
define ptx_kernel void @places(ptr noalias readonly %a, ptr noalias readonly %b, i32 %t, ptr noalias %out) {
  %va = load i32, ptr %a
  %far = icmp sgt i32 %va, %t
  br i1 %far, label %on, label %second
second:
  %vb = load i32, ptr %b
  %far2 = icmp sgt i32 %vb, %t
  br i1 %far2, label %on, label %off
on:
  store i8 -1, ptr %out
  br label %end
off:
  %p2 = getelementptr i8, ptr %out, i64 1
  store i8 0, ptr %p2
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Of what two ways load, from the same kind of memory, and store to one place, the
; load is one as well; `rem` stays where it is needed.
; CHECK-LABEL: define ptx_kernel void @loads(
; CHECK: one:
; CHECK-NEXT: %r = srem i32 %i, %n
; CHECK-NEXT: %pa = getelementptr
; CHECK-NEXT: br
; CHECK: other:
; CHECK-NEXT: %pb = getelementptr
; CHECK-NEXT: br
; CHECK: [[P:%.*]] = phi ptr [ %pb, %other ], [ %pa, %one ]
; CHECK: [[V:%.*]] = load float, ptr [[P]]
; CHECK-NEXT: store float [[V]],
; CHECK-NOT: {{ store }}
; CHECK: ret void
define ptx_kernel void @loads(ptr noalias readonly %which, ptr noalias readonly %a, ptr noalias readonly %b, ptr noalias %to, i32 %n) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext nneg i32 %i to i64
  %pw = getelementptr i32, ptr %which, i64 %w
  %v = load i32, ptr %pw
  %first = icmp eq i32 %v, 0
  br i1 %first, label %one, label %other
one:
  %r = srem i32 %i, %n
  %pa = getelementptr float, ptr %a, i32 %r
  %va = load float, ptr %pa
  %m1 = mul nsw i32 %i, %n
  %q1 = getelementptr float, ptr %to, i32 %m1
  store float %va, ptr %q1
  br label %end
other:
  %pb = getelementptr float, ptr %b, i64 %w
  %vb = load float, ptr %pb
  %m2 = mul nsw i32 %i, %n
  %q2 = getelementptr float, ptr %to, i32 %m2
  store float %vb, ptr %q2
  br label %end
end:
  ret void
}

; Not of shared and of global memory.
; CHECK-LABEL: define ptx_kernel void @kinds(
; CHECK: %va = load float, ptr %pa
; CHECK: %vb = load float, ptr addrspace(3) %pb
; CHECK: ret void
@tile = internal addrspace(3) global [64 x float] undef
define ptx_kernel void @kinds(ptr noalias readonly %which, ptr noalias readonly %a, ptr noalias %to) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext nneg i32 %i to i64
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store volatile float 1.0, ptr addrspace(3) %p
  %pw = getelementptr i32, ptr %which, i64 %w
  %v = load i32, ptr %pw
  %first = icmp eq i32 %v, 0
  %q = getelementptr float, ptr %to, i64 %w
  br i1 %first, label %one, label %other
one:
  %pa = getelementptr float, ptr %a, i64 %w
  %va = load float, ptr %pa
  store float %va, ptr %q
  br label %end
other:
  %pb = getelementptr float, ptr addrspace(3) @tile, i32 %v
  %vb = load float, ptr addrspace(3) %pb
  store float %vb, ptr %q
  br label %end
end:
  ret void
}

; Of several, the two that only store: an image's edges. Each computes the place for
; itself, one of them knowing that the index is not negative. What copies stays.
; CHECK-LABEL: define ptx_kernel void @edges(
; CHECK: copy:
; CHECK: store float %v,
; CHECK: [[EDGE:%.*]] = phi float
; CHECK: store float [[EDGE]],
; CHECK-NOT: {{ store }}
; CHECK: ret void
define ptx_kernel void @edges(ptr noalias readonly %in, ptr noalias %out, i32 %w, float %l, float %r) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = mul i32 %row, %w
  %i = add i32 %start, %x
  %isLeft = icmp slt i32 %x, 4
  br i1 %isLeft, label %left, label %more
left:
  %i1 = sext i32 %i to i64
  %p1 = getelementptr inbounds float, ptr %out, i64 %i1
  store float %l, ptr %p1
  br label %end
more:
  %isRight = icmp sge i32 %x, %w
  br i1 %isRight, label %right, label %copy
right:
  %i2 = zext nneg i32 %i to i64
  %p2 = getelementptr inbounds nuw float, ptr %out, i64 %i2
  store float %r, ptr %p2
  br label %end
copy:
  %j = sub i32 %i, 4
  %wj = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %in, i64 %wj
  %v = load float, ptr %q
  %i3 = sext i32 %i to i64
  %p3 = getelementptr inbounds float, ptr %out, i64 %i3
  store float %v, ptr %p3
  br label %end
end:
  ret void
}
