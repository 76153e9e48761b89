; Without barriers: one loop nest over the threads, x innermost, marked as such,
; and as parallel unless the threads may talk to each other.
; RUN: cufort-opt -passes=...cpu-fission -cpu-no-thread-entries %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare void @llvm.nvvm.bar.warp.sync(i32)
@tile = internal addrspace(3) global [256 x float] poison, align 4

; CHECK-LABEL: define void @plain
; CHECK: store i32 {{.*}}, !llvm.access.group [[GROUP:![0-9]+]]
; CHECK: thread.z:
; CHECK: thread.y:
; CHECK: thread.x:
; CHECK: thread.x.next:
; CHECK: br i1 {{.*}}, label %thread.x, label %{{.*}}, !llvm.loop [[LOOP:![0-9]+]]
; CHECK: thread.z.next:
; CHECK: thread.after:
; CHECK-NEXT: ret void
define ptx_kernel void @plain(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %work, label %end
work:
  %c = getelementptr i32, ptr %a, i32 %t
  store i32 %t, ptr %c
  br label %end
end:
  ret void
}
; CHECK-LABEL: define void @atomic
; CHECK-NOT: !llvm.access.group
; CHECK: br i1 {{.*}}, label %thread.x, label %{{.*}}, !llvm.loop [[ATOMIC:![0-9]+]]
; CHECK: ret void
define ptx_kernel void @atomic(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %old = atomicrmw add ptr %a, i32 1 seq_cst
  %c = getelementptr i32, ptr %a, i32 %old
  store i32 %t, ptr %c
  ret void
}
; CHECK-DAG: [[LOOP]] = distinct !{[[LOOP]], [[MARK:![0-9]+]], [[PARALLEL:![0-9]+]], {{.*}}}
; CHECK-DAG: [[MARK]] = !{!"cufort.threads"}
; CHECK-DAG: [[PARALLEL]] = !{!"llvm.loop.parallel_accesses", [[GROUP]]}
; CHECK-DAG: [[ATOMIC]] = distinct !{[[ATOMIC]], [[MARK]]}
