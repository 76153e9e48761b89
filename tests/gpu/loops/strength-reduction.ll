; Loops through memory in strides known at run time only carry an address from
; iteration to iteration; LLVM multiplies the counter in each. The counter itself
; stays.
; RUN: cufort-opt -passes=gpu-strength-reduction %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; The second load's stride is a constant: an offset of the counter does.
; CHECK-LABEL: define ptx_kernel void @carried(
; CHECK: entry:
; CHECK: [[START:%.*]] = getelementptr i8, ptr addrspace(1) %from, i64
; CHECK: loop:
; CHECK: [[ADDRESS:%.*]] = phi ptr addrspace(1) [ [[START]], %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK: %i = phi i32
; CHECK: [[NEXT]] = getelementptr i8, ptr addrspace(1) [[ADDRESS]], i64
; CHECK-NOT: mul
; CHECK: load float, ptr addrspace(1) [[ADDRESS]]
; CHECK: [[Q:%.*]] = getelementptr float, ptr addrspace(1) %by
; CHECK: load float, ptr addrspace(1) [[Q]]
; CHECK: icmp slt i32 %i.next, %n
; CHECK: ret void
define ptx_kernel void @carried(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, ptr addrspace(1) readonly %by, i32 %thread, i32 %n, i32 %step) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %row = mul nsw i32 %i, %step
  %place = add nsw i32 %row, %thread
  %index = sext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %from, i64 %index
  %v = load float, ptr addrspace(1) %p
  %w = zext nneg i32 %i to i64
  %q = getelementptr float, ptr addrspace(1) %by, i64 %w
  %u = load float, ptr addrspace(1) %q
  %product = fmul contract float %v, %u
  %sum.next = fadd contract float %sum, %product
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  store float %sum.next, ptr addrspace(1) %to
  ret void
}

; Rows that an iteration loads one after the other are one address, carried through
; all of them.
; CHECK-LABEL: define ptx_kernel void @unrolled(
; CHECK: loop:
; CHECK: [[FIRST:%.*]] = phi ptr addrspace(1) [ {{.*}}, %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK: [[SECOND:%.*]] = getelementptr i8, ptr addrspace(1) [[FIRST]], i64 [[ROW:%.*]]
; CHECK: [[NEXT]] = getelementptr i8, ptr addrspace(1) [[SECOND]], i64 [[ROW]]
; CHECK-NOT: mul
; CHECK: load float, ptr addrspace(1) [[FIRST]]
; CHECK: load float, ptr addrspace(1) [[SECOND]]
; CHECK: ret void
define ptx_kernel void @unrolled(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %n, i64 %step) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %row = mul i64 %i, %step
  %p = getelementptr float, ptr addrspace(1) %from, i64 %row
  %v = load float, ptr addrspace(1) %p
  %i.odd = add i64 %i, 1
  %row.odd = mul i64 %i.odd, %step
  %q = getelementptr float, ptr addrspace(1) %from, i64 %row.odd
  %u = load float, ptr addrspace(1) %q
  %half = fadd float %sum, %v
  %sum.next = fadd float %half, %u
  %i.next = add i64 %i, 2
  %c = icmp ult i64 %i.next, 100
  br i1 %c, label %loop, label %end
end:
  store float %sum.next, ptr addrspace(1) %to
  ret void
}

; An index that may overflow is not a line in 64 bits.
; CHECK-LABEL: define ptx_kernel void @wrapping(
; CHECK: loop:
; CHECK-NOT: phi ptr
; CHECK: mul i32 %i, %step
; CHECK: ret void
define ptx_kernel void @wrapping(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %thread, i32 %n, i32 %step) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %row = mul i32 %i, %step
  %place = add i32 %row, %thread
  %index = sext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %from, i64 %index
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  store float %sum.next, ptr addrspace(1) %to
  ret void
}

; Of constant strides ptxas makes one address for many iterations by itself, ...
; CHECK-LABEL: define ptx_kernel void @constant(
; CHECK: loop:
; CHECK-NOT: phi ptr
; CHECK: shl nsw i32 %i, 4
; CHECK: ret void
define ptx_kernel void @constant(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %thread, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %row = shl nsw i32 %i, 4
  %place = add nsw i32 %row, %thread
  %index = sext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %from, i64 %index
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  store float %sum.next, ptr addrspace(1) %to
  ret void
}

; ... but of neighbours, where nothing else is done in memory.
; CHECK-LABEL: define ptx_kernel void @neighbours(
; CHECK: loop:
; CHECK: [[ADDRESS:%.*]] = phi ptr addrspace(1)
; CHECK: load float, ptr addrspace(1) [[ADDRESS]]
; CHECK: [[Y:%.*]] = getelementptr i8, ptr addrspace(1) [[ADDRESS]], i64 4
; CHECK: load float, ptr addrspace(1) [[Y]]
; CHECK: getelementptr i8, ptr addrspace(1) [[ADDRESS]], i64 16
; CHECK-NEXT: br
define ptx_kernel void @neighbours(ptr addrspace(1) %to, ptr addrspace(1) readonly %from, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %index = zext nneg i32 %i to i64
  %p = getelementptr <4 x float>, ptr addrspace(1) %from, i64 %index
  %x = load float, ptr addrspace(1) %p
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  %y = load float, ptr addrspace(1) %q
  %product = fmul float %x, %y
  %sum.next = fadd float %sum, %product
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  store float %sum.next, ptr addrspace(1) %to
  ret void
}
