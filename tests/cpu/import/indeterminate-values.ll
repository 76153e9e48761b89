; Nothing says any more that parameters, results and loads of device code are
; defined, but for what the host hands to a kernel. A variable that may not have
; been set has a value from the start if it decides something, directly, by way
; of another or in a function.
; RUN: cufort-opt -passes=cpu-indeterminate %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: define internal i32 @callee(i32 %x, ptr nonnull %p)
define internal noundef i32 @callee(i32 noundef %x, ptr noundef nonnull %p) {
; CHECK-NEXT: load i32, ptr %p, align 4{{$}}
  %y = load i32, ptr %p, !noundef !0
  %z = add i32 %x, %y
  %some = icmp sgt i32 %z, 0
  br i1 %some, label %then, label %end
then:
  ret i32 %z
end:
  ret i32 0
}

; CHECK: define ptx_kernel void @kernel(ptr noundef %p, i32 noundef %n)
; CHECK: %set = alloca i32
; CHECK-NEXT: %unset = alloca i32
; CHECK-NEXT: store i32 0, ptr %unset
; CHECK-NEXT: %unset2 = alloca i32
; CHECK-NEXT: store i32 1, ptr %unset2
; CHECK-NEXT: %unset3 = alloca i32
; CHECK-NEXT: %other = alloca i32
; CHECK-NEXT: store i32 %n, ptr %set
; CHECK: call i32 @callee(i32 %v.unset, ptr nonnull %p)
define ptx_kernel void @kernel(ptr noundef %p, i32 noundef %n) {
entry:
  %set = alloca i32
  %unset = alloca i32
  %unset2 = alloca i32
  %unset3 = alloca i32
  %other = alloca i32
  store i32 %n, ptr %set
  %v.set = load i32, ptr %set
  %some = icmp sgt i32 %v.set, 0
  br i1 %some, label %then, label %join
then:
  store i32 1, ptr %unset
  store i32 1, ptr %unset2
  store i32 1, ptr %unset3
  br label %join
join:
  %v.unset = load i32, ptr %unset
  %r = call noundef i32 @callee(i32 noundef %v.unset, ptr noundef nonnull %p)
  store i32 %r, ptr %p
  %v.copied = load i32, ptr %unset2
  store i32 %v.copied, ptr %other
  %v.other = load i32, ptr %other
  %q = sdiv i32 %n, %v.other
  store i32 %q, ptr %p
; What is only stored need not be.
  %v.stored = load i32, ptr %unset3
  store i32 %v.stored, ptr %p
  ret void
}

; A variable that a loop begins with anew is not set in its next iteration.
; CHECK: define ptx_kernel void @iterations(
; CHECK: call void @llvm.lifetime.start.p0(ptr %x)
; CHECK-NEXT: store i32 0, ptr %x
define ptx_kernel void @iterations(ptr %p, i32 %n) {
entry:
  %x = alloca i32
  br label %iteration
iteration:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  call void @llvm.lifetime.start.p0(ptr %x)
  %first = icmp eq i32 %i, 0
  br i1 %first, label %then, label %end
then:
  store i32 %n, ptr %x
  br label %end
end:
  %v = load i32, ptr %x
  call void @llvm.lifetime.end.p0(ptr %x)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %v
  br i1 %more, label %iteration, label %out
out:
  ret void
}

!0 = !{}
