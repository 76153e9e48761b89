; Of the passes: gpu-annotation, gpu-memory-accesses.
; Private arrays are aligned as far as their size allows: elements of one byte are
; cleared and read many at a time. Loops do not become vectors.
; RUN: cufort-opt -passes=gpu-annotation %s | FileCheck %s --check-prefix=ALONE
; RUN: cufort-ptx -arch=80 %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; ALONE: %count = alloca [16 x i8], align 16
; CHECK-LABEL: .entry counters(
; CHECK: .local .align 16 .b8 {{.*}}[16];
; CHECK: st.local.v4.b32 {{.*}}, {0, 0, 0, 0};
; CHECK-NOT: st.local.b8 [{{.*}}], 0;
; CHECK: ld.local.v4.b32
; CHECK: ret;
define ptx_kernel void @counters(ptr %a, i32 %k) {
  %count = alloca [16 x i8], align 1
  call void @llvm.memset.p0.i64(ptr %count, i8 0, i64 16, i1 false)
  %p = getelementptr i8, ptr %count, i32 %k
  store i8 7, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %sum.next, %loop ]
  %q = getelementptr i8, ptr %count, i32 %i
  %v = load i8, ptr %q
  %w = sext i8 %v to i32
  %x = mul i32 %w, %w
  %sum.next = add i32 %sum, %x
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i.next, 16
  br i1 %c, label %loop, label %end
end:
  store i32 %sum.next, ptr %a
  ret void
}

; Twenty bytes lie at multiples of four.
; ALONE: %board = alloca [20 x i8], align 4
; CHECK-LABEL: .entry search(
; CHECK: .local .align 4 .b8 {{.*}}[20];
; CHECK-NOT: selp.b16 {{.*}}, -1, 0
; CHECK: ld.local{{(.v[24])?}}.b32
; CHECK: ret;
define ptx_kernel void @search(ptr %a, ptr %b, i32 %n, i8 %wanted) {
  %board = alloca [20 x i8], align 1
  %x = load [20 x i8], ptr %b
  store [20 x i8] %x, ptr %board
  %p = getelementptr i8, ptr %board, i32 %n
  store i8 7, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %found = phi i1 [ false, %0 ], [ %found.next, %loop ]
  %q = getelementptr i8, ptr %board, i32 %i
  %v = load i8, ptr %q
  %is = icmp eq i8 %v, %wanted
  %found.next = or i1 %found, %is
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  store i1 %found.next, ptr %a
  ret void
}
