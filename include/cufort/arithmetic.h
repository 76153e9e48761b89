//===- arithmetic.h - min, max and functions of CUDA's own ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_ARITHMETIC_H
#define CUFORT_ARITHMETIC_H

// Overloads that CUDA has in the global namespace, on both sides.
#define __CUFORT_BOTH static __host__ __device__ __forceinline__
#define __CUFORT_MINMAX(R, A, B)                                               \
  __CUFORT_BOTH R min(A a, B b) { return (R)b < (R)a ? (R)b : (R)a; }          \
  __CUFORT_BOTH R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
#define __CUFORT_MINMAX_INTEGERS(I, U)                                         \
  __CUFORT_MINMAX(I, I, I)                                                     \
  __CUFORT_MINMAX(U, U, U)                                                     \
  __CUFORT_MINMAX(U, I, U)                                                     \
  __CUFORT_MINMAX(U, U, I)
static inline __host__ int min(int a, int b) { return b < a ? b : a; }
static inline __host__ int max(int a, int b) { return a < b ? b : a; }
__CUFORT_MINMAX(unsigned int, unsigned int, unsigned int)
__CUFORT_MINMAX(unsigned int, int, unsigned int)
__CUFORT_MINMAX(unsigned int, unsigned int, int)
__CUFORT_MINMAX_INTEGERS(long, unsigned long)
__CUFORT_MINMAX_INTEGERS(long long, unsigned long long)
__CUFORT_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
__CUFORT_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
__CUFORT_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
__CUFORT_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
__CUFORT_BOTH double min(float a, double b) { return __builtin_fmin(a, b); }
__CUFORT_BOTH double max(float a, double b) { return __builtin_fmax(a, b); }
__CUFORT_BOTH double min(double a, float b) { return __builtin_fmin(a, b); }
__CUFORT_BOTH double max(double a, float b) { return __builtin_fmax(a, b); }
#undef __CUFORT_MINMAX
#undef __CUFORT_MINMAX_INTEGERS

// Functions that only CUDA has under these names, for host code.
static inline __host__ float rsqrtf(float x) { return 1 / __builtin_sqrtf(x); }
static inline __host__ double rsqrt(double x) { return 1 / __builtin_sqrt(x); }
__CUFORT_BOTH float rsqrt(float x) { return rsqrtf(x); }
static inline __host__ float rcbrtf(float x) { return 1 / __builtin_cbrtf(x); }
static inline __host__ double rcbrt(double x) { return 1 / __builtin_cbrt(x); }
__CUFORT_BOTH float rcbrt(float x) { return rcbrtf(x); }
static inline __host__ float fdividef(float x, float y) { return x / y; }
static inline __host__ double rhypot(double x, double y) {
  return 1 / __builtin_hypot(x, y);
}
static inline __host__ float rhypotf(float x, float y) {
  return 1 / __builtin_hypotf(x, y);
}
// Overloads for float of CUDA's own functions.
static __device__ __forceinline__ void sincos(float x, float *s, float *c) {
  sincosf(x, s, c);
}
static __device__ __forceinline__ void sincospi(float x, float *s, float *c) {
  sincospif(x, s, c);
}
static __device__ __forceinline__ float __tanhf(float x) { return tanhf(x); }
#undef __CUFORT_BOTH

#endif // CUFORT_ARITHMETIC_H
