; A loop at whose end the threads wait for each other has that end behind its
; other blocks; LLVM places it before the loop's beginning.
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CHECK-LABEL: .entry waiting(
; CHECK-NOT: bar.sync
; CHECK: ld.param.b32 {{%r[0-9]+}}, [waiting_param_4];
; CHECK-NEXT: [[LOOP:\$L__BB[0-9_]+]]:
; CHECK: ld.volatile
; CHECK: st.global
; CHECK: bar.sync
; CHECK-NEXT: setp
; CHECK-NEXT: bra {{.*}}[[LOOP]];
define ptx_kernel void @waiting(ptr %start, ptr %child, ptr %sort, i32 %first, i32 %step, i32 %bottom) {
  %some = icmp slt i32 %first, %bottom
  br i1 %some, label %end, label %loop
loop:
  %k = phi i32 [ %first, %0 ], [ %k.next, %latch ]
  %w = sext i32 %k to i64
  %p = getelementptr i32, ptr %start, i64 %w
  %v = load volatile i32, ptr %p
  %ready = icmp sgt i32 %v, -1
  br i1 %ready, label %work, label %latch
work:
  %q = getelementptr i32, ptr %child, i64 %w
  %c = load i32, ptr %q
  %is = icmp sgt i32 %c, -1
  br i1 %is, label %store, label %next
store:
  %x = sext i32 %v to i64
  %r = getelementptr i32, ptr %sort, i64 %x
  store i32 %c, ptr %r
  br label %next
next:
  %less = sub i32 %k, %step
  br label %latch
latch:
  %k.next = phi i32 [ %k, %loop ], [ %less, %next ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %more = icmp slt i32 %k.next, %bottom
  br i1 %more, label %end, label %loop
end:
  ret void
}
