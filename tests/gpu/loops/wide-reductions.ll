; What a loop adds up in 16 bits is added up in 32, and cut off behind the loop.
; RUN: cufort-ptx %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry products(
; CHECK-NOT: {{(mad|mul|add)[.a-z]*[.]s16}}
; CHECK: {{mad.lo.s32|mul.wide.u16}}
; CHECK-NOT: {{(mad|mul|add)[.a-z]*[.]s16}}
; CHECK: ret;
define ptx_kernel void @products(ptr addrspace(1) %to, ptr addrspace(1) readonly %a, ptr addrspace(1) readonly %b, i32 %n) {
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi i16 [ 0, %0 ], [ %sum.next, %loop ]
  %index = zext nneg i32 %i to i64
  %p = getelementptr i16, ptr addrspace(1) %a, i64 %index
  %v = load i16, ptr addrspace(1) %p
  %q = getelementptr i16, ptr addrspace(1) %b, i64 %index
  %w = load i16, ptr addrspace(1) %q
  %product = mul i16 %v, %w
  %sum.next = add i16 %sum, %product
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi i16 [ 0, %0 ], [ %sum.next, %loop ]
  store i16 %r, ptr addrspace(1) %to
  ret void
}

; One that is needed in each iteration would have to be cut off there.
; CHECK-LABEL: .entry stored(
; CHECK: add.s16
; CHECK: st.volatile{{.*}}.b16
; CHECK: ret;
define ptx_kernel void @stored(ptr addrspace(1) %to, ptr addrspace(1) %a, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi i16 [ 0, %0 ], [ %sum.next, %loop ]
  %v = load volatile i16, ptr addrspace(1) %a
  %sum.next = add i16 %sum, %v
  store volatile i16 %sum.next, ptr addrspace(1) %to
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
