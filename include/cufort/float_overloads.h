//===- float_overloads.h - <cmath> in single precision ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_FLOAT_OVERLOADS_H
#define CUFORT_FLOAT_OVERLOADS_H

// Clang declares the overloads of <cmath> for device code and leaves some of
// them to the headers of CUDA's toolkit.
#define __CUFORT_OVERLOAD static __device__ __forceinline__
#define __CUFORT_ONE(name)                                                     \
  __CUFORT_OVERLOAD float name(float x) { return ::name##f(x); }
#define __CUFORT_TWO(name)                                                     \
  __CUFORT_OVERLOAD float name(float x, float y) { return ::name##f(x, y); }
#define __CUFORT_TO(type, name)                                                \
  __CUFORT_OVERLOAD type name(float x) { return ::name##f(x); }
__CUFORT_ONE(acosh)
__CUFORT_ONE(asinh)
__CUFORT_ONE(atanh)
__CUFORT_ONE(cbrt)
__CUFORT_ONE(erf)
__CUFORT_ONE(erfc)
__CUFORT_ONE(exp2)
__CUFORT_ONE(expm1)
__CUFORT_ONE(lgamma)
__CUFORT_ONE(log1p)
__CUFORT_ONE(log2)
__CUFORT_ONE(logb)
__CUFORT_ONE(nearbyint)
__CUFORT_ONE(rint)
__CUFORT_ONE(round)
__CUFORT_ONE(tgamma)
__CUFORT_ONE(trunc)
__CUFORT_TWO(copysign)
__CUFORT_TWO(fdim)
__CUFORT_TWO(fmax)
__CUFORT_TWO(fmin)
__CUFORT_TWO(hypot)
__CUFORT_TWO(nextafter)
__CUFORT_TWO(remainder)
__CUFORT_TO(int, ilogb)
__CUFORT_TO(long, lrint)
__CUFORT_TO(long, lround)
__CUFORT_TO(long long, llrint)
__CUFORT_TO(long long, llround)
__CUFORT_OVERLOAD float fma(float x, float y, float z) {
  return ::fmaf(x, y, z);
}
__CUFORT_OVERLOAD float remquo(float x, float y, int *quotient) {
  return ::remquof(x, y, quotient);
}
__CUFORT_OVERLOAD float scalbn(float x, int n) { return ::scalbnf(x, n); }
__CUFORT_OVERLOAD float scalbln(float x, long n) { return ::scalblnf(x, n); }
__CUFORT_OVERLOAD double nan(const char *) { return __builtin_nan(""); }
__CUFORT_OVERLOAD float nanf(const char *) { return __builtin_nanf(""); }
#undef __CUFORT_TO
#undef __CUFORT_TWO
#undef __CUFORT_ONE
#undef __CUFORT_OVERLOAD

#endif // CUFORT_FLOAT_OVERLOADS_H
