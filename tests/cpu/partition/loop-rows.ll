; The loops of kernel loops over several axes: blocks have one row, and all
; threads make each iteration of the loops together; what they reduce lies in the
; arena, and fission leaves no condition but the bounds of the loop over threads.
; RUN: cufort-opt -passes=...cpu-loop-rows -cpu-no-thread-entries %s | FileCheck %s
; RUN: cufort-opt -passes=...cpu-fission -cpu-no-thread-entries %s | FileCheck %s --check-prefix=LOOPS

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

; CHECK-LABEL: define void @total
; CHECK: store double 0.000000e+00, ptr
; CHECK: %y = phi i64
; CHECK: %x = phi i64
; CHECK-NOT: {{phi double|tid.y}}
; CHECK: br i1 %{{.*}}, label %row, label %nexty, !cufort.loop-row
; CHECK: body:
; CHECK: [[PLACE:%.*]] = getelementptr inbounds double, ptr %carried
; CHECK: [[BEFORE:%.*]] = load double, ptr [[PLACE]]
; CHECK: %more = fadd double [[BEFORE]]
; CHECK: store double %more, ptr
; CHECK: done:
; CHECK: load double, ptr
; LOOPS-LABEL: define void @total
; LOOPS: %y = phi i64
; LOOPS: %x = phi i64
; LOOPS: %more = fadd double
; LOOPS: interval:
; LOOPS: %first = phi i32
define ptx_kernel void @total(ptr %a, ptr %p, i64 %nx, i64 %ny, i64 %step) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tx = zext i32 %t to i64
  %ty = zext i32 %u to i64
  br label %heady
heady:
  %sumy = phi double [ 0.0, %entry ], [ %sumx, %nexty ]
  %y = phi i64 [ 0, %entry ], [ %furthery, %nexty ]
  %moray = icmp slt i64 %y, %ny
  br i1 %moray, label %headx, label %done
headx:
  %sumx = phi double [ %sumy, %heady ], [ %sum, %nextx ]
  %x = phi i64 [ 0, %heady ], [ %furtherx, %nextx ]
  %morex = icmp slt i64 %x, %nx
  br i1 %morex, label %row, label %nexty
row:
  %i = add nsw i64 %x, %tx
  %j = add nsw i64 %y, %ty
  %isx = icmp slt i64 %i, %nx
  %isy = icmp slt i64 %j, %ny
  %is = and i1 %isx, %isy
  br i1 %is, label %body, label %nextx
body:
  %offset = mul nsw i64 %j, %nx
  %where = add nsw i64 %offset, %i
  %q = getelementptr double, ptr %a, i64 %where
  %value = load double, ptr %q
  %more = fadd double %sumx, %value
  br label %nextx
nextx:
  %sum = phi double [ %more, %body ], [ %sumx, %row ]
  %furtherx = add nsw i64 %x, %step
  br label %headx
nexty:
  %furthery = add nsw i64 %y, 1
  br label %heady
done:
  %r = getelementptr double, ptr %p, i64 %tx
  store double %sumy, ptr %r
  ret void
}

; A variable that keeps something from iteration to iteration: threads go one by one.
; CHECK-LABEL: define void @keeps
; CHECK-NOT: !cufort.loop-row
; CHECK: ret void
define ptx_kernel void @keeps(ptr %a, i64 %nx, i64 %step) #1 {
entry:
  %seen = alloca [4 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tx = zext i32 %t to i64
  store i32 0, ptr %seen
  br label %headx
headx:
  %x = phi i64 [ 0, %entry ], [ %furtherx, %row ]
  %morex = icmp slt i64 %x, %nx
  br i1 %morex, label %row, label %done
row:
  %i = add nsw i64 %x, %tx
  %k = and i64 %i, 3
  %s = getelementptr i32, ptr %seen, i64 %k
  %before = load i32, ptr %s
  %after = add i32 %before, 1
  store i32 %after, ptr %s
  %q = getelementptr i32, ptr %a, i64 %i
  store i32 %after, ptr %q
  %furtherx = add nsw i64 %x, %step
  br label %headx
done:
  ret void
}

attributes #0 = { "cufort-loop-axes"="2" }
attributes #1 = { "cufort-loop-axes"="1" }
