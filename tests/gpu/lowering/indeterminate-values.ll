; A value that only some lanes have set is handed on: they alone execute what
; stands under the condition. Neither parameters and results of functions nor
; loads are taken to be defined, and a variable that may not have been set has
; some value where it decides something.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device -debug %s | FileCheck %s --check-prefix=DEBUG

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare noundef float @__nv_sinf(float noundef)

; CHECK-LABEL: .entry shuffle(
; CHECK: bra
; CHECK: atom.{{.*}}add
; CHECK: shfl.sync.idx
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

; CHECK-LABEL: .entry results(
; CHECK: bra
; CHECK: atom.{{.*}}add
; CHECK: shfl.sync.idx
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

; CHECK-LABEL: .entry sine(
; CHECK: bra
; CHECK: atom.{{.*}}add
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
; CHECK-LABEL: .entry divisor(
; CHECK: bra
; CHECK: atom.{{.*}}add
; CHECK: div.u32
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
; CHECK-LABEL: .entry constant(
; CHECK: bra
; CHECK: atom.{{.*}}add
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
; CHECK-LABEL: .entry address(
; CHECK: bra
; CHECK: atom.{{.*}}add
; CHECK: ld.global
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
