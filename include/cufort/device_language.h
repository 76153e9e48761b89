//===- device_language.h - what CUDA C++ has beyond C++ ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_LANGUAGE_H
#define CUFORT_DEVICE_LANGUAGE_H

// Clang's own headers hold the bulk: thread indices, libdevice's names and what
// is made of them, overloads of <cmath>, shuffles, votes and matches. They ask
// for a version of CUDA.
#include "../cuda.h"

#include "built_in_variables.h"

#include <__clang_cuda_libdevice_declares.h>

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

// A query of libcu++: nvcc wraps device lambdas in host code, where their
// result types are not known. Clang does not.
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false

extern "C" {
__device__ int vprintf(const char *, const char *);
/* Sets the condition of a node of a graph; the driver has it. */
__device__ void cudaGraphSetConditional(unsigned long long, unsigned int);
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void __assertfail(const char *message, const char *file,
                             unsigned line, const char *function,
                             size_t charSize);
// Called by <assert.h>.
__device__ static inline void __assert_fail(const char *message,
                                            const char *file, unsigned line,
                                            const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
// Clang turns calls into vprintf.
__device__ int printf(const char *, ...);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                     size_t sharedBytes = 0, void *stream = 0);
// Called for a launch in device code (cufort/device_launches.h).
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void *function, void *parameters,
                                        dim3 grid, dim3 block,
                                        unsigned sharedBytes,
                                        cudaStream_t stream);
// What CUDA's libraries wait for kernels by that device code has launched.
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance();
}
namespace std {
__device__ static inline void free(void *p) { ::free(p); }
__device__ static inline void *malloc(size_t bytes) { return ::malloc(bytes); }
} // namespace std

#include <__clang_cuda_cmath.h>

// new and delete on the device; CUDA has them without this include.
#include <new>

#include "cufort/addresses.h"

// Clang's vector atomics are lost where their result is not used.
#define atomicAdd __cufort_clang_atomicAdd
#define atomicAdd_block __cufort_clang_atomicAdd_block
#define atomicAdd_system __cufort_clang_atomicAdd_system
#include <__clang_cuda_intrinsics.h>
#undef atomicAdd
#undef atomicAdd_block
#undef atomicAdd_system

#include <__clang_cuda_complex_builtins.h>

#include "cufort/arithmetic.h"
#include "cufort/atomics.h"
#include "cufort/cache_hints.h"
#include "cufort/float_overloads.h"
#include "cufort/integer_words.h"
#include "cufort/ordered_atomics.h"
#include "cufort/special_functions.h"

#endif // CUFORT_DEVICE_LANGUAGE_H
