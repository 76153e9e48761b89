; Of a loop from `-r` to `r + 1`, where r is the thread's own, ptxas would keep one
; iteration: where it starts is computed in another way.
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry around(
; CHECK-NOT: neg.s32
; CHECK: not.b32 t, [[R:%r[0-9]+]]; add.s32 {{%r[0-9]+}}, t, 1;
; CHECK: atom.global.add
; CHECK: ret;
define ptx_kernel void @around(ptr addrspace(1) %sums, ptr addrspace(1) readonly %radii) mustprogress {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %radii, i32 %t
  %r = load i32, ptr addrspace(1) %p
  %first = sub nsw i32 0, %r
  %limit = add nsw i32 %r, 1
  br label %loop
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %at = add nsw i32 %i, %t
  %q = getelementptr i32, ptr addrspace(1) %sums, i32 %at
  %old = atomicrmw add ptr addrspace(1) %q, i32 1 syncscope("device") monotonic
  %next = add nsw i32 %i, 1
  %more = icmp ne i32 %next, %limit
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: .entry wide(
; CHECK: not.b64 t, {{%rd[0-9]+}}; add.s64 {{%rd[0-9]+}}, t, 1;
; CHECK: ret;
define ptx_kernel void @wide(ptr addrspace(1) %sums, ptr addrspace(1) readonly %radii) mustprogress {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i64, ptr addrspace(1) %radii, i32 %t
  %r = load i64, ptr addrspace(1) %p
  %first = sub nsw i64 0, %r
  %limit = add nsw i64 %r, 1
  br label %loop
loop:
  %i = phi i64 [ %first, %0 ], [ %next, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %sums, i64 %i
  %old = atomicrmw add ptr addrspace(1) %q, i32 1 syncscope("device") monotonic
  %next = add nsw i64 %i, 2
  %more = icmp slt i64 %next, %limit
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; Nothing counts here.
; CHECK-LABEL: .entry negated(
; CHECK: neg.s32
; CHECK-NOT: not.b32
; CHECK: ret;
define ptx_kernel void @negated(ptr addrspace(1) %to, i32 %r) {
  %first = sub nsw i32 0, %r
  store i32 %first, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
