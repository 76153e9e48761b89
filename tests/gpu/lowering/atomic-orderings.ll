; Atomic updates have the order and the scope that they were written with: the
; code generator by itself makes all of them relaxed, for one device.
; RUN: cufort-opt -passes=gpu-ptx-forms %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @plain(
; CHECK-NOT: {{fence|asm}}
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 3 syncscope("device") monotonic
; CHECK: atomicrmw xchg ptr addrspace(1) %p, i32 3 syncscope("block") monotonic
; CHECK: cmpxchg ptr addrspace(1) %p, i32 0, i32 1 syncscope("device") monotonic monotonic
; CHECK-NOT: {{fence|asm}}
; CHECK: cmpxchg ptr addrspace(1) %p, i32 0, i32 1 syncscope("device") monotonic monotonic
; CHECK-NOT: {{fence|asm}}
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 3 syncscope("device") monotonic
; CHECK-NOT: {{fence|asm}}
; CHECK: ret void
define ptx_kernel void @plain(ptr addrspace(1) %p, ptr addrspace(1) %o) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 3 syncscope("device") monotonic
  store volatile i32 %a, ptr addrspace(1) %o
  %b = atomicrmw xchg ptr addrspace(1) %p, i32 3 syncscope("block") monotonic
  store volatile i32 %b, ptr addrspace(1) %o
  %c = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 syncscope("device") monotonic monotonic
  %d = extractvalue { i32, i1 } %c, 0
  store volatile i32 %d, ptr addrspace(1) %o
  %e = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 syncscope("cufort.relaxed") acq_rel monotonic
  %f = extractvalue { i32, i1 } %e, 0
  store volatile i32 %f, ptr addrspace(1) %o
  %g = atomicrmw add ptr addrspace(1) %p, i32 3 syncscope("cufort.relaxed") seq_cst
  store volatile i32 %g, ptr addrspace(1) %o
  ret void
}

; CHECK-LABEL: define ptx_kernel void @system(
; CHECK: asm sideeffect "atom.relaxed.sys.global.add.u32 $0, [$1], $2;"{{.*}}(ptr addrspace(1) %p, i32 3)
; CHECK: asm sideeffect "atom.relaxed.sys.global.add.f64 $0, [$1], $2;"{{.*}}(ptr addrspace(1) %p, double 3.000000e+00)
; CHECK: asm sideeffect "atom.relaxed.sys.global.min.s64 $0, [$1], $2;"{{.*}}(ptr addrspace(1) %p, i64 3)
; CHECK: asm sideeffect "atom.relaxed.sys.global.inc.u32 $0, [$1], $2;"{{.*}}(ptr addrspace(1) %p, i32 3)
; CHECK: [[MINUS:%.*]] = sub i32 0, %i
; CHECK: asm sideeffect "atom.relaxed.sys.global.add.u32 $0, [$1], $2;"{{.*}}(ptr addrspace(1) %p, i32 [[MINUS]])
; CHECK: ret void
define ptx_kernel void @system(ptr addrspace(1) %p, ptr addrspace(1) %o, i32 %i) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 3 monotonic
  store volatile i32 %a, ptr addrspace(1) %o
  %b = atomicrmw fadd ptr addrspace(1) %p, double 3.0 monotonic
  store volatile double %b, ptr addrspace(1) %o
  %c = atomicrmw min ptr addrspace(1) %p, i64 3 monotonic
  store volatile i64 %c, ptr addrspace(1) %o
  %d = atomicrmw uinc_wrap ptr addrspace(1) %p, i32 3 monotonic
  store volatile i32 %d, ptr addrspace(1) %o
  %e = atomicrmw sub ptr addrspace(1) %p, i32 %i monotonic
  store volatile i32 %e, ptr addrspace(1) %o
  ret void
}

; Only the threads of a block see shared memory.
; CHECK-LABEL: define i32 @shared(
; CHECK-NEXT: fence acq_rel
; CHECK-NEXT: %a = atomicrmw add ptr addrspace(3) %p, i32 3 monotonic
; CHECK-NEXT: ret
define i32 @shared(ptr addrspace(3) %p) {
  %a = atomicrmw add ptr addrspace(3) %p, i32 3 release
  ret i32 %a
}

; CHECK-LABEL: define ptx_kernel void @ordered(
; CHECK-NEXT: fence syncscope("device") acq_rel
; CHECK-NEXT: %a = atomicrmw or ptr addrspace(1) %p, i32 3 syncscope("device") monotonic
; CHECK-NEXT: fence syncscope("device") acq_rel
; CHECK-NEXT: store volatile i32 %a
; CHECK-NEXT: %b = atomicrmw and ptr addrspace(1) %p, i32 3 syncscope("block") monotonic
; CHECK-NEXT: fence syncscope("block") acq_rel
; CHECK-NEXT: store volatile i32 %b
; CHECK-NEXT: fence seq_cst
; CHECK-NEXT: %c = call i32 asm sideeffect "atom.relaxed.sys.global.max.u32 $0, [$1], $2;"{{.*}}(ptr addrspace(1) %p, i32 3)
; CHECK-NEXT: fence acq_rel
; CHECK-NEXT: store volatile i32 %c
define ptx_kernel void @ordered(ptr addrspace(1) %p, ptr addrspace(1) %o) {
  %a = atomicrmw or ptr addrspace(1) %p, i32 3 syncscope("device") acq_rel
  store volatile i32 %a, ptr addrspace(1) %o
  %b = atomicrmw and ptr addrspace(1) %p, i32 3 syncscope("block") acquire
  store volatile i32 %b, ptr addrspace(1) %o
  %c = atomicrmw umax ptr addrspace(1) %p, i32 3 seq_cst
  store volatile i32 %c, ptr addrspace(1) %o
  ret void
}
