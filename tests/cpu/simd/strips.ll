; Loops over threads with loops inside become vector code: the inner loop
; outside, 16 threads (8 with double precision) innermost.
; RUN: cufort-opt -passes=...cpu-strips -cpu-no-thread-entries %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

; A uniform loop: its control flow is scalar, the sum a vector; without a branch
; the way out of the strips leads to the loop as it was.
; CHECK-LABEL: define void @uniform
; CHECK: strip:
; CHECK: %strip.x = phi i32
; CHECK: loop.lanes:
; CHECK-DAG: phi i32
; CHECK-DAG: [[SUM:%.*]] = phi <16 x float>
; CHECK: load float, ptr
; CHECK: load <16 x float>, ptr
; CHECK: fadd <16 x float> [[SUM]]
; CHECK: icmp
; CHECK-NEXT: br i1 {{.*}}, label %loop.lanes, label %end.lanes
; CHECK: store <16 x float>
; CHECK: strip.next:
; CHECK: add nuw nsw i32 %strip.x, 16
; CHECK: strip.rest:
define ptx_kernel void @uniform(ptr noalias %a, ptr noalias %b, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %p = getelementptr float, ptr %a, i32 %k
  %x = load float, ptr %p
  %i = add nsw i32 %k, %t
  %r = getelementptr float, ptr %a, i32 %i
  %y = load float, ptr %r
  %product = fmul float %x, %y
  %more = fadd float %sum, %product
  %k.next = add nsw i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %loop, label %end
end:
  %q = getelementptr float, ptr %b, i32 %t
  store float %more, ptr %q
  ret void
}

; A loop that threads leave at different iterations: it goes on while some lane does,
; and what is used afterwards is kept as it was when the lane left.
; CHECK-LABEL: define void @divergent
; CHECK: [[LIVE:%live]] = phi <8 x i1> [ splat (i1 true)
; CHECK: [[LAST:%.*]] = phi <8 x i32> [ poison
; CHECK: [[NOW:%.*]] = select <8 x i1> [[LIVE]], <8 x i32> {{.*}}, <8 x i32> [[LAST]]
; CHECK: [[STAY:%.*]] = select <8 x i1> [[LIVE]], <8 x i1> {{.*}}, <8 x i1> zeroinitializer
; CHECK: [[BITS:%.*]] = bitcast <8 x i1> [[STAY]] to i8
; CHECK: %any = icmp ne i8 [[BITS]], 0
; CHECK: store <8 x i32> [[NOW]]
define ptx_kernel void @divergent(ptr noalias %a, ptr noalias %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr double, ptr %a, i32 %t
  %start = load double, ptr %p
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %k.next, %loop ]
  %x = phi double [ %start, %0 ], [ %next, %loop ]
  %square = fmul double %x, %x
  %next = fadd double %square, 1.0
  %k.next = add nsw i32 %k, 1
  %again = fcmp olt double %next, 1.0e4
  br i1 %again, label %loop, label %end
end:
  %q = getelementptr i32, ptr %b, i32 %t
  store i32 %k.next, ptr %q
  ret void
}

; Under a divergent condition: lanes that do not come along neither load nor
; store, and where none does the way is skipped.
; CHECK-LABEL: define void @condition
; CHECK: [[MASK:%.*]] = fcmp ogt <16 x float>
; CHECK: br i1 %any
; CHECK: call void @llvm.masked.store.v16f32.p0({{.*}}, <16 x i1> [[MASK]])
define ptx_kernel void @condition(ptr noalias %a, ptr noalias %b, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %a, i32 %t
  %x = load float, ptr %p
  %positive = fcmp ogt float %x, 0.0
  br i1 %positive, label %loop, label %end
loop:
  %k = phi i32 [ 0, %0 ], [ %k.next, %loop ]
  %y = phi float [ %x, %0 ], [ %next, %loop ]
  %square = fmul float %y, %y
  %next = fsub float %square, %x
  %k.next = add nsw i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %loop, label %done
done:
  %q = getelementptr float, ptr %b, i32 %t
  store float %next, ptr %q
  br label %end
end:
  ret void
}

; Where all rows do the same, several at once; what they share is loaded once.
; CHECK-LABEL: define void @rows
; CHECK: %rows.y = phi i32
; CHECK-COUNT-4: phi <16 x float>
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

; A lock: lanes that wait for each other would wait for ever.
; CHECK-LABEL: define void @lock
; CHECK-NOT: strip
; CHECK: ret void
define ptx_kernel void @lock(ptr %a) {
  br label %loop
loop:
  %old = atomicrmw xchg ptr %a, i32 1 seq_cst
  %taken = icmp ne i32 %old, 0
  br i1 %taken, label %loop, label %end
end:
  store atomic i32 0, ptr %a seq_cst, align 4
  ret void
}

declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)

