//===- clusters.c - barriers of clusters of blocks ------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// syncthreads of a cluster_group (modules/cooperative_groups.cuf), for GPUs of
// compute capability 9.0, which compiler/gpu then asks for.
//
//===----------------------------------------------------------------------===//

// Clang has these as builtins for such GPUs only.
__attribute__((convergent)) void
arrive(void) __asm__("llvm.nvvm.barrier.cluster.arrive.aligned");
__attribute__((convergent)) void
wait(void) __asm__("llvm.nvvm.barrier.cluster.wait.aligned");

__attribute__((convergent)) void
__cufort_sync_cluster_group(const void *group) {
  (void)group;
  arrive();
  wait();
}
