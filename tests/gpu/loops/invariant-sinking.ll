; What is simple, and needed behind one inner loop by another, is computed there
; and not before the loop around both.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; The second loop's own count, but not the first's.
; CHECK-LABEL: .entry rows(
; CHECK: and.b32 {{%r[0-9]+}}, [[N:%r[0-9]+]], 2147483640;
; CHECK: bar.sync 0;
; CHECK: and.b32 [[COUNT:%r[0-9]+]], [[N]], 2147483632;
; CHECK: bar.sync 1;
; CHECK: setp.{{lt.s32|lt.u32}} {{%p[0-9]+}}, {{%r[0-9]+}}, [[COUNT]];
; CHECK: ret;
define ptx_kernel void @rows(ptr %a, i32 %n, i32 %m) {
start:
  br label %row
row:
  %r = phi i32 [ 0, %start ], [ %further, %end ]
  %eights = and i32 %n, 2147483640
  br label %first
first:
  %i = phi i32 [ 0, %row ], [ %next, %first ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, %m
  %go = icmp slt i32 %next, %eights
  br i1 %go, label %first, label %between
between:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 2)
  %sixteens = and i32 %n, 2147483632
  br label %second
second:
  %j = phi i32 [ 0, %between ], [ %after, %second ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
  %after = add i32 %j, %m
  %on = icmp slt i32 %after, %sixteens
  br i1 %on, label %second, label %end
end:
  %p = getelementptr float, ptr %a, i32 %r
  store i32 %n, ptr %p
  %further = add i32 %r, 1
  %more = icmp slt i32 %further, %n
  br i1 %more, label %row, label %out
out:
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
