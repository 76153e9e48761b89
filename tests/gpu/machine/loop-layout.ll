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

; So has a loop around one other, though nobody waits there.
; CHECK-LABEL: .entry around(
; CHECK: ld.param.b32 {{%r[0-9]+}}, [around_param_4];
; CHECK-NEXT: [[OUTER:\$L__BB[0-9_]+]]:
; CHECK-NEXT: mul.wide
; CHECK-NOT: bra.uni
; CHECK: ld.volatile
; CHECK: atom.
; CHECK: setp.lt
; CHECK: add.s32
; CHECK-NEXT: setp.lt
; CHECK-NEXT: bra {{.*}}[[OUTER]];
define ptx_kernel void @around(ptr %level, ptr %ends, ptr %to, i32 %first, i32 %step, i32 %n, i32 %now) {
  %some = icmp sgt i32 %first, %n
  br i1 %some, label %end, label %rows
rows:
  %i = phi i32 [ %first, %0 ], [ %i.next, %next ]
  %w = sext i32 %i to i64
  %p = getelementptr i32, ptr %level, i64 %w
  %v = load volatile i32, ptr %p
  %is = icmp eq i32 %v, %now
  br i1 %is, label %row, label %next
row:
  %q = getelementptr i32, ptr %ends, i64 %w
  %stop = load i32, ptr %q
  %any = icmp slt i32 %now, %stop
  br i1 %any, label %inner, label %next
inner:
  %j = phi i32 [ %now, %row ], [ %j.next, %inner ]
  %x = sext i32 %j to i64
  %r = getelementptr i32, ptr %to, i64 %x
  %old = atomicrmw add ptr %r, i32 1 monotonic
  %j.next = add nsw i32 %j, %old
  %more = icmp slt i32 %j.next, %stop
  br i1 %more, label %inner, label %next
next:
  %i.next = add nsw i32 %i, %step
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %rows, label %end
end:
  ret void
}

; One around two others stays as LLVM places it.
; CHECK-LABEL: .entry around_two(
; CHECK: ld.param.b32 {{%r[0-9]+}}, [around_two_param_4];
; CHECK-NEXT: bra.uni [[BEGIN:\$L__BB[0-9_]+]];
; CHECK: setp.lt
; CHECK-NEXT: bra {{.*}}[[BEGIN]];
; CHECK: [[BEGIN]]:
; CHECK-NEXT: mul.wide
; CHECK: ld.volatile
; CHECK: atom.
; CHECK: atom.
define ptx_kernel void @around_two(ptr %level, ptr %ends, ptr %to, i32 %first, i32 %step, i32 %n, i32 %now) {
  %some = icmp sgt i32 %first, %n
  br i1 %some, label %end, label %rows
rows:
  %i = phi i32 [ %first, %0 ], [ %i.next, %next ]
  %w = sext i32 %i to i64
  %p = getelementptr i32, ptr %level, i64 %w
  %v = load volatile i32, ptr %p
  %is = icmp eq i32 %v, %now
  br i1 %is, label %row, label %next
row:
  %q = getelementptr i32, ptr %ends, i64 %w
  %stop = load i32, ptr %q
  %any = icmp slt i32 %now, %stop
  br i1 %any, label %inner, label %next
inner:
  %j = phi i32 [ %now, %row ], [ %j.next, %inner ]
  %x = sext i32 %j to i64
  %r = getelementptr i32, ptr %to, i64 %x
  %old = atomicrmw add ptr %r, i32 1 monotonic
  %j.next = add nsw i32 %j, %old
  %more = icmp slt i32 %j.next, %stop
  br i1 %more, label %inner, label %last
last:
  %k = phi i32 [ %j.next, %inner ], [ %k.next, %last ]
  %y = sext i32 %k to i64
  %s = getelementptr i32, ptr %to, i64 %y
  %older = atomicrmw xchg ptr %s, i32 %k monotonic
  %k.next = add nsw i32 %k, %older
  %less = icmp slt i32 %k.next, %v
  br i1 %less, label %last, label %next
next:
  %i.next = add nsw i32 %i, %step
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %rows, label %end
end:
  ret void
}
