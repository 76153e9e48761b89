; A value that only some lanes have set is handed on: they alone execute what
; stands under the condition. Neither parameters and results of functions nor
; loads are taken to be defined, and a variable that may not have been set has
; some value where it decides something. Of the pass gpu-lowering; PTX shows that
; LLVM keeps the conditions.
; RUN: cufort-opt -passes=gpu-lowering %s | FileCheck %s --implicit-check-not=!noundef
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s --check-prefix=PTX
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device -debug %s | FileCheck %s --check-prefix=DEBUG

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare noundef float @__nv_sinf(float noundef)

; CHECK-LABEL: define internal i32 @first(i32 %value)
; CHECK-LABEL: define ptx_kernel void @shuffle(
; CHECK-NEXT: %value = alloca i32
; CHECK-NEXT: %lane = call
; CHECK: %own = load i32, ptr %value, align 4{{$}}
; CHECK-NEXT: %one = call i32 @first(i32 %own)
; PTX-LABEL: .entry shuffle(
; PTX: bra
; PTX: atom.{{.*}}add
; PTX: shfl.sync.idx
; DEBUG-LABEL: .entry shuffle(
; DEBUG: bra
; DEBUG: atom.{{.*}}add
define internal noundef i32 @first(i32 noundef %value) alwaysinline {
  %all = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %value, i32 0, i32 31)
  ret i32 %all
}
define ptx_kernel void @shuffle(ptr noundef %counter, ptr noundef %out) {
  %value = alloca i32
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %take, label %all
take:
  %start = atomicrmw add ptr %counter, i32 16 monotonic
  store i32 %start, ptr %value
  br label %all
all:
  %own = load i32, ptr %value, !noundef !0
  %one = call noundef i32 @first(i32 noundef %own)
  store i32 %one, ptr %out
  ret void
}

; CHECK-LABEL: define internal i32 @take(ptr %counter)
; CHECK-NEXT: %value = alloca i32
; CHECK-NEXT: %lane = call
; CHECK-LABEL: define ptx_kernel void @results(
; CHECK: %own = call i32 @take(ptr %counter)
; CHECK-NEXT: %one = call i32 @first(i32 %own)
; PTX-LABEL: .entry results(
; PTX: bra
; PTX: atom.{{.*}}add
; PTX: shfl.sync.idx
define internal noundef i32 @take(ptr noundef %counter) {
  %value = alloca i32
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %take, label %all
take:
  %start = atomicrmw add ptr %counter, i32 16 monotonic
  store i32 %start, ptr %value
  br label %all
all:
  %own = load i32, ptr %value
  ret i32 %own
}
define ptx_kernel void @results(ptr noundef %counter, ptr noundef %out) {
  %own = call noundef i32 @take(ptr noundef %counter)
  %one = call noundef i32 @first(i32 noundef %own)
  store i32 %one, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @sine(
; CHECK-NEXT: %value = alloca float
; CHECK-NEXT: %lane = call
; CHECK: %of = call float @__nv_sinf(float %own)
; PTX-LABEL: .entry sine(
; PTX: bra
; PTX: atom.{{.*}}add
define ptx_kernel void @sine(ptr noundef %counter, ptr noundef %out) {
  %value = alloca float
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %take, label %all
take:
  %start = atomicrmw fadd ptr %counter, float 1.0 monotonic
  store float %start, ptr %value
  br label %all
all:
  %own = load float, ptr %value
  %of = call noundef float @__nv_sinf(float noundef %own)
  store float %of, ptr %out
  ret void
}

; LLVM has no division by what is not defined.
; CHECK-LABEL: define ptx_kernel void @divisor(
; CHECK-NEXT: %value = alloca i32
; CHECK-NEXT: store i32 1, ptr %value
; CHECK: %quotient = udiv i32 1000, %own
; CHECK-NEXT: %one = call i32 @first(i32 %quotient)
; PTX-LABEL: .entry divisor(
; PTX: bra
; PTX: atom.{{.*}}add
; PTX: div.u32
define ptx_kernel void @divisor(ptr noundef %counter, ptr noundef %out) {
  %value = alloca i32
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %take, label %all
take:
  %start = atomicrmw add ptr %counter, i32 16 monotonic
  store i32 %start, ptr %value
  br label %all
all:
  %own = load i32, ptr %value
  %quotient = udiv i32 1000, %own
  %one = call noundef i32 @first(i32 noundef %quotient)
  store i32 %one, ptr %out
  ret void
}

; Neither if that is a constant otherwise.
; CHECK-LABEL: define ptx_kernel void @constant(
; CHECK-NEXT: %value = alloca i32
; CHECK-NEXT: store i32 1, ptr %value
; PTX-LABEL: .entry constant(
; PTX: bra
; PTX: atom.{{.*}}add
define ptx_kernel void @constant(ptr noundef %counter, ptr noundef %out) {
  %value = alloca i32
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %take, label %all
take:
  %start = atomicrmw add ptr %counter, i32 16 monotonic
  store i32 5, ptr %value
  br label %all
all:
  %own = load i32, ptr %value
  %quotient = udiv i32 1000, %own
  store i32 %quotient, ptr %out
  ret void
}

; Nor a load by such an address.
; CHECK-LABEL: define ptx_kernel void @address(
; CHECK-SAME: [[VALID:#[0-9]+]] {
; CHECK-NEXT: %value = alloca ptr
; CHECK-NEXT: store ptr null, ptr %value
; CHECK: attributes [[VALID]] = { {{.*}}null_pointer_is_valid
; PTX-LABEL: .entry address(
; PTX: bra
; PTX: atom.{{.*}}add
; PTX: ld.global
define ptx_kernel void @address(ptr noundef %counter, ptr noundef %out) {
  %value = alloca ptr
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %take, label %all
take:
  %start = atomicrmw add ptr %counter, i32 16 monotonic
  %place = getelementptr i32, ptr %counter, i32 %start
  store ptr %place, ptr %value
  br label %all
all:
  %own = load ptr, ptr %value
  %loaded = load i32, ptr %own
  store i32 %loaded, ptr %out
  ret void
}

!0 = !{}
