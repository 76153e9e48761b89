//===- cuda_awbarrier_primitives.h - barriers, in C -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The programming guide's arrive/wait barriers of compute capability 8.0, whose
// word is the program's.

#ifndef CUFORT_CUDA_AWBARRIER_PRIMITIVES_H
#define CUFORT_CUDA_AWBARRIER_PRIMITIVES_H

#include "cufort/shared_barriers.h"
#include <stdint.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

static __device__ __forceinline__ unsigned long long *
__cufort_barrier_word(__mbarrier_t *barrier) {
  return reinterpret_cast<unsigned long long *>(barrier);
}

static __device__ __host__ __forceinline__ uint32_t __mbarrier_maximum_count() {
  return (1u << 20) - 1;
}
static __device__ __forceinline__ void __mbarrier_init(__mbarrier_t *barrier,
                                                       uint32_t count) {
  __cufort_barrier_begin(__cufort_barrier_word(barrier), count);
}
/// Afterwards the word may be used for something else.
static __device__ __forceinline__ void __mbarrier_inval(__mbarrier_t *) {}
static __device__ __forceinline__ __mbarrier_token_t
__mbarrier_arrive(__mbarrier_t *barrier) {
  return __cufort_barrier_arrive(__cufort_barrier_word(barrier));
}
static __device__ __forceinline__ __mbarrier_token_t
__mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  return __cufort_barrier_leave(__cufort_barrier_word(barrier));
}
/// How many threads had still to arrive before the one that got \p token.
#ifdef __CUFORT_OLDER_GPUS
__attribute__((unavailable("GPUs have it from compute capability 9.0 on: "
                           "-arch=sm_90")))
#endif
static __device__ __forceinline__ uint32_t
__mbarrier_token_pending_count(__mbarrier_token_t token) {
#ifdef __CUFORT_OLDER_GPUS
  return 0;
#else
  return __cufort_barrier_pending(token);
#endif
}
static __device__ __forceinline__ bool
__mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token,
                    uint32_t nanoseconds) {
  return __cufort_barrier_try_wait_sleep(__cufort_barrier_word(barrier), token,
                                         nanoseconds);
}
static __device__ __forceinline__ bool
__mbarrier_try_wait_parity(__mbarrier_t *barrier, bool odd,
                           uint32_t nanoseconds) {
  return __cufort_barrier_try_parity(__cufort_barrier_word(barrier), odd,
                                     nanoseconds);
}
static __device__ __forceinline__ bool
__mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token) {
  return __mbarrier_try_wait(barrier, token, 0);
}
static __device__ __forceinline__ bool
__mbarrier_test_wait_parity(__mbarrier_t *barrier, bool odd) {
  return __mbarrier_try_wait_parity(barrier, odd, 0);
}

#endif // CUFORT_CUDA_AWBARRIER_PRIMITIVES_H
