//===- host_defines.h - the words of CUDA C++ -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDA_CB
#define CUDART_CB
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_surface_type__
#define __device_builtin_texture_type__

#if defined(__GNUC__)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif

#if defined(__CUDA__) // Clang compiles CUDA C++
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
// The second one keeps constructors from shared variables (compiler/cuda).
#define __shared__ __attribute__((shared, cufort_shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...)
/* Clang has an attribute of this name for AMD alone; compiler/cuda reads this.
 */
#define __cluster_dims__(...)                                                  \
  __attribute__((annotate("cufort.cluster_dims", __VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
// A variable that both sides use: the compiler reads the annotation and puts
// managed memory in place of the host's copy.
#define __managed__ __attribute__((device, annotate("cufort.managed")))
// The scope of the atomic operations in a function, which Clang does not pass
// on for NVIDIA's GPUs: a number as its builtins take it.
#if defined(__CUDA_ARCH__)
#define __cufort_atomic_scope__(scope)                                         \
  __attribute__((annotate("cufort.atomic_scope", scope)))
#else
#define __cufort_atomic_scope__(scope)
#endif
// __noinline__ is a keyword of Clang's.
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif

#endif // __HOST_DEFINES_H__
