; Of several conditions those that a row agrees on are branches of their own; the
; mask of the others is what the others say, and the lanes that came to them meet
; again before the ways of rows do.
; RUN: cufort-opt -passes=...cpu-strips -cpu-no-thread-entries %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.smax.i32(i32, i32)
@tile = internal addrspace(3) global [16 x [16 x float]] undef, align 16

; CHECK-LABEL: define void @inside(
; CHECK: start.lanes:
; CHECK-NOT: <16 x i1>{{.*}}splat (i1 true)
; CHECK: [[ROWS:%.*]] = and i1
; CHECK-NEXT: br i1 [[ROWS]], label %[[TEST:.*]], label %[[JOIN:.*]]
; CHECK: [[TEST]]:
; CHECK: [[MASK:%.*]] = select <16 x i1> {{%.*}}, <16 x i1> {{%.*}}, <16 x i1> zeroinitializer
; CHECK: [[BITS:%.*]] = bitcast <16 x i1> [[MASK]] to i16
; CHECK-NEXT: %any = icmp ne i16 [[BITS]], 0
; CHECK-NEXT: br i1 %any, label %[[WAY:.*]], label %[[MET:.*]]
; CHECK: [[WAY]]:
; CHECK: call void @llvm.masked.store.v16f32{{.*}}, <16 x i1> [[MASK]])
; CHECK: [[MET]]:
; CHECK: [[COMPUTED:%.*]] = select <16 x i1> [[MASK]], <16 x i8>
; CHECK: [[JOIN]]:
; CHECK-NEXT: phi <16 x i8> [ [[COMPUTED]], %[[MET]] ], [ zeroinitializer, %start.lanes ]
; CHECK: strip.next:
define ptx_kernel void @inside(ptr noalias %a, ptr noalias %b, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %x0 = icmp sgt i32 %x, 0
  br i1 %x0, label %1, label %end
1:
  %y0 = icmp sgt i32 %y, 0
  br i1 %y0, label %2, label %end
2:
  %xn = icmp slt i32 %x, %n
  br i1 %xn, label %3, label %end
3:
  %yn = icmp slt i32 %y, %n
  br i1 %yn, label %work, label %end
work:
  %left = sub nsw i32 %x, 1
  %i = call i32 @llvm.smax.i32(i32 %left, i32 %n)
  %at = sext i32 %i to i64
  %p = getelementptr inbounds [16 x [16 x float]], ptr addrspace(3) @tile, i32 0, i32 %y, i64 %at
  %v = load float, ptr addrspace(3) %p
  %q = getelementptr float, ptr %a, i32 %x
  store float %v, ptr %q
  br label %end
end:
  %computed = phi i8 [ 0, %0 ], [ 0, %1 ], [ 0, %2 ], [ 0, %3 ], [ 1, %work ]
  %r = getelementptr i8, ptr %b, i32 %x
  store i8 %computed, ptr %r
  ret void
}

; What the row agrees on but is known behind another condition only stays there.
; CHECK-LABEL: define void @loaded(
; CHECK: start.lanes:
; CHECK-NOT: load i32
; CHECK: br i1 %any
; CHECK: load i32, ptr
; CHECK: strip.next:
define ptx_kernel void @loaded(ptr noalias %a, ptr noalias %flag, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr float, ptr %a, i32 %x
  %old = load float, ptr %q
  %positive = fcmp ogt float %old, 0.0
  br i1 %positive, label %1, label %end
1:
  %f = load i32, ptr %flag
  %set = icmp ne i32 %f, 0
  br i1 %set, label %work, label %end
work:
  %right = add nsw i32 %x, 1
  %i = call i32 @llvm.smax.i32(i32 %right, i32 %n)
  %at = sext i32 %i to i64
  %p = getelementptr inbounds [16 x [16 x float]], ptr addrspace(3) @tile, i32 0, i32 1, i64 %at
  %v = load float, ptr addrspace(3) %p
  store float %v, ptr %q
  br label %end
end:
  ret void
}
