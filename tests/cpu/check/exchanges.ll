; What a compare-and-swap compares may have been read through another pointer and
; kept in a variable of the thread: that read (4096, and 128: no value) need not be
; true any more. To set some bits of a number is to copy the others. An access has to
; be aligned by its own size, not as its variable is.
; RUN: cufort-opt -passes=...cpu-check -cpu-check %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @[[READ:.check.site.*]] = private global {{.*}}, i32 4224, i32 0, i32 {{[0-9]+}} }
; CHECK-NOT: i32 4224, i32 0, i32 {{[0-9]+}} }
; CHECK: = private global {{.*}}, i32 4, i32 4, i32 1, i32 0, i32 {{[0-9]+}} }
; CHECK-LABEL: define void @count
; CHECK: call ptr @__cufort_cpu_check_read(ptr %p, ptr @[[READ]])
define ptx_kernel void @count(ptr %p, ptr %q, ptr %r) {
  %slot = alloca i32
  %old = load i32, ptr %p
  store i32 %old, ptr %slot
  %looked.at = icmp eq i32 %old, 0
  %other = load i32, ptr %r
  %same = load i32, ptr %slot
  %new = add i32 %same, %other
  %pair = cmpxchg ptr %q, i32 %same, i32 %new monotonic monotonic
  ret void
}

; CHECK-LABEL: define void @bits
; CHECK-NOT: call ptr @__cufort_cpu_check_read(
; CHECK: call ptr @__cufort_cpu_check_range(ptr %p, i64 4,
; CHECK: ret void
define ptx_kernel void @bits(ptr %p) {
  %all = load i32, ptr %p
  %others = and i32 %all, -16
  %new = or i32 %others, 3
  store i32 %new, ptr %p, align 64
  ret void
}
