; A shared scalar that a thread chosen by its index writes, and others read
; without a barrier between, is volatile; other shared scalars are not.
; RUN: cufort-opt -passes=...cpu-racing-scalars %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@s = internal addrspace(3) global float poison, align 4

; CHECK-LABEL: define {{.*}}void @racing
; CHECK: load volatile float, ptr @s
; CHECK: store volatile float {{.*}}, ptr @s
define ptx_kernel void @racing(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = load float, ptr addrspace(3) @s
  %p = getelementptr float, ptr %a, i32 %t
  store float %x, ptr %p
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %done
write:
  store float 2.0, ptr addrspace(3) @s
  br label %done
done:
  ret void
}

; CHECK-LABEL: define {{.*}}void @ordered
; CHECK-NOT: volatile
define ptx_kernel void @ordered(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %join
write:
  store float 2.0, ptr addrspace(3) @s
  br label %join
join:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load float, ptr addrspace(3) @s
  %p = getelementptr float, ptr %a, i32 %t
  store float %x, ptr %p
  ret void
}

; One thread alone reads and writes.
; CHECK-LABEL: define {{.*}}void @own
; CHECK-NOT: volatile
define ptx_kernel void @own(float %limit) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %read, label %done
read:
  %x = load float, ptr addrspace(3) @s
  %less = fcmp olt float %x, %limit
  br i1 %less, label %write, label %done
write:
  store float %limit, ptr addrspace(3) @s
  br label %done
done:
  ret void
}
