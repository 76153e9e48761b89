//===- special_functions.h - CUDA's mathematics in host code ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that CUDA has on both sides and C's library lacks, for the
// host: programs compare their kernels with them. The runtime library has them
// from the same source as device code (device/math/special.c).
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_SPECIAL_FUNCTIONS_H
#define CUFORT_SPECIAL_FUNCTIONS_H

#define __CUFORT_HOST static inline __host__
#define __CUFORT_TYPED(T, name, declared, passed)                              \
  extern "C" __host__ T __nv_##name declared;                                  \
  __CUFORT_HOST T name declared { return __nv_##name passed; }
#define __CUFORT_SPECIAL(name)                                                 \
  __CUFORT_TYPED(double, name, (double x), (x))                                \
  __CUFORT_TYPED(float, name##f, (float x), (x))
__CUFORT_SPECIAL(erfinv)
__CUFORT_SPECIAL(erfcinv)
__CUFORT_SPECIAL(erfcx)
__CUFORT_SPECIAL(normcdf)
__CUFORT_SPECIAL(normcdfinv)
__CUFORT_SPECIAL(cyl_bessel_i0)
__CUFORT_SPECIAL(cyl_bessel_i1)
#undef __CUFORT_SPECIAL
#define __CUFORT_NORMS(T, suffix)                                              \
  __CUFORT_TYPED(T, norm3d##suffix, (T x, T y, T z), (x, y, z))                \
  __CUFORT_TYPED(T, rnorm3d##suffix, (T x, T y, T z), (x, y, z))               \
  __CUFORT_TYPED(T, norm4d##suffix, (T x, T y, T z, T w), (x, y, z, w))        \
  __CUFORT_TYPED(T, rnorm4d##suffix, (T x, T y, T z, T w), (x, y, z, w))       \
  __CUFORT_TYPED(T, norm##suffix, (int n, const T *x), (n, x))                 \
  __CUFORT_TYPED(T, rnorm##suffix, (int n, const T *x), (n, x))
__CUFORT_NORMS(double, )
__CUFORT_NORMS(float, f)
#undef __CUFORT_NORMS
#undef __CUFORT_TYPED

__CUFORT_HOST void sincospi(double x, double *sine, double *cosine) {
  double turn = __builtin_fmod(x, 2), quarters = __builtin_rint(2 * turn);
  double angle = 3.14159265358979323846 * (turn - 0.5 * quarters);
  double s = __builtin_sin(angle), c = __builtin_cos(angle);
  int quadrant = quarters - quarters == 0 ? (int)quarters & 3 : 0;
  *sine = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
  *cosine = quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s;
}
__CUFORT_HOST void sincospif(float x, float *sine, float *cosine) {
  double s, c;
  sincospi((double)x, &s, &c);
  *sine = (float)s;
  *cosine = (float)c;
}
__CUFORT_HOST void sincospi(float x, float *sine, float *cosine) {
  sincospif(x, sine, cosine);
}
// From glibc 2.41 on C's library has these.
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 41)
#define __CUFORT_HAS_SINPI
#endif
#endif
#ifndef __CUFORT_HAS_SINPI
__CUFORT_HOST double sinpi(double x) {
  double s, c;
  sincospi(x, &s, &c);
  return s;
}
__CUFORT_HOST double cospi(double x) {
  double s, c;
  sincospi(x, &s, &c);
  return c;
}
__CUFORT_HOST float sinpif(float x) { return (float)sinpi((double)x); }
__CUFORT_HOST float cospif(float x) { return (float)cospi((double)x); }
#endif
#undef __CUFORT_HAS_SINPI

#define __CUFORT_MINMAX(T, prefix)                                             \
  __CUFORT_HOST T prefix##min(T a, T b) { return b < a ? b : a; }              \
  __CUFORT_HOST T prefix##max(T a, T b) { return a < b ? b : a; }
__CUFORT_MINMAX(unsigned int, u)
__CUFORT_MINMAX(long long, ll)
__CUFORT_MINMAX(unsigned long long, ull)
#undef __CUFORT_MINMAX
#undef __CUFORT_HOST

#endif // CUFORT_SPECIAL_FUNCTIONS_H
