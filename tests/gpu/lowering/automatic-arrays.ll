; Blocks of the heap whose size is a small constant and whose address goes nowhere
; are private arrays; those that are large, of unknown size, or known elsewhere stay.
; RUN: cufort-opt -passes=gpu-automatic-arrays %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare ptr @malloc(i64)
declare void @free(ptr)
declare void @keep(ptr)

; CHECK-LABEL: @result(
; CHECK: %[[array:.*]] = alloca [12 x i8], align 16
; CHECK: loop:
; CHECK-NOT: @malloc
; CHECK: store float 1.000000e+00, ptr %[[array]]
; CHECK: getelementptr i8, ptr %[[array]], i64 %i
; CHECK-NOT: @free
; CHECK: ret
define ptx_kernel void @result(ptr %to, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %block = call ptr @malloc(i64 12)
  store float 1.0, ptr %block
  %place = getelementptr i8, ptr %block, i64 %i
  %value = load float, ptr %place
  store float %value, ptr %to
  call void @free(ptr %block)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @stays(
; CHECK-NOT: alloca
; CHECK: call ptr @malloc(i64 100000)
; CHECK: call ptr @malloc(i64 %n)
; CHECK: call ptr @malloc(i64 16)
; CHECK: call ptr @malloc(i64 8)
; CHECK: ret
define ptx_kernel void @stays(ptr %to, i64 %n) {
  %large = call ptr @malloc(i64 100000)
  store i32 0, ptr %large
  %unknown = call ptr @malloc(i64 %n)
  store i32 0, ptr %unknown
  %stored = call ptr @malloc(i64 16)
  store ptr %stored, ptr %to
  %passed = call ptr @malloc(i64 8)
  call void @keep(ptr %passed)
  call void @free(ptr %large)
  call void @free(ptr %unknown)
  call void @free(ptr %passed)
  ret void
}
