//===- distributions.h - what random bits become ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of curand_kernel.h: uniform, normal, log-normal and Poisson numbers
// (cuRAND Library, "Distributions").
//
//===----------------------------------------------------------------------===//

#ifndef __CUFORT_RANDOM_DISTRIBUTIONS_H
#define __CUFORT_RANDOM_DISTRIBUTIONS_H

//===----------------------------------------------------------------------===//
// Uniform: above 0, up to and including 1.
//===----------------------------------------------------------------------===//

__CUFORT_RANDOM float __cufort_unit(unsigned int x) {
  return x * 0x1p-32f + 0x1p-33f;
}
/// All 53 bits, of two numbers.
__CUFORT_RANDOM double __cufort_unit(unsigned int x, unsigned int y) {
  return (x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}
constexpr double __cufort_mrg_unit = 2.3283065498378288e-10;

template <class State> __CUFORT_RANDOM float curand_uniform(State *state) {
  return __cufort_unit(curand(state));
}
__CUFORT_RANDOM float curand_uniform(curandStateMRG32k3a_t *state) {
  return (float)(__cufort_mrg_next(state) * __cufort_mrg_unit);
}

__CUFORT_RANDOM double curand_uniform_double(curandStateXORWOW_t *state) {
  unsigned int x = curand(state), y = curand(state);
  return __cufort_unit(x, y);
}
__CUFORT_RANDOM double curand_uniform_double(curandStateMRG32k3a_t *state) {
  return __cufort_mrg_next(state) * __cufort_mrg_unit;
}
/// Of one number; curand_uniform2_double() has all bits.
__CUFORT_RANDOM double
curand_uniform_double(curandStatePhilox4_32_10_t *state) {
  return curand(state) * 0x1p-32 + 0x1p-32;
}

__CUFORT_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  return make_float4(__cufort_unit(x.x), __cufort_unit(x.y), __cufort_unit(x.z),
                     __cufort_unit(x.w));
}
__CUFORT_RANDOM double2
curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  return make_double2(__cufort_unit(x.x, x.y), __cufort_unit(x.z, x.w));
}

//===----------------------------------------------------------------------===//
// Normal, of mean 0 and deviation 1: two at a time, by Box and Muller.
//===----------------------------------------------------------------------===//

__CUFORT_RANDOM float2 __cufort_normals(float unit, float angle) {
  float length = sqrtf(-2.0f * logf(unit)), x, y;
  __sincosf(angle, &x, &y);
  return make_float2(x * length, y * length);
}
__CUFORT_RANDOM double2 __cufort_normals(double unit, double halfTurns) {
  double length = sqrt(-2.0 * log(unit)), x, y;
  sincospi(halfTurns, &x, &y);
  return make_double2(x * length, y * length);
}
__CUFORT_RANDOM float2 __cufort_normals(unsigned int x, unsigned int y) {
  constexpr float turn = 0x1p-32f * 6.2831855f;
  return __cufort_normals(__cufort_unit(x), y * turn + turn / 2);
}
__CUFORT_RANDOM double2 __cufort_normals(uint4 x) {
  return __cufort_normals(__cufort_unit(x.x, x.y), 2 * __cufort_unit(x.z, x.w));
}

/// Two normal numbers.
template <class State> __CUFORT_RANDOM float2 curand_normal2(State *state) {
  unsigned int x = curand(state), y = curand(state);
  return __cufort_normals(x, y);
}
__CUFORT_RANDOM float2 curand_normal2(curandStateMRG32k3a_t *state) {
  float unit = curand_uniform(state);
  return __cufort_normals(unit, curand_uniform(state) * 6.2831855f);
}
__CUFORT_RANDOM double2 curand_normal2_double(curandStateXORWOW_t *state) {
  unsigned int x = curand(state), y = curand(state);
  unsigned int z = curand(state), w = curand(state);
  return __cufort_normals(make_uint4(x, y, z, w));
}
__CUFORT_RANDOM double2 curand_normal2_double(curandStateMRG32k3a_t *state) {
  double unit = curand_uniform_double(state);
  return __cufort_normals(unit, curand_uniform_double(state) * 2);
}
__CUFORT_RANDOM double2
curand_normal2_double(curandStatePhilox4_32_10_t *state) {
  return __cufort_normals(curand4(state));
}
__CUFORT_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  float2 a = __cufort_normals(x.x, x.y), b = __cufort_normals(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}

/// Which distribution the second number of a pair is kept for.
constexpr int __cufort_kept_normal = 1, __cufort_kept_log_normal = 2;

/// The number that \p kept says is kept for \p distribution, or the first of a
/// new pair, whose other one is kept.
template <class T, class Pair>
__CUFORT_RANDOM T __cufort_of_pair(int *kept, T *other, int distribution,
                                   Pair pair) {
  if (*kept == distribution) {
    *kept = 0;
    return *other;
  }
  auto both = pair();
  *other = both.y;
  *kept = distribution;
  return both.x;
}

