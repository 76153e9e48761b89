//===- RuntimeApi.h - the functions of the CUDA runtime API -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the public headers declare, in the types of Types.h. What defines such
// a function includes this, so that the two agree.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_API_RUNTIMEAPI_H
#define CUFORT_RUNTIME_API_RUNTIMEAPI_H

#include "runtime/api/Types.h"
// These after the types, whose names they take.
#include "include/cufort/runtime/graph_types.h"
#include "include/texture_types.h"

extern "C" {
// Written by declarations.py.
#include "RuntimeFunctions.inc"

// What compilers call, and not people.
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, cudaStream_t);
cudaError_t __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);

// For cudafor: count copies of a pattern; without a stream the first waits.
cudaError_t __cufort_fill(void *to, const void *pattern, size_t patternBytes,
                          size_t count, cudaStream_t stream);
cudaError_t __cufort_fill_async(void *to, const void *pattern,
                                size_t patternBytes, size_t count,
                                cudaStream_t stream);
}

#endif // CUFORT_RUNTIME_API_RUNTIMEAPI_H
