//===- cuda_pipeline.h - copies to shared memory ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include "cufort/async_copies.h"

/// Copies \p bytes, 4, 8 or 16, to which the addresses are aligned; the last
/// \p zeros of them become zero instead.
static __device__ __forceinline__ void
__pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from,
                        size_t bytes, size_t zeros = 0) {
  if (zeros) {
    memcpy(to, from, bytes - zeros);
    memset((char *)to + bytes - zeros, 0, zeros);
  } else if (bytes == 16) {
    cufort_async::copyPiece<16>(to, from);
  } else if (bytes == 8) {
    cufort_async::copyPiece<8>(to, from);
  } else {
    cufort_async::copyPiece<4>(to, from);
  }
}
static __device__ __forceinline__ void __pipeline_commit() {
  cufort_async::commit();
}
static __device__ __forceinline__ void __pipeline_wait_prior(size_t prior) {
  cufort_async::wait(prior);
}

#endif // _CUDA_PIPELINE_H_
