//===- vector_functions.h - make_int2 and the like --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#if defined(__cplusplus)
#define __CUFORT_MAKE static __inline__ __host__ __device__ constexpr
#else
#define __CUFORT_MAKE static __inline__
#endif
#define __CUFORT_MAKE_VECTOR(name, T)                                          \
  __CUFORT_MAKE name##1 make_##name##1(T x) {                                  \
    name##1 v = {x};                                                           \
    return v;                                                                  \
  }                                                                            \
  __CUFORT_MAKE name##2 make_##name##2(T x, T y) {                             \
    name##2 v = {x, y};                                                        \
    return v;                                                                  \
  }                                                                            \
  __CUFORT_MAKE name##3 make_##name##3(T x, T y, T z) {                        \
    name##3 v = {x, y, z};                                                     \
    return v;                                                                  \
  }                                                                            \
  __CUFORT_MAKE name##4 make_##name##4(T x, T y, T z, T w) {                   \
    name##4 v = {x, y, z, w};                                                  \
    return v;                                                                  \
  }
__CUFORT_MAKE_VECTOR(char, signed char)
__CUFORT_MAKE_VECTOR(uchar, unsigned char)
__CUFORT_MAKE_VECTOR(short, short)
__CUFORT_MAKE_VECTOR(ushort, unsigned short)
__CUFORT_MAKE_VECTOR(int, int)
__CUFORT_MAKE_VECTOR(uint, unsigned int)
__CUFORT_MAKE_VECTOR(long, long int)
__CUFORT_MAKE_VECTOR(ulong, unsigned long int)
__CUFORT_MAKE_VECTOR(longlong, long long int)
__CUFORT_MAKE_VECTOR(ulonglong, unsigned long long int)
__CUFORT_MAKE_VECTOR(float, float)
__CUFORT_MAKE_VECTOR(double, double)
#undef __CUFORT_MAKE_VECTOR

#define __CUFORT_MAKE_ALIGNED(name, T)                                         \
  __CUFORT_MAKE name make_##name(T x, T y, T z, T w) {                         \
    name v = {x, y, z, w};                                                     \
    return v;                                                                  \
  }
#define __CUFORT_MAKE_ALIGNED_VECTOR(name, T)                                  \
  __CUFORT_MAKE_ALIGNED(name##4_16a, T)                                        \
  __CUFORT_MAKE_ALIGNED(name##4_32a, T)
__CUFORT_MAKE_ALIGNED_VECTOR(long, long int)
__CUFORT_MAKE_ALIGNED_VECTOR(ulong, unsigned long int)
__CUFORT_MAKE_ALIGNED_VECTOR(longlong, long long int)
__CUFORT_MAKE_ALIGNED_VECTOR(ulonglong, unsigned long long int)
__CUFORT_MAKE_ALIGNED_VECTOR(double, double)
#undef __CUFORT_MAKE_ALIGNED_VECTOR
#undef __CUFORT_MAKE_ALIGNED
#undef __CUFORT_MAKE

#endif // __VECTOR_FUNCTIONS_H__