/// A normal number; the pair's other one is kept for the next call.
template <class State> __CUFORT_RANDOM float curand_normal(State *state) {
  return __cufort_of_pair(&state->boxmuller_flag, &state->boxmuller_extra,
                          __cufort_kept_normal,
                          [&] { return curand_normal2(state); });
}
template <class State>
__CUFORT_RANDOM double curand_normal_double(State *state) {
  return __cufort_of_pair(&state->boxmuller_flag_double,
                          &state->boxmuller_extra_double, __cufort_kept_normal,
                          [&] { return curand_normal2_double(state); });
}

//===----------------------------------------------------------------------===//
// Log-normal: exp(mean + deviation * normal).
//===----------------------------------------------------------------------===//

template <class State>
__CUFORT_RANDOM float2 curand_log_normal2(State *state, float mean,
                                          float stddev) {
  float2 pair = curand_normal2(state);
  return make_float2(expf(mean + stddev * pair.x),
                     expf(mean + stddev * pair.y));
}
template <class State>
__CUFORT_RANDOM double2 curand_log_normal2_double(State *state, double mean,
                                                  double stddev) {
  double2 pair = curand_normal2_double(state);
  return make_double2(exp(mean + stddev * pair.x), exp(mean + stddev * pair.y));
}
__CUFORT_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t *state,
                                          float mean, float stddev) {
  float4 x = curand_normal4(state);
  return make_float4(expf(mean + stddev * x.x), expf(mean + stddev * x.y),
                     expf(mean + stddev * x.z), expf(mean + stddev * x.w));
}
template <class State>
__CUFORT_RANDOM float curand_log_normal(State *state, float mean,
                                        float stddev) {
  return __cufort_of_pair(
      &state->boxmuller_flag, &state->boxmuller_extra, __cufort_kept_log_normal,
      [&] { return curand_log_normal2(state, mean, stddev); });
}
template <class State>
__CUFORT_RANDOM double curand_log_normal_double(State *state, double mean,
                                                double stddev) {
  return __cufort_of_pair(
      &state->boxmuller_flag_double, &state->boxmuller_extra_double,
      __cufort_kept_log_normal,
      [&] { return curand_log_normal2_double(state, mean, stddev); });
}

//===----------------------------------------------------------------------===//
// Poisson.
//===----------------------------------------------------------------------===//

/// By transformed rejection (Hörmann, 1993, PTRS), for 10 and more.
template <class State>
__CUFORT_RANDOM unsigned int __cufort_poisson_rejection(State *state,
                                                        double lambda) {
  const double root = sqrt(lambda), logarithm = log(lambda);
  const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  const double scale = 1.1239 + 1.1328 / (b - 3.4);
  const double most = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = curand_uniform_double(state) - 0.5;
    const double v = curand_uniform_double(state);
    const double rest = 0.5 - fabs(u);
    const double k = floor((2 * a / rest + b) * u + lambda + 0.43);
    if (rest >= 0.07 && v <= most)
      return (unsigned int)k;
    if (k < 0 || (rest < 0.013 && v > rest))
      continue;
    if (log(v * scale / (a / (rest * rest) + b)) <=
        k * logarithm - lambda - lgamma(k + 1))
      return (unsigned int)k;
  }
}

/// Numbers of mean \p lambda: below 64 by products of uniform numbers (Knuth),
/// above 4000 by a normal number.
template <class State>
__CUFORT_RANDOM unsigned int curand_poisson(State *state, double lambda) {
  if (lambda < 64) {
    unsigned int k = 0;
    float product = expf((float)lambda) * curand_uniform(state);
    for (; product > 1.0f; ++k)
      product *= curand_uniform(state);
    return k;
  }
  if (lambda > 4000)
    return (unsigned int)(sqrt(lambda) * curand_normal_double(state) + lambda +
                          0.5);
  return __cufort_poisson_rejection(state, lambda);
}
__CUFORT_RANDOM uint4 curand_poisson4(curandStatePhilox4_32_10_t *state,
                                      double lambda) {
  if (lambda > 4000) {
    const double root = sqrt(lambda);
    double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
    return make_uint4((unsigned int)(root * a.x + lambda + 0.5),
                      (unsigned int)(root * a.y + lambda + 0.5),
                      (unsigned int)(root * b.x + lambda + 0.5),
                      (unsigned int)(root * b.y + lambda + 0.5));
  }
  unsigned int x = curand_poisson(state, lambda);
  unsigned int y = curand_poisson(state, lambda);
  unsigned int z = curand_poisson(state, lambda);
  return make_uint4(x, y, z, curand_poisson(state, lambda));
}

#endif // __CUFORT_RANDOM_DISTRIBUTIONS_H
