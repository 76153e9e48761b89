; Conditions that are needed before a loop and behind it are compared again where
; there would be many to go through it.
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry five(
; CHECK-COUNT-5: setp.ge.s32
; CHECK: ld.volatile.global
; CHECK: add.s32 [[I:%r[0-9]+]], {{%r[0-9]+}}, 256;
; CHECK: setp.ge.s32 {{%p[0-9]+}}, [[I]],
; CHECK-COUNT-4: setp.ge.s32
; CHECK: ret;
define ptx_kernel void @five(ptr %in, ptr %out, i32 %n, i32 %iterations) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %test0
test0:
  %i0 = add nuw nsw i32 %i, 256
  %is0 = icmp slt i32 %i0, %n
  br i1 %is0, label %load0, label %test1
load0:
  %p0 = getelementptr float, ptr %in, i32 %i0
  %v0 = load float, ptr %p0
  store volatile float %v0, ptr %out
  br label %test1
test1:
  %i1 = add nuw nsw i32 %i, 512
  %is1 = icmp slt i32 %i1, %n
  br i1 %is1, label %load1, label %test2
load1:
  %p1 = getelementptr float, ptr %in, i32 %i1
  %v1 = load float, ptr %p1
  store volatile float %v1, ptr %out
  br label %test2
test2:
  %i2 = add nuw nsw i32 %i, 768
  %is2 = icmp slt i32 %i2, %n
  br i1 %is2, label %load2, label %test3
load2:
  %p2 = getelementptr float, ptr %in, i32 %i2
  %v2 = load float, ptr %p2
  store volatile float %v2, ptr %out
  br label %test3
test3:
  %i3 = add nuw nsw i32 %i, 1024
  %is3 = icmp slt i32 %i3, %n
  br i1 %is3, label %load3, label %test4
load3:
  %p3 = getelementptr float, ptr %in, i32 %i3
  %v3 = load float, ptr %p3
  store volatile float %v3, ptr %out
  br label %test4
test4:
  %i4 = add nuw nsw i32 %i, 1280
  %is4 = icmp slt i32 %i4, %n
  br i1 %is4, label %load4, label %loop
load4:
  %p4 = getelementptr float, ptr %in, i32 %i4
  %v4 = load float, ptr %p4
  store volatile float %v4, ptr %out
  br label %loop
loop:
  %iteration = phi i32 [ 0, %test4 ], [ 0, %load4 ], [ %iteration.next, %loop ]
  %x = load volatile float, ptr %in
  store volatile float %x, ptr %out
  %iteration.next = add nuw nsw i32 %iteration, 1
  %again = icmp ne i32 %iteration.next, %iterations
  br i1 %again, label %loop, label %store0
store0:
  br i1 %is0, label %write0, label %store1
write0:
  %q0 = getelementptr float, ptr %out, i32 %i0
  store volatile float 1.0, ptr %q0
  br label %store1
store1:
  br i1 %is1, label %write1, label %store2
write1:
  %q1 = getelementptr float, ptr %out, i32 %i1
  store volatile float 1.0, ptr %q1
  br label %store2
store2:
  br i1 %is2, label %write2, label %store3
write2:
  %q2 = getelementptr float, ptr %out, i32 %i2
  store volatile float 1.0, ptr %q2
  br label %store3
store3:
  br i1 %is3, label %write3, label %store4
write3:
  %q3 = getelementptr float, ptr %out, i32 %i3
  store volatile float 1.0, ptr %q3
  br label %store4
store4:
  br i1 %is4, label %write4, label %end
write4:
  %q4 = getelementptr float, ptr %out, i32 %i4
  store volatile float 1.0, ptr %q4
  br label %end
end:
  ret void
}

; Four are not many.
; CHECK-LABEL: .entry four(
; CHECK-COUNT-4: setp.ge.s32
; CHECK: ld.volatile.global
; CHECK-NOT: setp.ge.s32
; CHECK: ret;
define ptx_kernel void @four(ptr %in, ptr %out, i32 %n, i32 %iterations) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %test0
test0:
  %i0 = add nuw nsw i32 %i, 256
  %is0 = icmp slt i32 %i0, %n
  br i1 %is0, label %load0, label %test1
load0:
  %p0 = getelementptr float, ptr %in, i32 %i0
  %v0 = load float, ptr %p0
  store volatile float %v0, ptr %out
  br label %test1
test1:
  %i1 = add nuw nsw i32 %i, 512
  %is1 = icmp slt i32 %i1, %n
  br i1 %is1, label %load1, label %test2
load1:
  %p1 = getelementptr float, ptr %in, i32 %i1
  %v1 = load float, ptr %p1
  store volatile float %v1, ptr %out
  br label %test2
test2:
  %i2 = add nuw nsw i32 %i, 768
  %is2 = icmp slt i32 %i2, %n
  br i1 %is2, label %load2, label %test3
load2:
  %p2 = getelementptr float, ptr %in, i32 %i2
  %v2 = load float, ptr %p2
  store volatile float %v2, ptr %out
  br label %test3
test3:
  %i3 = add nuw nsw i32 %i, 1024
  %is3 = icmp slt i32 %i3, %n
  br i1 %is3, label %load3, label %loop
load3:
  %p3 = getelementptr float, ptr %in, i32 %i3
  %v3 = load float, ptr %p3
  store volatile float %v3, ptr %out
  br label %loop
loop:
  %iteration = phi i32 [ 0, %test3 ], [ 0, %load3 ], [ %iteration.next, %loop ]
  %x = load volatile float, ptr %in
  store volatile float %x, ptr %out
  %iteration.next = add nuw nsw i32 %iteration, 1
  %again = icmp ne i32 %iteration.next, %iterations
  br i1 %again, label %loop, label %store0
store0:
  br i1 %is0, label %write0, label %store1
write0:
  %q0 = getelementptr float, ptr %out, i32 %i0
  store volatile float 1.0, ptr %q0
  br label %store1
store1:
  br i1 %is1, label %write1, label %store2
write1:
  %q1 = getelementptr float, ptr %out, i32 %i1
  store volatile float 1.0, ptr %q1
  br label %store2
store2:
  br i1 %is2, label %write2, label %store3
write2:
  %q2 = getelementptr float, ptr %out, i32 %i2
  store volatile float 1.0, ptr %q2
  br label %store3
store3:
  br i1 %is3, label %write3, label %end
write3:
  %q3 = getelementptr float, ptr %out, i32 %i3
  store volatile float 1.0, ptr %q3
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
