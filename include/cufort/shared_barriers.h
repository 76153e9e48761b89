//===- shared_barriers.h - barriers in shared memory ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_SHARED_BARRIERS_H
#define CUFORT_SHARED_BARRIERS_H

#include "cufort/counted_barrier.h"

// The device library's barriers, which count; a GPU has them from compute
// capability 9.0 on. Code that is for older ones, too, makes do with atomics.
#ifdef __CUFORT_OLDER_GPUS
static __device__ __forceinline__ void
__cufort_barrier_begin(unsigned long long *barrier, unsigned int count) {
  using Barrier = cuda::details::CountedBarrier<cuda::thread_scope_block>;
  cuda::details::Operations<unsigned long long, cuda::thread_scope_block>::
      store(barrier, Barrier::begin(count), cuda::memory_order_release);
}
static __device__ __forceinline__ unsigned long long
__cufort_barrier_arrive(unsigned long long *barrier) {
  return cuda::details::CountedBarrier<cuda::thread_scope_block>::arrive(
      barrier, 1, 0, [] {});
}
static __device__ __forceinline__ unsigned long long
__cufort_barrier_leave(unsigned long long *barrier) {
  return cuda::details::CountedBarrier<cuda::thread_scope_block>::arrive(
      barrier, 1, 1, [] {});
}
static __device__ __forceinline__ int
__cufort_barrier_try_wait(unsigned long long *barrier,
                          unsigned long long token) {
  return cuda::details::CountedBarrier<cuda::thread_scope_block>::phase(
             barrier) != token;
}
static __device__ __forceinline__ int
__cufort_barrier_try_wait_sleep(unsigned long long *barrier,
                                unsigned long long token, unsigned int) {
  return __cufort_barrier_try_wait(barrier, token);
}
static __device__ __forceinline__ int
__cufort_barrier_try_parity(unsigned long long *barrier, unsigned int parity,
                            unsigned int) {
  return (cuda::details::CountedBarrier<cuda::thread_scope_block>::phase(
              barrier) &
          1) != parity;
}
__attribute__((unavailable("GPUs have it from compute capability 9.0 on: "
                           "-arch=sm_90"))) static __device__ unsigned int
__cufort_barrier_pending(unsigned long long token);
#else
extern "C" {
__device__ __attribute__((convergent)) void
__cufort_barrier_begin(unsigned long long *barrier, unsigned int count);
__device__ __attribute__((convergent)) unsigned long long
__cufort_barrier_arrive(unsigned long long *barrier);
__device__ __attribute__((convergent)) unsigned long long
__cufort_barrier_leave(unsigned long long *barrier);
__device__ __attribute__((convergent)) int
__cufort_barrier_try_wait(unsigned long long *barrier,
                          unsigned long long token);
// These two return after a short time even if the phase has not ended.
__device__ __attribute__((convergent)) int
__cufort_barrier_try_wait_sleep(unsigned long long *barrier,
                                unsigned long long token,
                                unsigned int nanoseconds);
__device__ __attribute__((convergent)) int
__cufort_barrier_try_parity(unsigned long long *barrier, unsigned int parity,
                            unsigned int nanoseconds);
// How many threads had still to arrive before the one that got the token.
__device__ __attribute__((const)) unsigned int
__cufort_barrier_pending(unsigned long long token);
}
#endif

#endif // CUFORT_SHARED_BARRIERS_H
