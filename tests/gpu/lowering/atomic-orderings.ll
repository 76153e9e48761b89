; Atomic updates have the order and the scope that they were written with: the
; code generator by itself makes all of them relaxed, for one device.
; RUN: cufort-ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry plain
; CHECK-NOT: {{fence|sys}}
; CHECK: atom.global.add.u32
; CHECK: atom.global.exch.b32
; CHECK: atom.relaxed.gpu.global.cas.b32
; CHECK-NOT: {{fence|sys}}
; CHECK: atom.relaxed.gpu.global.cas.b32
; CHECK-NOT: {{fence|sys}}
; CHECK: atom.global.add.u32
; CHECK-NOT: {{fence|sys}}
; CHECK: ret
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

; CHECK-LABEL: .entry system
; CHECK: atom.relaxed.sys.global.add.u32 {{%r[0-9]+}}, [{{%rd[0-9]+}}], {{%r[0-9]+}};
; CHECK: atom.relaxed.sys.global.add.f64
; CHECK: atom.relaxed.sys.global.min.s64
; CHECK: atom.relaxed.sys.global.inc.u32
; CHECK: neg.s32
; CHECK: atom.relaxed.sys.global.add.u32
; CHECK: ret
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
; CHECK-LABEL: .globl shared
; CHECK: fence.acq_rel.sys
; CHECK-NEXT: atom.shared.add.u32
; CHECK-NOT: fence
; CHECK: ret
define i32 @shared(ptr addrspace(3) %p) {
  %a = atomicrmw add ptr addrspace(3) %p, i32 3 release
  ret i32 %a
}

; CHECK-LABEL: .entry ordered
; CHECK: fence.acq_rel.gpu
; CHECK: atom.global.or.b32
; CHECK-NEXT: fence.acq_rel.gpu
; CHECK: atom.global.and.b32
; CHECK-NEXT: fence.acq_rel.cta
; CHECK: fence.sc.sys
; CHECK: atom.relaxed.sys.global.max.u32
; CHECK: fence.acq_rel.sys
; CHECK: ret
define ptx_kernel void @ordered(ptr addrspace(1) %p, ptr addrspace(1) %o) {
  %a = atomicrmw or ptr addrspace(1) %p, i32 3 syncscope("device") acq_rel
  store volatile i32 %a, ptr addrspace(1) %o
  %b = atomicrmw and ptr addrspace(1) %p, i32 3 syncscope("block") acquire
  store volatile i32 %b, ptr addrspace(1) %o
  %c = atomicrmw umax ptr addrspace(1) %p, i32 3 seq_cst
  store volatile i32 %c, ptr addrspace(1) %o
  ret void
}
