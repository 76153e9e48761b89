; Where t == n - 1, the element 2 * n - 1 is that of t + n, and is loaded once.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

@s = external addrspace(3) global [0 x i32], align 4

; CHECK-LABEL: .entry last(
; CHECK: ld.shared
; CHECK-NOT: ld.shared
; CHECK: ret;
define ptx_kernel void @last(ptr addrspace(1) %result, ptr addrspace(1) %other, i32 %t, i32 %n) {
  %sum = add i32 %t, %n
  %wide = zext i32 %sum to i64
  %place = getelementptr i32, ptr addrspace(3) @s, i64 %wide
  %own = load i32, ptr addrspace(3) %place
  store i32 %own, ptr addrspace(1) %result
  %end = sub i32 %n, 1
  %isLast = icmp eq i32 %t, %end
  br i1 %isLast, label %write, label %out
write:
  %twice = mul i32 2, %n
  %index = sub i32 %twice, 1
  %wideIndex = zext i32 %index to i64
  %placeOfLast = getelementptr i32, ptr addrspace(3) @s, i64 %wideIndex
  %last = load i32, ptr addrspace(3) %placeOfLast
  store i32 %last, ptr addrspace(1) %other
  br label %out
out:
  ret void
}

; The same with signed indices, and told by t + 1 != n; 2 * t + 1 is t + n.
; CHECK-LABEL: .entry first(
; CHECK: ld.shared
; CHECK-NOT: ld.shared
; CHECK: ret;
define ptx_kernel void @first(ptr addrspace(1) %result, ptr addrspace(1) %other, i32 %t, i32 %n) {
  %sum = add nsw i32 %n, %t
  %wide = sext i32 %sum to i64
  %place = getelementptr i32, ptr addrspace(3) @s, i64 %wide
  %own = load i32, ptr addrspace(3) %place
  store i32 %own, ptr addrspace(1) %result
  %next = add nsw i32 %t, 1
  %isLess = icmp ne i32 %n, %next
  br i1 %isLess, label %out, label %write
write:
  %twice = shl nsw i32 %t, 1
  %index = add nsw i32 %twice, 1
  %wideIndex = sext i32 %index to i64
  %placeOfLast = getelementptr i32, ptr addrspace(3) @s, i64 %wideIndex
  %last = load i32, ptr addrspace(3) %placeOfLast
  store i32 %last, ptr addrspace(1) %other
  br label %out
out:
  ret void
}

; Another distance, and the other way of the branch.
; CHECK-LABEL: .entry others(
; CHECK: ld.shared
; CHECK: selp.b32 {{.*}}, -2, -1,
; CHECK: ld.shared
; CHECK: ret;
define ptx_kernel void @others(ptr addrspace(1) %result, ptr addrspace(1) %other, i32 %t, i32 %n) {
  %sum = add i32 %t, %n
  %wide = zext i32 %sum to i64
  %place = getelementptr i32, ptr addrspace(3) @s, i64 %wide
  %own = load i32, ptr addrspace(3) %place
  store i32 %own, ptr addrspace(1) %result
  %end = sub i32 %n, 1
  %isLast = icmp eq i32 %t, %end
  %twice = shl i32 %n, 1
  br i1 %isLast, label %equal, label %unequal
equal:
  %before = sub i32 %twice, 2
  br label %write
unequal:
  %index = sub i32 %twice, 1
  br label %write
write:
  %its = phi i32 [ %before, %equal ], [ %index, %unequal ]
  %wideIndex = zext i32 %its to i64
  %placeOfLast = getelementptr i32, ptr addrspace(3) @s, i64 %wideIndex
  %last = load i32, ptr addrspace(3) %placeOfLast
  store i32 %last, ptr addrspace(1) %other
  ret void
}
