; A loop that takes a number's bits one by one, and counts them, is the GPU's
; instruction for it.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry count(
; CHECK: popc.b64
; CHECK-NOT: bra
; CHECK: ret;
define ptx_kernel void @count(ptr addrspace(1) %a) mustprogress {
  %x = load i64, ptr addrspace(1) %a
  br label %test
test:
  %rest = phi i64 [ %x, %0 ], [ %less, %loop ]
  %n = phi i32 [ 0, %0 ], [ %next, %loop ]
  %more = icmp ne i64 %rest, 0
  br i1 %more, label %loop, label %end
loop:
  %below = sub i64 %rest, 1
  %less = and i64 %rest, %below
  %next = add i32 %n, 1
  br label %test
end:
  store i32 %n, ptr addrspace(1) %a
  ret void
}

; Not one that does more.
; CHECK-LABEL: .entry list(
; CHECK-NOT: popc
; CHECK: st.global.b32
; CHECK: bra
; CHECK: ret;
define ptx_kernel void @list(ptr addrspace(1) %a, i32 %x) mustprogress {
  br label %test
test:
  %rest = phi i32 [ %x, %0 ], [ %less, %loop ]
  %n = phi i32 [ 0, %0 ], [ %next, %loop ]
  %more = icmp ne i32 %rest, 0
  br i1 %more, label %loop, label %end
loop:
  %below = sub i32 %rest, 1
  %less = and i32 %rest, %below
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %n
  store i32 %rest, ptr addrspace(1) %p
  %next = add i32 %n, 1
  br label %test
end:
  ret void
}
