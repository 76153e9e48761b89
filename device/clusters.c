//===- clusters.c - clusters of blocks ------------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// syncthreads of a cluster_group and the shared memory of its other blocks
// (modules/cooperative_groups.cuf), for GPUs of compute capability 9.0, which
// compiler/gpu then asks for.
//
//===----------------------------------------------------------------------===//

// Clang has these as builtins for such GPUs only.
__attribute__((convergent)) void
arrive(void) __asm__("llvm.nvvm.barrier.cluster.arrive.aligned");
__attribute__((convergent)) void
wait(void) __asm__("llvm.nvvm.barrier.cluster.wait.aligned");
void *mapped(void *, int) __asm__("llvm.nvvm.mapa");

__attribute__((convergent)) void
__cufort_sync_cluster_group(const void *group) {
  (void)group;
  arrive();
  wait();
}

/// Fortran counts blocks from one; the address becomes a Cray pointer.
long long __cufort_cluster_map_shared_rank(void *address, int rank) {
  return (long long)mapped(address, rank - 1);
}
