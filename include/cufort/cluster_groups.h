//===- cluster_groups.h - clusters of blocks --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A part of cooperative_groups.h, which includes it where groups are known.
#ifndef CUFORT_CLUSTER_GROUPS_H
#define CUFORT_CLUSTER_GROUPS_H

// Clang has these as builtins only if the architecture is named; here every
// program can use them, and the compiler then generates code for a GPU that has
// them.
#define __CUFORT_CLUSTER(type, name, intrinsic, ...)                           \
  extern "C" __device__ type name(__VA_ARGS__) __asm__("llvm.nvvm." intrinsic)
#define __CUFORT_CLUSTER_REGISTER(name)                                        \
  __CUFORT_CLUSTER(unsigned int, __cufort_cluster_##name##_x,                  \
                   "read.ptx.sreg.cluster." #name ".x", void);                 \
  __CUFORT_CLUSTER(unsigned int, __cufort_cluster_##name##_y,                  \
                   "read.ptx.sreg.cluster." #name ".y", void);                 \
  __CUFORT_CLUSTER(unsigned int, __cufort_cluster_##name##_z,                  \
                   "read.ptx.sreg.cluster." #name ".z", void)
__CUFORT_CLUSTER_REGISTER(ctaid);
__CUFORT_CLUSTER_REGISTER(nctaid);
__CUFORT_CLUSTER(unsigned int, __cufort_cluster_rank,
                 "read.ptx.sreg.cluster.ctarank", void);
__CUFORT_CLUSTER(unsigned int, __cufort_cluster_blocks,
                 "read.ptx.sreg.cluster.nctarank", void);
extern "C" __device__ __attribute__((convergent)) void __cufort_cluster_arrive(
    void) __asm__("llvm.nvvm.barrier.cluster.arrive.aligned");
extern "C" __device__ __attribute__((convergent)) void
__cufort_cluster_wait(void) __asm__("llvm.nvvm.barrier.cluster.wait.aligned");
__CUFORT_CLUSTER(void *, __cufort_cluster_mapa, "mapa", void *, int);
#undef __CUFORT_CLUSTER_REGISTER
#undef __CUFORT_CLUSTER

namespace cooperative_groups {

/// The blocks of a cluster; a single block in launches without clusters.
class cluster_group {
public:
  __CUFORT_MEMBER static void sync() {
    __cufort_cluster_arrive();
    __cufort_cluster_wait();
  }
  struct arrival_token {};
  __CUFORT_MEMBER static arrival_token barrier_arrive() {
    __cufort_cluster_arrive();
    return {};
  }
  __CUFORT_MEMBER static void barrier_wait(arrival_token &&) {
    __cufort_cluster_wait();
  }
  __CUFORT_MEMBER static void barrier_wait() { __cufort_cluster_wait(); }
  __CUFORT_MEMBER static dim3 block_index() {
    return dim3(__cufort_cluster_ctaid_x(), __cufort_cluster_ctaid_y(),
                __cufort_cluster_ctaid_z());
  }
  __CUFORT_MEMBER static dim3 dim_blocks() {
    return dim3(__cufort_cluster_nctaid_x(), __cufort_cluster_nctaid_y(),
                __cufort_cluster_nctaid_z());
  }
  __CUFORT_MEMBER static unsigned int block_rank() {
    return __cufort_cluster_rank();
  }
  __CUFORT_MEMBER static unsigned int num_blocks() {
    return __cufort_cluster_blocks();
  }
  __CUFORT_MEMBER static dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x,
                block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  __CUFORT_MEMBER static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y,
                blocks.z * blockDim.z);
  }
  __CUFORT_MEMBER static unsigned int thread_rank() {
    return block_rank() * details::threadsInBlock() + details::rankInBlock();
  }
  __CUFORT_MEMBER static unsigned int num_threads() {
    return num_blocks() * details::threadsInBlock();
  }
  __CUFORT_MEMBER static unsigned int size() { return num_threads(); }
  /// The address in another block's shared memory of a variable of this
  /// block's.
  template <class T>
  __CUFORT_MEMBER static T *map_shared_rank(T *address, int rank) {
    return (T *)__cufort_cluster_mapa((void *)address, rank);
  }
};
__CUFORT_CG cluster_group this_cluster() { return cluster_group(); }

} // namespace cooperative_groups

#endif // CUFORT_CLUSTER_GROUPS_H
