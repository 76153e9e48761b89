; RUN: cufort-opt -passes=cpu-flatten,cpu-host-functions,cpu-inline %s | FileCheck %s
; Output goes to the runtime; a stop does not end a path, so the threads that do
; not stop are no early returns.
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @kernel(
; CHECK: call ptr @__cufort_cpu_output_begin(
; CHECK: call void @__cufort_cpu_output_end(
; CHECK: br i1 %bad, label %stop, label %on
; CHECK: stop:
; CHECK: call void @__cufort_cpu_kernel_stop(
; CHECK-NEXT: br label %on
; CHECK: on:
; CHECK-NEXT: %value = phi i32 [ 1, %{{.*}} ], [ 1, %stop ]
; CHECK-NOT: unreachable
define ptx_kernel void @kernel(ptr %a, i1 %bad) {
  %r = call ptr @__cufort_output_begin(i32 1, i32 6, ptr null, i32 3)
  call void @__cufort_output_end(ptr %r)
  br i1 %bad, label %stop, label %on
stop:
  call void @stop()
  unreachable
on:
  %value = phi i32 [ 1, %0 ]
  store i32 %value, ptr %a
  ret void
}

define void @stop() {
  call void @__cufort_kernel_stop(i32 0, i32 7, ptr null, i64 0, ptr null, i32 0)
  unreachable
}

; The cases of a switch: none goes on in another one.
; CHECK-LABEL: @cases(
; CHECK: switch i32 %which, label %done
; CHECK: one:
; CHECK: br label %done
; CHECK: two:
; CHECK: br label %done
define ptx_kernel void @cases(i32 %which) {
  switch i32 %which, label %done [ i32 1, label %one
                                   i32 2, label %two ]
one:
  call void @stop()
  unreachable
two:
  call void @stop()
  br label %more
more:
  call void @stop()
  unreachable
done:
  ret void
}

; Nowhere to go on: a thread that has stopped leaves.
; CHECK-LABEL: @always(
; CHECK: call void @__cufort_cpu_kernel_stop(
; CHECK-NEXT: ret void
define ptx_kernel void @always() {
  call void @stop()
  unreachable
}

; CHECK: declare ptr @__cufort_cpu_output_begin(
define ptr @__cufort_output_begin(i32 %item, i32 %unit, ptr %file, i32 %line) {
  ret ptr null
}
define void @__cufort_output_end(ptr %record) {
  ret void
}
define void @__cufort_kernel_stop(i32 %kind, i32 %code, ptr %text, i64 %bytes, ptr %file, i32 %line) {
  call void @llvm.trap()
  unreachable
}
