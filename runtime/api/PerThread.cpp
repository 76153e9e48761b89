//===- PerThread.cpp - a default stream for each thread -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/profile/Profile.h"

using namespace cufort;

using StreamCallback = void (*)(cudaStream_t, cudaError_t, void *);

static cudaStream_t perThread(cudaStream_t stream) {
  return stream ? stream : PerThreadStream;
}

// What programs with a default stream for each thread call instead.
#define PER_THREAD_STREAM(name, parameters, arguments)                         \
  CUFORT_API cudaError_t name##_ptsz parameters { return name arguments; }
#define PER_THREAD_WAIT(name, parameters, asynchronous, arguments)             \
  CUFORT_API cudaError_t name##_ptds parameters {                              \
    const cudaError_t error = asynchronous arguments;                          \
    return error == cudaSuccess ? cudaStreamSynchronize(PerThreadStream)       \
                                : error;                                       \
  }
#include "runtime/api/PerThread.def"

CUFORT_API cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *c,
                                                const void *stub,
                                                void **parameters) {
  const profile::Call recorded;
  if (!c)
    return cudaLaunchKernelExC(c, stub, parameters);
  cudaLaunchConfig_t own = *c;
  own.stream = perThread(c->stream);
  return cudaLaunchKernelExC(&own, stub, parameters);
}
