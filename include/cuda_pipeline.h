//===- cuda_pipeline.h - copies to shared memory ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include "cuda_runtime.h"

// Copies are done at once; who waits for them finds them done.
static __device__ __forceinline__ void
__pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from,
                        size_t bytes, size_t zeros = 0) {
  memcpy(to, from, bytes - zeros);
  if (zeros)
    memset((char *)to + bytes - zeros, 0, zeros);
}
static __device__ __forceinline__ void __pipeline_commit() {}
static __device__ __forceinline__ void __pipeline_wait_prior(size_t) {}

#endif // _CUDA_PIPELINE_H_
