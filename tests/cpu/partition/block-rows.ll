; Entries whose blocks side by side may run as one wide block: the index in the
; grid is all that they use in x, and memory is read element by element.
; RUN: cufort-opt -passes=...cpu-block-rows -cpu-no-thread-entries %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-fission -cpu-no-thread-entries %s | FileCheck %s --check-prefix=LOOP

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; The usual index, one-based, with a bound. The loop over x is as long as the
; blocks, of which the argument further counts those after the first.
; CHECK: define void @usual({{.*}}) [[ROWS:#[0-9]+]]
; LOOP-LABEL: define void @usual
; LOOP: [[BLOCKS:%.*]] = add nuw nsw i32 %further, 1
; LOOP: %nx.row = mul nuw nsw i32 %nx, [[BLOCKS]]
; LOOP: zext i32 %nx.row to i64
define ptx_kernel void @usual(ptr noalias %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t1 = add nuw nsw i32 %t, 1
  %start = mul i32 %b, %d
  %i = add i32 %start, %t1
  %in = icmp sle i32 %i, %n
  br i1 %in, label %work, label %done
work:
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %wide
  store float 1.0, ptr %p
  br label %done
done:
  ret void
}

; In 64 bits, the parts added to a pointer one after the other.
; CHECK: define void @pointer({{.*}}) [[ROWS2:#[0-9]+]]
; CHECK: getelementptr float
; CHECK-NEXT: getelementptr float
define ptx_kernel void @pointer(ptr noalias %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tw = zext i32 %t to i64
  %dw = zext i32 %d to i64
  %bw = zext i32 %b to i64
  %start = mul nuw i64 %dw, %bw
  %i = or disjoint i64 %start, %tw
  %p = getelementptr float, ptr %a, i64 %i
  store float 1.0, ptr %p
  ret void
}

; As a disjunction, which is a sum in a wide block.
; CHECK: define void @disjoint({{.*}}) [[ROWS3:#[0-9]+]]
; CHECK-NOT: or disjoint
; CHECK: add i32
; CHECK: ret void
define ptx_kernel void @disjoint(ptr noalias %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = mul i32 %b, %d
  %i = or disjoint i32 %start, %t
  %turned = sub i32 1000, %i
  %wide = sext i32 %turned to i64
  %p = getelementptr float, ptr %a, i64 %wide
  store float 1.0, ptr %p
  ret void
}

; The thread's own index is used for itself.
; CHECK: define void @own({{.*}}) [[NONE:#[0-9]+]]
; LOOP-LABEL: define void @own
; LOOP-NOT: %nx.row
; LOOP: ret void
define ptx_kernel void @own(ptr noalias %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = mul i32 %b, %d
  %i = add i32 %start, %t
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %wide
  store i32 %t, ptr %p
  ret void
}

; Twice the start of the block is not the index in the grid.
; CHECK: define void @twice({{.*}}) [[NONE2:#[0-9]+]]
define ptx_kernel void @twice(ptr noalias %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = mul i32 %b, %d
  %half = add i32 %start, %t
  %i = add i32 %half, %start
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %wide
  store i32 1, ptr %p
  ret void
}

; A column after the other: neighbours in x are far apart, and a block is a tile.
; CHECK: define void @columns({{.*}}) [[NONE3:#[0-9]+]]
define ptx_kernel void @columns(ptr noalias %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = mul i32 %b, %d
  %i = add i32 %start, %t
  %wide = sext i32 %i to i64
  %p = getelementptr [1000 x float], ptr %a, i64 %wide
  store float 1.0, ptr %p
  ret void
}

; Atomics: threads notice each other.
; CHECK: define void @counts({{.*}}) [[NONE4:#[0-9]+]]
define ptx_kernel void @counts(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = mul i32 %b, %d
  %i = add i32 %start, %t
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %wide
  %old = atomicrmw add ptr %p, i32 1 monotonic
  ret void
}

; CHECK: attributes [[ROWS]] = { nounwind "cufort-block-rows"
; CHECK: attributes [[ROWS2]] = { nounwind "cufort-block-rows"
; CHECK: attributes [[ROWS3]] = { nounwind "cufort-block-rows"
; CHECK: attributes [[NONE]] = { nounwind "cufort-entry"
; CHECK: attributes [[NONE2]] = { nounwind "cufort-entry"
; CHECK: attributes [[NONE3]] = { nounwind "cufort-entry"
; CHECK: attributes [[NONE4]] = { nounwind "cufort-entry"
