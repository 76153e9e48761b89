//===- cuda_awbarrier.h - barriers of a block -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The predecessor of cuda::barrier, with the same functions.

#ifndef CUFORT_CUDA_AWBARRIER_H
#define CUFORT_CUDA_AWBARRIER_H

#include "cuda_awbarrier_primitives.h"

namespace nvcuda {
namespace experimental {

/// A barrier of a block's threads, in shared memory.
class awbarrier {
  __mbarrier_t barrier;

public:
  class arrival_token {
    __mbarrier_token_t token;
    friend awbarrier;
    __device__ arrival_token(__mbarrier_token_t token) : token(token) {}

  public:
    arrival_token() = default;
#ifndef __CUFORT_OLDER_GPUS
    /// Of threads that had still to arrive.
    __device__ uint32_t pending_count() const {
      return __mbarrier_token_pending_count(token);
    }
#endif
  };
  awbarrier() = default;
  awbarrier(const awbarrier &) = delete;
  awbarrier &operator=(const awbarrier &) = delete;

  friend __device__ __forceinline__ void init(awbarrier *b, uint32_t count) {
    __mbarrier_init(&b->barrier, count);
  }
  friend __device__ __forceinline__ void inval(awbarrier *b) {
    __mbarrier_inval(&b->barrier);
  }
  __device__ __forceinline__ arrival_token arrive() {
    return __mbarrier_arrive(&barrier);
  }
  __device__ __forceinline__ arrival_token arrive_and_drop() {
    return __mbarrier_arrive_and_drop(&barrier);
  }
  __device__ __forceinline__ bool try_wait(arrival_token token,
                                           uint32_t nanoseconds) {
    return __mbarrier_try_wait(&barrier, token.token, nanoseconds);
  }
  __device__ __forceinline__ bool try_wait_parity(bool odd,
                                                  uint32_t nanoseconds) {
    return __mbarrier_try_wait_parity(&barrier, odd, nanoseconds);
  }
  /// Waits for about so many clock ticks at the most.
  __device__ __forceinline__ bool timed_wait(arrival_token token,
                                             uint32_t ticks) {
    const long long begin = clock64();
    do
      if (try_wait(token, 0))
        return true;
    while (clock64() - begin < ticks);
    return false;
  }
  __device__ __forceinline__ bool timed_wait_parity(bool odd, uint32_t ticks) {
    const long long begin = clock64();
    do
      if (try_wait_parity(odd, 0))
        return true;
    while (clock64() - begin < ticks);
    return false;
  }
  __device__ __forceinline__ void wait(arrival_token token) {
    while (!try_wait(token, 1000000))
      ;
  }
  __device__ __forceinline__ void arrive_and_wait() { wait(arrive()); }
  static __device__ __host__ constexpr uint32_t max() { return (1u << 20) - 1; }
};

} // namespace experimental
} // namespace nvcuda

#endif // CUFORT_CUDA_AWBARRIER_H
