; The address of a variable that is needed under a condition, and behind it by
; all threads, is put into a register for each of the two, not before both.
; RUN: cufort-ptx -device-folder=%build/lib/cufort/device %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

@tile = external addrspace(3) global [0 x double], align 16

; if (t < n) tile[t * n] = a[t]; tile[t * i] = a[i]; __syncthreads();
; out[t] = tile[t * m];
; CHECK-LABEL: .entry halo(
; CHECK-NOT: , tile;
; CHECK: bra
; CHECK: mov.b32 [[FIRST:%r[0-9]+]], tile;
; CHECK: add.s32 [[P:%r[0-9]+]], [[FIRST]], %r
; CHECK: st.shared.b64 [[[P]]],
; CHECK: L__BB
; CHECK: ld.global
; CHECK: mov.b32 [[SECOND:%r[0-9]+]], tile;
; CHECK: add.s32 [[Q:%r[0-9]+]], [[SECOND]], %r
; CHECK: st.shared.b64 [[[Q]]],
; CHECK: bar.sync
; CHECK-NOT: , tile;
; CHECK: add.s32 %r{{[0-9]+}}, [[SECOND]], %r
; CHECK: ret;
define ptx_kernel void @halo(ptr addrspace(1) readonly noalias %a,
                             ptr addrspace(1) noalias %out, i32 %i, i32 %n,
                             i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp slt i32 %t, %n
  br i1 %few, label %edge, label %all
edge:
  %p = getelementptr double, ptr addrspace(1) %a, i32 %t
  %x = load double, ptr addrspace(1) %p
  %first = mul i32 %t, %n
  %tp = getelementptr double, ptr addrspace(3) @tile, i32 %first
  store double %x, ptr addrspace(3) %tp
  br label %all
all:
  %q = getelementptr double, ptr addrspace(1) %a, i32 %i
  %y = load double, ptr addrspace(1) %q
  %second = mul i32 %t, %i
  %tq = getelementptr double, ptr addrspace(3) @tile, i32 %second
  store double %y, ptr addrspace(3) %tq
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %third = mul i32 %t, %m
  %tr = getelementptr double, ptr addrspace(3) @tile, i32 %third
  %z = load double, ptr addrspace(3) %tr
  %r = getelementptr double, ptr addrspace(1) %out, i32 %t
  store double %z, ptr addrspace(1) %r
  ret void
}

; Two conditions, and nothing that all threads do behind them: as LLVM has it.
; CHECK-LABEL: .entry conditions(
; CHECK: mov.b32 %r{{[0-9]+}}, tile;
; CHECK: bra
; CHECK-NOT: , tile;
; CHECK: ret;
define ptx_kernel void @conditions(i32 %n, i32 %m, double %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp slt i32 %t, %n
  br i1 %few, label %one, label %next
one:
  %first = mul i32 %t, %n
  %p = getelementptr double, ptr addrspace(3) @tile, i32 %first
  store volatile double %x, ptr addrspace(3) %p
  br label %next
next:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %others = icmp slt i32 %t, %m
  br i1 %others, label %other, label %end
other:
  %second = mul i32 %t, %m
  %q = getelementptr double, ptr addrspace(3) @tile, i32 %second
  store volatile double %x, ptr addrspace(3) %q
  br label %end
end:
  ret void
}

; The block before the condition uses the address itself.
; CHECK-LABEL: .entry used(
; CHECK: mov.b32 %r{{[0-9]+}}, tile;
; CHECK: bra
; CHECK-NOT: , tile;
; CHECK: ret;
define ptx_kernel void @used(i32 %n, double %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr double, ptr addrspace(3) @tile, i32 %n
  store volatile double 0.0, ptr addrspace(3) %s
  %few = icmp slt i32 %t, %n
  br i1 %few, label %edge, label %all
edge:
  %p = getelementptr double, ptr addrspace(3) @tile, i32 %t
  store volatile double %x, ptr addrspace(3) %p
  br label %all
all:
  %u = mul i32 %t, %n
  %q = getelementptr double, ptr addrspace(3) @tile, i32 %u
  store volatile double %x, ptr addrspace(3) %q
  ret void
}

; What is loaded behind a barrier, or may have been written, waits anyway.
; CHECK-LABEL: .entry barrier(
; CHECK: mov.b32 %r{{[0-9]+}}, tile;
; CHECK: bra
; CHECK-NOT: , tile;
; CHECK: ret;
define ptx_kernel void @barrier(ptr addrspace(1) readonly noalias %a, i32 %n,
                                i32 %m, double %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp slt i32 %t, %n
  br i1 %few, label %edge, label %all
edge:
  %first = mul i32 %t, %n
  %p = getelementptr double, ptr addrspace(3) @tile, i32 %first
  store double %x, ptr addrspace(3) %p
  br label %all
all:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %y = load double, ptr addrspace(1) %a
  %second = mul i32 %t, %m
  %q = getelementptr double, ptr addrspace(3) @tile, i32 %second
  store double %y, ptr addrspace(3) %q
  ret void
}

; CHECK-LABEL: .entry written(
; CHECK: mov.b32 %r{{[0-9]+}}, tile;
; CHECK: bra
; CHECK-NOT: , tile;
; CHECK: ret;
define ptx_kernel void @written(ptr addrspace(1) %a, i32 %n, i32 %m, double %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp slt i32 %t, %n
  br i1 %few, label %edge, label %all
edge:
  %first = mul i32 %t, %n
  %p = getelementptr double, ptr addrspace(3) @tile, i32 %first
  store double %x, ptr addrspace(3) %p
  br label %all
all:
  %y = load double, ptr addrspace(1) %a
  %second = mul i32 %t, %m
  %q = getelementptr double, ptr addrspace(3) @tile, i32 %second
  store double %y, ptr addrspace(3) %q
  store double %x, ptr addrspace(1) %a
  ret void
}

; In a loop it is put into a register before the loop.
; CHECK-LABEL: .entry loops(
; CHECK-NOT: , tile;
; CHECK: bra
; CHECK: mov.b32 %r{{[0-9]+}}, tile;
; CHECK: st.volatile.shared.b64
; CHECK: bra
; CHECK: L__BB
; CHECK: ld.global.nc.b32
; CHECK: mov.b32 [[Q:%r[0-9]+]], tile;
; CHECK: [[LOOP:.L__BB[0-9_]+]]:
; CHECK-NOT: , tile;
; CHECK: bra [[LOOP]];
; CHECK: ret;
define ptx_kernel void @loops(i32 %n, i32 %m, double %x,
                              ptr addrspace(1) readonly noalias %a,
                              ptr addrspace(1) noalias %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp slt i32 %t, %n
  br i1 %few, label %before, label %all
before:
  br label %edge
edge:
  %i = phi i32 [ %t, %before ], [ %i2, %edge ]
  %p = getelementptr double, ptr addrspace(3) @tile, i32 %i
  store volatile double %x, ptr addrspace(3) %p
  %i2 = mul i32 %i, %m
  %on = icmp slt i32 %i2, %n
  br i1 %on, label %edge, label %all
all:
  %start = load i32, ptr addrspace(1) %a
  br label %loop
loop:
  %j = phi i32 [ %start, %all ], [ %j2, %loop ]
  %q = getelementptr double, ptr addrspace(3) @tile, i32 %j
  %y = load volatile double, ptr addrspace(3) %q
  store volatile double %y, ptr addrspace(1) %out
  %j2 = mul i32 %j, %m
  %again = icmp slt i32 %j2, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
