//===- vector_types.h - vectors of two to four numbers, and dim3 *- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "crt/host_defines.h"

// CUDA's table of alignments: a vector of two or four is aligned as a whole, up
// to 16 bytes; one of three as its elements are.
#define __CUFORT_VECTOR(name, T, two, four)                                    \
  struct name##1 { T x; };                                                     \
  struct __attribute__((aligned(two))) name##2 { T x, y; };                    \
  struct name##3 { T x, y, z; };                                               \
  struct __attribute__((aligned(four))) name##4 { T x, y, z, w; };             \
  typedef struct name##1 name##1;                                              \
  typedef struct name##2 name##2;                                              \
  typedef struct name##3 name##3;                                              \
  typedef struct name##4 name##4;
__CUFORT_VECTOR(char, signed char, 2, 4)
__CUFORT_VECTOR(uchar, unsigned char, 2, 4)
__CUFORT_VECTOR(short, short, 4, 8)
__CUFORT_VECTOR(ushort, unsigned short, 4, 8)
__CUFORT_VECTOR(int, int, 8, 16)
__CUFORT_VECTOR(uint, unsigned int, 8, 16)
__CUFORT_VECTOR(long, long int, 16, 16)
__CUFORT_VECTOR(ulong, unsigned long int, 16, 16)
__CUFORT_VECTOR(longlong, long long int, 16, 16)
__CUFORT_VECTOR(ulonglong, unsigned long long int, 16, 16)
__CUFORT_VECTOR(float, float, 8, 16)
__CUFORT_VECTOR(double, double, 16, 16)
#undef __CUFORT_VECTOR

// Of the widest vectors of four those whose name says how they are aligned.
#define __CUFORT_ALIGNED_VECTOR(name, T)                                       \
  struct __attribute__((aligned(16))) name##4_16a { T x, y, z, w; };           \
  struct __attribute__((aligned(32))) name##4_32a { T x, y, z, w; };           \
  typedef struct name##4_16a name##4_16a;                                      \
  typedef struct name##4_32a name##4_32a;
__CUFORT_ALIGNED_VECTOR(long, long int)
__CUFORT_ALIGNED_VECTOR(ulong, unsigned long int)
__CUFORT_ALIGNED_VECTOR(longlong, long long int)
__CUFORT_ALIGNED_VECTOR(ulonglong, unsigned long long int)
__CUFORT_ALIGNED_VECTOR(double, double)
#undef __CUFORT_ALIGNED_VECTOR

struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
#if __cplusplus >= 201103L
  __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1,
                                     unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const {
    return uint3{x, y, z};
  }
#else
  __host__ __device__ dim3(unsigned int x = 1, unsigned int y = 1,
                           unsigned int z = 1)
      : x(x), y(y), z(z) {}
#endif
#endif
};
typedef struct dim3 dim3;

#endif // __VECTOR_TYPES_H__
