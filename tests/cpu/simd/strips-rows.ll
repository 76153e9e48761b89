; Of a block shape that is known, a strip has as many rows as registers can keep:
; sixteen with AVX-512, four without; both where the program is for both.
; RUN: cufort-opt -passes=...cpu-strips -cpu-no-thread-entries %s | FileCheck %s --check-prefixes=MANY,BOTH
; RUN: cufort-opt -passes=...cpu-strips -cpu-no-thread-entries -cpu-levels=4 %s | FileCheck %s --check-prefixes=MANY,ONE
; RUN: cufort-opt -passes=...cpu-strips -cpu-no-thread-entries -cpu-levels=3 %s | FileCheck %s --check-prefixes=FEW,ONE
; RUN: cufort-opt -passes=cpu -cpu-no-thread-entries -cpu-levels=7 %s | FileCheck %s --check-prefix=LEVELS

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; MANY-LABEL: define void @rows.16x16x1(
; MANY: add nuw nsw i32 %rows.y, 16
; FEW-LABEL: define void @rows.16x16x1(
; FEW: add nuw nsw i32 %rows.y, 4
; ONE-NOT: define void @rows.16x16x1.few(
; BOTH-LABEL: define void @rows.16x16x1.few(
; BOTH-SAME: [[OLDER:#[0-9]+]]
; BOTH: add nuw nsw i32 %rows.y, 4
; BOTH: attributes [[OLDER]] = { {{.*}}"cufort-levels"="3"

; LEVELS-DAG: define {{.*}}@rows.16x16x1.v4(
; LEVELS-DAG: define {{.*}}@rows.16x16x1.few.v3(
; LEVELS-DAG: define {{.*}}@rows.16x16x1.few.v2(
; LEVELS-NOT: define {{.*}}@rows.16x16x1.v3(
; LEVELS-NOT: define {{.*}}@rows.16x16x1.few.v4(
define ptx_kernel void @rows(ptr noalias %a, ptr noalias %b, ptr noalias %c, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %k16 = mul nsw i32 %k, 16
  %i = add nsw i32 %k16, %t
  %p = getelementptr float, ptr %a, i32 %i
  %x = load float, ptr %p
  %j = add nsw i32 %k16, %u
  %q = getelementptr float, ptr %b, i32 %j
  %y = load float, ptr %q
  %product = fmul float %x, %y
  %more = fadd float %sum, %product
  %k.next = add nsw i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %loop, label %end
end:
  %u16 = mul nsw i32 %u, 16
  %l = add nsw i32 %u16, %t
  %r = getelementptr float, ptr %c, i32 %l
  store float %more, ptr %r
  ret void
}

!cufort.launches = !{!0}
!0 = !{!"rows", i32 16, i32 16, i32 1}
