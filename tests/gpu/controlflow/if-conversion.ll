; What follows one of several conditions and is as simple as `n--` is selected:
; ptxas then loads and stores under a predicate.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; `if (i < limit || (seen[i] = of[i]) >= 0) n--;`, twice.
; CHECK-LABEL: .entry countdown(
; CHECK: @%p{{[0-9]+}} bra [[L0:\$L.*]];
; CHECK-NOT: bra
; CHECK: ld.volatile.global
; CHECK: st.global
; CHECK-NEXT: setp.ltu.f32 [[P0:%p[0-9]+]],
; CHECK-NEXT: [[L0]]:
; CHECK-NOT: bra
; CHECK: selp.b32 {{%r[0-9]+}}, 2, 1, [[P0]];
; CHECK: @%p{{[0-9]+}} bra [[L1:\$L.*]];
; CHECK-NOT: bra
; CHECK: ld.volatile.global
; CHECK: [[L1]]:
; CHECK-NOT: bra
; CHECK: selp.b32
; CHECK: ret
define ptx_kernel void @countdown(ptr addrspace(1) %of, ptr addrspace(1) %seen,
                                  ptr addrspace(1) %out, i32 %i, i32 %limit) {
  %below = icmp slt i32 %i, %limit
  br i1 %below, label %first, label %load
load:
  %place = getelementptr inbounds float, ptr addrspace(1) %of, i32 %i
  %value = load volatile float, ptr addrspace(1) %place
  store float %value, ptr addrspace(1) %seen
  %done = fcmp oge float %value, 0.0
  br i1 %done, label %first, label %next
first:
  br label %next
next:
  %n = phi i32 [ 1, %first ], [ 2, %load ]
  %j = add i32 %i, 1
  %belowToo = icmp slt i32 %j, %limit
  br i1 %belowToo, label %second, label %loadToo
loadToo:
  %placeToo = getelementptr inbounds float, ptr addrspace(1) %of, i32 %j
  %valueToo = load volatile float, ptr addrspace(1) %placeToo
  store float %valueToo, ptr addrspace(1) %seen
  %doneToo = fcmp oge float %valueToo, 0.0
  br i1 %doneToo, label %second, label %end
second:
  %less = add i32 %n, -1
  br label %end
end:
  %m = phi i32 [ %less, %second ], [ %n, %loadToo ]
  store i32 %m, ptr addrspace(1) %out
  ret void
}

; The value that the last test leaves is its own.
; CHECK-LABEL: .entry loaded(
; CHECK: @%p{{[0-9]+}} bra [[L0:\$L.*]];
; CHECK: ld.volatile.global.b32 [[V:%r[0-9]+]],
; CHECK: setp
; CHECK-NEXT: [[L0]]:
; CHECK-NEXT: selp.b32 {{%r[0-9]+}}, [[V]], 7,
; CHECK-NOT: bra
; CHECK: ret
define ptx_kernel void @loaded(ptr addrspace(1) %of, ptr addrspace(1) %out,
                               i32 %i, i32 %limit) {
  %below = icmp slt i32 %i, %limit
  br i1 %below, label %both, label %load
load:
  %value = load volatile i32, ptr addrspace(1) %of
  %done = icmp sge i32 %value, %limit
  br i1 %done, label %both, label %next
both:
  br label %next
next:
  %n = phi i32 [ 7, %both ], [ %value, %load ]
  store i32 %n, ptr addrspace(1) %out
  ret void
}

; A division is too expensive to be thrown away.
; CHECK-LABEL: .entry division(
; CHECK: bra
; CHECK: bra
; CHECK: div.s32
define ptx_kernel void @division(ptr addrspace(1) %of, ptr addrspace(1) %out,
                                 i32 %i, i32 %limit) {
  %below = icmp slt i32 %i, %limit
  br i1 %below, label %both, label %load
load:
  %value = load volatile i32, ptr addrspace(1) %of
  %done = icmp sge i32 %value, %limit
  br i1 %done, label %both, label %next
both:
  %quotient = sdiv i32 %i, 1000003
  %rest = sdiv i32 %limit, %quotient
  br label %next
next:
  %n = phi i32 [ %rest, %both ], [ %i, %load ]
  store i32 %n, ptr addrspace(1) %out
  ret void
}

; Neither is a test put under a predicate that waits for other threads.
; CHECK-LABEL: .entry waits(
; CHECK: bra
; CHECK: bar.sync
; CHECK: bra
; CHECK: ret
define ptx_kernel void @waits(ptr addrspace(1) %of, ptr addrspace(1) %out,
                              i32 %i, i32 %limit) {
  %below = icmp slt i32 %i, %limit
  br i1 %below, label %both, label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %value = load volatile i32, ptr addrspace(1) %of
  %done = icmp sge i32 %value, %limit
  br i1 %done, label %both, label %next
both:
  br label %next
next:
  %n = phi i32 [ 7, %both ], [ %i, %wait ]
  store i32 %n, ptr addrspace(1) %out
  ret void
}
