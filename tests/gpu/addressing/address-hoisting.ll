; An address that is needed in a loop which may have no iterations, and behind it, is
; computed before both.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry behind(
; CHECK: add.s64 %[[P:.*]], %{{.*}}, %{{.*}};
; CHECK: @%p{{.*}} bra
; CHECK-NOT: add.s64
; CHECK: st.volatile.global.b32 [%[[P]]],
; CHECK-NOT: add.s64
; CHECK: ld.volatile.global.b32 %{{.*}}, [%[[P]]];
; CHECK: ret;
define ptx_kernel void @behind(ptr %a, i32 %i, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %before, label %last

before:
  %index = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %a, i64 %index
  br label %loop

loop:
  %k = phi i32 [ 0, %before ], [ %next, %loop ]
  store volatile i32 7, ptr %p
  %next = add i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %last

last:
  %also = zext i32 %i to i64
  %q = getelementptr i32, ptr %a, i64 %also
  %v = load volatile i32, ptr %q
  store volatile i32 %v, ptr %a
  ret void
}

; Behind the loop it is needed under a condition: the loop's own condition leaves
; time for the one instruction.
; CHECK-LABEL: .entry perhaps(
; CHECK: add.s64 %[[P:.*]], %{{.*}}, %{{.*}};
; CHECK: @%p{{.*}} bra
; CHECK-NOT: add.s64
; CHECK: st.volatile.global.b32 [%[[P]]],
; CHECK-NOT: add.s64
; CHECK: ld.volatile.global.b32 %{{.*}}, [%[[P]]];
; CHECK: ret;
define ptx_kernel void @perhaps(ptr %a, i32 %i, i32 %n) {
entry:
  %some = icmp ugt i32 %n, 65
  br i1 %some, label %before, label %last

before:
  %index = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %a, i64 %index
  br label %loop

loop:
  %k = phi i32 [ %n, %before ], [ %half, %loop ]
  store volatile i32 %k, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %half = lshr i32 %k, 1
  %again = icmp ugt i32 %k, 131
  br i1 %again, label %loop, label %last

last:
  %first = icmp ult i32 %i, 32
  br i1 %first, label %sum, label %end

sum:
  %also = zext i32 %i to i64
  %q = getelementptr i32, ptr %a, i64 %also
  %v = load volatile i32, ptr %q
  store volatile i32 %v, ptr %a
  br label %end

end:
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
