//===- cuComplex.h - complex numbers for C and CUDA C++ ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include "crt/host_defines.h"
#include "vector_types.h"
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* The functions of one precision: names end in f for single precision, and
   in their middle for sums and the like. */
#define __CUFORT_COMPLEX(C, T, c, f, make, sqrtOf, absOf)                      \
  static __inline__ __host__ __device__ T cuCreal##f(C x) { return x.x; }      \
  static __inline__ __host__ __device__ T cuCimag##f(C x) { return x.y; }      \
  static __inline__ __host__ __device__ C make(T re, T im) {                   \
    C result;                                                                  \
    result.x = re;                                                             \
    result.y = im;                                                             \
    return result;                                                             \
  }                                                                            \
  static __inline__ __host__ __device__ C cuConj##f(C x) {                     \
    return make(x.x, -x.y);                                                    \
  }                                                                            \
  static __inline__ __host__ __device__ C cuCadd##f(C x, C y) {                \
    return make(x.x + y.x, x.y + y.y);                                         \
  }                                                                            \
  static __inline__ __host__ __device__ C cuCsub##f(C x, C y) {                \
    return make(x.x - y.x, x.y - y.y);                                         \
  }                                                                            \
  static __inline__ __host__ __device__ C cuCmul##f(C x, C y) {                \
    return make(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                 \
  }                                                                            \
  /* Scaled, so that no square overflows. */                                   \
  static __inline__ __host__ __device__ C cuCdiv##f(C x, C y) {                \
    T s = absOf(y.x) + absOf(y.y), o = (T)1 / s;                               \
    T a = x.x * o, b = x.y * o, p = y.x * o, q = y.y * o;                      \
    s = p * p + q * q;                                                         \
    o = (T)1 / s;                                                              \
    return make((a * p + b * q) * o, (b * p - a * q) * o);                     \
  }                                                                            \
  static __inline__ __host__ __device__ T cuCabs##f(C x) {                     \
    T a = absOf(x.x), b = absOf(x.y), large = a > b ? a : b,                   \
      small = a > b ? b : a, t;                                                \
    if (large == 0 || large - large != 0) /* zero, infinite or no number */    \
      return a + b;                                                            \
    t = small / large;                                                         \
    return large * sqrtOf((T)1 + t * t);                                       \
  }
__CUFORT_COMPLEX(cuFloatComplex, float, c, f, make_cuFloatComplex, sqrtf, fabsf)
__CUFORT_COMPLEX(cuDoubleComplex, double, c, , make_cuDoubleComplex, sqrt, fabs)
#undef __CUFORT_COMPLEX

static __inline__ __host__ __device__ cuComplex make_cuComplex(float re,
                                                               float im) {
  return make_cuFloatComplex(re, im);
}
static __inline__ __host__ __device__ cuDoubleComplex
cuComplexFloatToDouble(cuFloatComplex x) {
  return make_cuDoubleComplex(x.x, x.y);
}
static __inline__ __host__ __device__ cuFloatComplex
cuComplexDoubleToFloat(cuDoubleComplex x) {
  return make_cuFloatComplex((float)x.x, (float)x.y);
}
static __inline__ __host__ __device__ cuComplex cuCfmaf(cuComplex x,
                                                        cuComplex y,
                                                        cuComplex d) {
  return cuCaddf(cuCmulf(x, y), d);
}
static __inline__ __host__ __device__ cuDoubleComplex
cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex d) {
  return cuCadd(cuCmul(x, y), d);
}

#endif // CU_COMPLEX_H_
