; One copy per level, each with its instruction set, and the threads in vectors.
; RUN: cufort-opt -passes=cpu %s | FileCheck %s
; RUN: cufort-opt -passes=cpu -cpu-levels=2 %s | FileCheck %s --check-prefix=ONE

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare double @__nv_sin(double)

; ONE-NOT: @triad.v2(
; ONE: define {{.*}}@triad.v3(
; ONE-NOT: @triad.v4(

; CHECK-LABEL: define {{.*}}@triad.thread(
; CHECK-LABEL: define {{.*}}@triad.v2(
; CHECK-LABEL: define {{.*}}@triad.v3(
; CHECK: <4 x double>
; CHECK-LABEL: define {{.*}}@triad.v4(
; CHECK: <4 x double>
define ptx_kernel void @triad(ptr %a, ptr %b, ptr %c, double %s, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %k, %w
  %i = add i32 %base, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %work, label %end
work:
  %j = sext i32 %i to i64
  %pb = getelementptr double, ptr %b, i64 %j
  %x = load double, ptr %pb
  %pc = getelementptr double, ptr %c, i64 %j
  %y = load double, ptr %pc
  %m = fmul double %s, %y
  %r = fadd double %x, %m
  %pa = getelementptr double, ptr %a, i64 %j
  store double %r, ptr %pa
  br label %end
end:
  ret void
}
; CHECK-LABEL: define {{.*}}@wave.v2(
; CHECK: call <2 x double> @_ZGVbN2v_sin(
; CHECK-NOT: @_ZGVd
; CHECK-LABEL: define {{.*}}@wave.v3(
; CHECK: call <4 x double> @_ZGVdN4v_sin(
; CHECK-LABEL: define {{.*}}@wave.v4(
; CHECK: call <8 x double> @_ZGVeN8v_sin(
define ptx_kernel void @wave(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr double, ptr %a, i32 %t
  %x = load double, ptr %p
  %y = call double @__nv_sin(double %x)
  store double %y, ptr %p
  ret void
}

; At -O3 kernels without vector functions have a copy with wide vectors, for
; processors on which these are better.
; RUN: cufort-opt -passes=cpu -cpu-levels=15 %s | FileCheck %s --check-prefix=WIDE
; WIDE-LABEL: define {{.*}}@triad.v4(
; WIDE: <4 x double>
; WIDE-LABEL: define {{.*}}@triad.v4.wide(
; WIDE: <8 x double>
; WIDE-LABEL: define {{.*}}@wave.v4(
; WIDE-NOT: @wave.v4.wide

; What is loaded under a condition before a store to the same place is not loaded
; again behind it, though the join chooses it by the store's mask.
; CHECK-LABEL: define {{.*}}@exchange.v4(
; CHECK: [[OLD:%.*]] = {{.*}}@llvm.masked.load
; CHECK: [[FROZEN:%.*]] = freeze <{{.*}}> [[OLD]]
; CHECK: @llvm.masked.store
; CHECK: select <{{.*}}> {{.*}} [[FROZEN]]
define ptx_kernel void @exchange(ptr noalias %c, ptr noalias %a, ptr noalias %b, ptr noalias %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pc = getelementptr i32, ptr %c, i32 %t
  %pa = getelementptr i32, ptr %a, i32 %t
  %pb = getelementptr i32, ptr %b, i32 %t
  %po = getelementptr i32, ptr %o, i32 %t
  %new = load i32, ptr %pb
  %x = load i32, ptr %pc
  %is = icmp sgt i32 %x, 3
  br i1 %is, label %then, label %join
then:
  %old = load i32, ptr %pa
  store i32 %new, ptr %pa
  br label %join
join:
  %v = phi i32 [ %old, %then ], [ %new, %0 ]
  store i32 %v, ptr %po
  ret void
}

; Bytes that a loop puts together to a word, which is used twice, are one load, but
; volatile ones.
; CHECK-LABEL: define {{.*}}@word.v3(
; CHECK-NOT: load i8
; CHECK-NOT: x i8>
; CHECK: load i64, ptr {{.*}}, align 1
; CHECK-NOT: load i8
; CHECK-NOT: x i8>
; CHECK: ret void
; CHECK-LABEL: define {{.*}}@volatile_word.v3(
; CHECK-NOT: load i64, ptr {{.*}}, align 1
; CHECK: load volatile i8
; CHECK: ret void
define ptx_kernel void @word(ptr noalias %a, ptr noalias %o, ptr noalias %starts, ptr noalias %sizes) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ps = getelementptr i32, ptr %starts, i32 %t
  %start = load i32, ptr %ps
  %pn = getelementptr i32, ptr %sizes, i32 %t
  %n = load i32, ptr %pn
  %po = getelementptr i64, ptr %o, i32 %t
  br label %iteration
iteration:
  %k = phi i32 [ 0, %0 ], [ %k.next, %done ]
  %hash = phi i64 [ 0, %0 ], [ %mixed, %done ]
  %eight = shl i32 %k, 3
  %from = add i32 %start, %eight
  br label %byte
byte:
  %j = phi i32 [ 0, %iteration ], [ %j.next, %byte ]
  %word = phi i64 [ 0, %iteration ], [ %more, %byte ]
  %i = add nsw i32 %from, %j
  %p = getelementptr i8, ptr %a, i32 %i
  %x = load i8, ptr %p
  %wide = zext i8 %x to i64
  %bits = shl nuw nsw i32 %j, 3
  %bits.wide = zext nneg i32 %bits to i64
  %placed = shl nuw i64 %wide, %bits.wide
  %more = or i64 %word, %placed
  %j.next = add nuw nsw i32 %j, 1
  %stays = icmp ult i32 %j.next, 8
  br i1 %stays, label %byte, label %done
done:
  %first = mul i64 %more, 77
  %second = xor i64 %hash, %more
  %mixed = add i64 %first, %second
  %k.next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %iteration, label %end
end:
  store i64 %mixed, ptr %po
  ret void
}
define ptx_kernel void @volatile_word(ptr noalias %a, ptr noalias %o, ptr noalias %starts, ptr noalias %sizes) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ps = getelementptr i32, ptr %starts, i32 %t
  %start = load i32, ptr %ps
  %pn = getelementptr i32, ptr %sizes, i32 %t
  %n = load i32, ptr %pn
  %po = getelementptr i64, ptr %o, i32 %t
  br label %iteration
iteration:
  %k = phi i32 [ 0, %0 ], [ %k.next, %done ]
  %hash = phi i64 [ 0, %0 ], [ %mixed, %done ]
  %eight = shl i32 %k, 3
  %from = add i32 %start, %eight
  br label %byte
byte:
  %j = phi i32 [ 0, %iteration ], [ %j.next, %byte ]
  %word = phi i64 [ 0, %iteration ], [ %more, %byte ]
  %i = add nsw i32 %from, %j
  %p = getelementptr i8, ptr %a, i32 %i
  %x = load volatile i8, ptr %p
  %wide = zext i8 %x to i64
  %bits = shl nuw nsw i32 %j, 3
  %bits.wide = zext nneg i32 %bits to i64
  %placed = shl nuw i64 %wide, %bits.wide
  %more = or i64 %word, %placed
  %j.next = add nuw nsw i32 %j, 1
  %stays = icmp ult i32 %j.next, 8
  br i1 %stays, label %byte, label %done
done:
  %first = mul i64 %more, 77
  %second = xor i64 %hash, %more
  %mixed = add i64 %first, %second
  %k.next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %iteration, label %end
end:
  store i64 %mixed, ptr %po
  ret void
}

; CHECK: "target-cpu"="x86-64-v4"
