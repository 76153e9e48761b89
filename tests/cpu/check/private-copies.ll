; With --check a private variable that gets device memory as a whole has a byte
; beside each of its bytes, which says whether that was unset; where the value
; is used, and not copied on, the runtime is told. Without the checker of
; uninitialised memory there is nothing of that.
; RUN: cufort-opt -passes=...cpu-check -cpu-check %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-check %s | FileCheck %s --check-prefix=OFF

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
%cell = type { float, float }

; OFF-NOT: __cufort_cpu_check

; What is copied on is not used; memory that gets it is as unset as the source.
; CHECK-LABEL: define {{.*}}@copied(
; CHECK-NOT: unset_use
; CHECK: call void @__cufort_cpu_check_copied_private(ptr %to, ptr %{{.+}}, i64 8)
; CHECK: call void @__cufort_cpu_check_copied(ptr %to, ptr %cells, i64 8)
; CHECK-NOT: unset_use
; CHECK: ret void
define ptx_kernel void @copied(ptr %cells, ptr %to) {
  %own = alloca %cell
  %other = alloca %cell
  call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %cells, i64 8, i1 false)
  %x = load float, ptr %own
  store float %x, ptr %other
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %other, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %cells, i64 8, i1 false)
  ret void
}

; CHECK-LABEL: define {{.*}}@used.checked(
; CHECK: %[[UNSET:.+]] = alloca [8 x i8]
; CHECK: %[[OWN:.+]] = alloca %cell
; CHECK: call void @llvm.memcpy{{.*}}(ptr %[[OWN]], ptr %{{.+}}, i64 8
; CHECK-NEXT: %[[FIRST:.+]] = getelementptr i8, ptr %[[UNSET]], i64 0
; CHECK-NEXT: call void @__cufort_cpu_check_unset(ptr %[[FIRST]], ptr %cells, i64 8)
; CHECK: %[[HERE:.+]] = getelementptr i8, ptr %[[UNSET]], i64 4
; CHECK: %[[BYTES:.+]] = load i32, ptr %[[HERE]], align 1, !nosanitize
; CHECK: %[[Y:.+]] = load float
; CHECK: %[[IS:.+]] = icmp ne i32 %[[BYTES]], 0
; CHECK: %[[SAID:.+]] = zext i1 %[[IS]] to i32
; CHECK: call void @__cufort_cpu_check_unset_use(i32 %[[SAID]],
; CHECK: fadd float %[[Y]]
define ptx_kernel void @used(ptr %cells, ptr %out) {
  %own = alloca %cell
  call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %cells, i64 8, i1 false)
  %at = getelementptr %cell, ptr %own, i32 0, i32 1
  %y = load float, ptr %at
  %sum = fadd float %y, 1.0
  store float %sum, ptr %out
  ret void
}

; What has its address in memory may be written there.
; CHECK-LABEL: define {{.*}}@escapes.checked(
; CHECK-NOT: check_unset
; CHECK: ret void
define ptx_kernel void @escapes(ptr %cells, ptr %out) {
  %own = alloca %cell
  call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %cells, i64 8, i1 false)
  %holder = alloca ptr
  store ptr %own, ptr %holder
  %held = load ptr, ptr %holder
  store float 1.0, ptr %held
  %x = load float, ptr %own
  %sum = fadd float %x, 1.0
  store float %sum, ptr %out
  ret void
}

; A variable may come behind other instructions.
; CHECK-LABEL: define {{.*}}@late.checked(
; CHECK-NEXT: %[[UNSET:.+]] = alloca [8 x i8]
; CHECK: call void @llvm.memset{{.*}}(ptr align 1 %[[UNSET]], i8 0, i64 8
; CHECK: %own = alloca %cell
define ptx_kernel void @late(ptr %cells, ptr %out) {
  %first = load float, ptr %out
  %own = alloca %cell
  call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %cells, i64 8, i1 false)
  %y = load float, ptr %own
  %sum = fadd float %y, %first
  store float %sum, ptr %out
  ret void
}