; An index cut off at both ends: where the ends of the strip are as far apart as
; neighbours are it reads neighbours, else each lane for itself.
; CHECK-LABEL: define void @clamped
; CHECK: [[FIRST:%.*]] = extractelement <16 x ptr> {{.*}}, i64 0
; CHECK: [[LAST:%.*]] = extractelement <16 x ptr> {{.*}}, i64 15
; CHECK: icmp eq i64 {{.*}}, 60
; CHECK-NEXT: br i1 {{.*}}, label %load.inside, label %load.cut
; CHECK: load.inside:
; CHECK: load <16 x float>, ptr [[FIRST]]
; CHECK: load.cut:
; CHECK: insertelement <16 x float>
; CHECK: load.done:
; CHECK: phi <16 x float>
define ptx_kernel void @clamped(ptr noalias %a, ptr noalias %b, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %i = add nsw i32 %k, %t
  %low = call i32 @llvm.smax.i32(i32 %i, i32 3)
  %cut = call i32 @llvm.smin.i32(i32 %low, i32 %n)
  %wide = sext i32 %cut to i64
  %p = getelementptr float, ptr %a, i64 %wide
  %p.before = getelementptr i8, ptr %p, i64 -4
  %x = load float, ptr %p.before
  %more = fadd float %sum, %x
  %k.next = add nsw i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %loop, label %end
end:
  %q = getelementptr float, ptr %b, i32 %t
  store float %more, ptr %q
  ret void
}

; What one row reads the next one has read an iteration before: the loop is written out,
; and four rows stand beside each other.
; CHECK-LABEL: define void @stencil
; CHECK: %rows.x = phi i32
; CHECK-NOT: phi
; CHECK-COUNT-12: load <16 x float>
; CHECK-NOT: load
; CHECK: rows.x.next:
; CHECK: add nuw nsw i32 %rows.y, 4
@image = internal addrspace(3) global [20 x [20 x float]] poison, align 4
define ptx_kernel void @stencil(ptr noalias %a) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %iteration ]
  %sum = phi float [ 0.0, %entry ], [ %more, %iteration ]
  %stays = icmp slt i32 %k, 3
  br i1 %stays, label %iteration, label %done
iteration:
  %row = add nuw nsw i32 %y, %k
  %p = getelementptr [20 x [20 x float]], ptr addrspace(3) @image, i32 0, i32 %row, i32 %x
  %v = load float, ptr addrspace(3) %p
  %more = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  br label %head
done:
  %line = mul nuw nsw i32 %y, 16
  %place = add nuw nsw i32 %line, %x
  %q = getelementptr float, ptr %a, i32 %place
  store float %sum, ptr %q
  ret void
}

; A thread that goes through a row of a matrix by itself: what there is to compute
; are indices, which step along in either case, and all accesses would be scattered.
; CHECK-LABEL: define void @own_row
; CHECK-NOT: x float>
; CHECK: ret void
define ptx_kernel void @own_row(ptr noalias %a, ptr noalias %b, ptr noalias %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl nuw nsw i32 %t, 10
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %from = sub nuw nsw i32 1022, %k
  %i = add nuw nsw i32 %row, %from
  %wide = zext nneg i32 %i to i64
  %place = getelementptr float, ptr %x, i64 %wide
  %old = load float, ptr %place
  %before = sub nuw nsw i32 1021, %k
  %j = add nuw nsw i32 %row, %before
  %wide2 = zext nneg i32 %j to i64
  %left = getelementptr float, ptr %x, i64 %wide2
  %l = load float, ptr %left
  %pa = getelementptr float, ptr %a, i64 %wide2
  %va = load float, ptr %pa
  %pb = getelementptr float, ptr %b, i64 %wide2
  %vb = load float, ptr %pb
  %p = fmul float %l, %va
  %d = fsub float %old, %p
  %q = fdiv float %d, %vb
  store float %q, ptr %place
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 1021
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A tile that is filled by a loop of so few iterations that it is written out: LLVM
; would peel the thread with an index of its own off and leave the others scalar.
; CHECK-LABEL: define void @fill
; CHECK: strip:
; CHECK: [[FIRST:%.*]] = load <16 x i32>, ptr
; CHECK: store <16 x i32> [[FIRST]]
; CHECK: load <16 x i32>, ptr
; CHECK: strip.next:
@tile = internal addrspace(3) global [4 x [16 x i32]] poison, align 16
define ptx_kernel void @fill(ptr noalias %a, ptr noalias %edge, i32 %columns) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %leads = icmp eq i32 %t, 0
  br i1 %leads, label %corner, label %loop
corner:
  store i32 1, ptr %edge
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ 0, %corner ], [ %next, %loop ]
  %row = mul nsw i32 %k, %columns
  %i = add nsw i32 %row, %t
  %wide = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %a, i64 %wide
  %x = load i32, ptr %p
  %q = getelementptr [4 x [16 x i32]], ptr addrspace(3) @tile, i32 0, i32 %k, i32 %t
  store i32 %x, ptr addrspace(3) %q
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}
