; What a thread stores into shared memory and stores over before a barrier is not
; stored. The first of the two is found when accesses have the memory that they
; are of: until then a load of %in, between the two, might have read it. Of the
; pass gpu-memory-accesses.
; RUN: cufort-opt -passes=gpu-memory-accesses %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@buffer = internal addrspace(3) global [784 x i32] undef, align 4

; Of eleven stores for each thread eight are left: those of elements 1, 3 and 5 are
; the second ones.
; CHECK-LABEL: define ptx_kernel void @transform(
; CHECK: {{^}}step:
; CHECK-NOT: store {{.*}}addrspace(3)
; CHECK: store i32 %v0, ptr addrspace(3) {{%.*}}, align 4
; CHECK-NOT: store {{.*}}addrspace(3)
; CHECK: store i32 %v2, ptr addrspace(3) {{%.*}}, align 4
; CHECK-NOT: store {{.*}}addrspace(3)
; CHECK: store i32 %v4, ptr addrspace(3) {{%.*}}, align 4
; CHECK-NOT: store {{.*}}addrspace(3)
; CHECK: store i32 %v6, ptr addrspace(3) {{%.*}}, align 4
; CHECK-NOT: store {{.*}}addrspace(3)
; CHECK: store i32 %v7, ptr addrspace(3) {{%.*}}, align 4
; CHECK-NOT: store {{.*}}addrspace(3)
; CHECK: store i32 %w1, ptr addrspace(3) {{%.*}}, align 4
; CHECK-NOT: store {{.*}}addrspace(3)
; CHECK: store i32 %w3, ptr addrspace(3) {{%.*}}, align 4
; CHECK-NOT: store {{.*}}addrspace(3)
; CHECK: store i32 %w5, ptr addrspace(3) {{%.*}}, align 4
; CHECK-NOT: store {{.*}}addrspace(3)
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: store {{.*}}addrspace(3)
; CHECK: ret void
define ptx_kernel void @transform(ptr readonly captures(none) %in, ptr captures(none) %out, i32 %n, i32 %steps) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp sgt i32 %steps, 0
  br i1 %any, label %first, label %end
first:
  %own = zext nneg i32 %t to i64
  %mine = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @buffer to ptr), i64 %own
  %own1 = getelementptr inbounds nuw i8, ptr %mine, i64 392
  %own2 = getelementptr inbounds nuw i8, ptr %mine, i64 784
  %own3 = getelementptr inbounds nuw i8, ptr %mine, i64 1176
  %own4 = getelementptr inbounds nuw i8, ptr %mine, i64 1568
  %own5 = getelementptr inbounds nuw i8, ptr %mine, i64 1960
  %own6 = getelementptr inbounds nuw i8, ptr %mine, i64 2352
  %own7 = getelementptr inbounds nuw i8, ptr %mine, i64 2744
  %beside = xor i32 %t, 1
  %other = zext nneg i32 %beside to i64
  %row = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @buffer to ptr), i64 %other
  %next = getelementptr inbounds nuw i8, ptr %row, i64 392
  br label %step
step:
  %s = phi i32 [ 0, %first ], [ %s.next, %step ]
  %f0 = phi i32 [ %t, %first ], [ %f8, %step ]
  %i0 = sext i32 %f0 to i64
  %p0 = getelementptr inbounds i32, ptr %in, i64 %i0
  %v0 = load i32, ptr %p0, align 4
  store i32 %v0, ptr %mine, align 4
  %f1 = add nsw i32 %f0, %n
  %i1 = sext i32 %f1 to i64
  %p1 = getelementptr inbounds i32, ptr %in, i64 %i1
  %v1 = load i32, ptr %p1, align 4
  store i32 %v1, ptr %own1, align 4
  %f2 = add nsw i32 %f1, %n
  %i2 = sext i32 %f2 to i64
  %p2 = getelementptr inbounds i32, ptr %in, i64 %i2
  %v2 = load i32, ptr %p2, align 4
  store i32 %v2, ptr %own2, align 4
  %f3 = add nsw i32 %f2, %n
  %i3 = sext i32 %f3 to i64
  %p3 = getelementptr inbounds i32, ptr %in, i64 %i3
  %v3 = load i32, ptr %p3, align 4
  store i32 %v3, ptr %own3, align 4
  %f4 = add nsw i32 %f3, %n
  %i4 = sext i32 %f4 to i64
  %p4 = getelementptr inbounds i32, ptr %in, i64 %i4
  %v4 = load i32, ptr %p4, align 4
  store i32 %v4, ptr %own4, align 4
  %f5 = add nsw i32 %f4, %n
  %i5 = sext i32 %f5 to i64
  %p5 = getelementptr inbounds i32, ptr %in, i64 %i5
  %v5 = load i32, ptr %p5, align 4
  store i32 %v5, ptr %own5, align 4
  %f6 = add nsw i32 %f5, %n
  %i6 = sext i32 %f6 to i64
  %p6 = getelementptr inbounds i32, ptr %in, i64 %i6
  %v6 = load i32, ptr %p6, align 4
  store i32 %v6, ptr %own6, align 4
  %f7 = add nsw i32 %f6, %n
  %i7 = sext i32 %f7 to i64
  %p7 = getelementptr inbounds i32, ptr %in, i64 %i7
  %v7 = load i32, ptr %p7, align 4
  store i32 %v7, ptr %own7, align 4
  %f8 = add nsw i32 %f7, %n
  %sum1 = add nsw i32 %v2, %v0
  %half1 = sdiv i32 %sum1, -2
  %w1 = add i32 %half1, %v1
  store i32 %w1, ptr %own1, align 4
  %sum3 = add nsw i32 %v4, %v2
  %half3 = sdiv i32 %sum3, -2
  %w3 = add i32 %half3, %v3
  store i32 %w3, ptr %own3, align 4
  %sum5 = add nsw i32 %v6, %v4
  %half5 = sdiv i32 %sum5, -2
  %w5 = add i32 %half5, %v5
  store i32 %w5, ptr %own5, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load i32, ptr %next, align 4
  %line = mul nsw i32 %s, %n
  %at = add nsw i32 %line, %t
  %wide = sext i32 %at to i64
  %to = getelementptr inbounds i32, ptr %out, i64 %wide
  store i32 %x, ptr %to, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %s.next = add nuw nsw i32 %s, 1
  %last = icmp eq i32 %s.next, %steps
  br i1 %last, label %end, label %step
end:
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
