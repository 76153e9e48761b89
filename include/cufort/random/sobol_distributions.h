//===- sobol_distributions.h - of Sobol's numbers ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of curand_kernel.h: each number is made of one quasirandom number, or
// one of MTGP32, by the inverse of the distribution.
//
//===----------------------------------------------------------------------===//

#ifndef __CUFORT_RANDOM_SOBOL_DISTRIBUTIONS_H
#define __CUFORT_RANDOM_SOBOL_DISTRIBUTIONS_H

#include "cufort/random/mtgp.h"
#include "cufort/random/sobol.h"

/// Of 32 bits: uniform numbers of double precision end with one.
__CUFORT_RANDOM double __cufort_sobol_double(unsigned int x) {
  return x * 0x1p-32 + 0x1p-32;
}
__CUFORT_RANDOM double __cufort_sobol_double(unsigned long long x) {
  return (x >> 11) * 0x1p-53 + 0x1p-54;
}
__CUFORT_RANDOM float __cufort_sobol_unit(unsigned int x) {
  return __cufort_unit(x);
}
__CUFORT_RANDOM float __cufort_sobol_unit(unsigned long long x) {
  return __cufort_unit((unsigned int)(x >> 32));
}
__CUFORT_RANDOM double __cufort_sobol_normal(unsigned int x) {
  return normcdfinv(x * 0x1p-32 + 0x1p-33);
}
__CUFORT_RANDOM float __cufort_sobol_single(unsigned int x) {
  return (float)__cufort_sobol_normal(x);
}
__CUFORT_RANDOM float __cufort_sobol_single(unsigned long long x) {
  return (float)__cufort_sobol_normal((unsigned int)(x >> 32));
}
/// The upper half is the lower one's reflection, for all its digits.
__CUFORT_RANDOM double __cufort_sobol_normal(unsigned long long x) {
  const bool upper = x >> 63;
  const double z = normcdfinv(__cufort_sobol_double(upper ? ~x : x));
  return upper ? -z : z;
}

/// Below 1.
__CUFORT_RANDOM double __cufort_sobol_below_one(unsigned int x) {
  return x * 0x1p-32 + 0x1p-33;
}
__CUFORT_RANDOM double __cufort_sobol_below_one(unsigned long long x) {
  return (x >> 11) * 0x1p-53 + 0x1p-55;
}

/// A Poisson number of one word: the first one whose distribution function is
/// not below it, which is added up; from a mean of 1000 on by a normal number.
template <class Word>
__CUFORT_RANDOM unsigned int __cufort_sobol_poisson(Word x, double lambda) {
  if (lambda >= 1000)
    return (unsigned int)(sqrt(lambda) * __cufort_sobol_normal(x) + lambda +
                          0.5);
  const double u = __cufort_sobol_below_one(x);
  unsigned int k = 0;
  double term = 1, sum = 1;
  // exp(-lambda) may be too small for a number: in two factors.
  for (double done = 0; done < lambda; done += 500) {
    const double factor = exp(-(lambda - done < 500 ? lambda - done : 500));
    term *= factor;
    for (sum *= factor; u > sum; sum += term)
      term *= lambda / ++k;
  }
  return k;
}

#define __CUFORT_RANDOM_SOBOL(state_type)                                      \
  __CUFORT_RANDOM float curand_uniform(state_type *state) {                    \
    return __cufort_sobol_unit(curand(state));                                 \
  }                                                                            \
  __CUFORT_RANDOM double curand_uniform_double(state_type *state) {            \
    return __cufort_sobol_double(curand(state));                               \
  }                                                                            \
  __CUFORT_RANDOM float curand_normal(state_type *state) {                     \
    return __cufort_sobol_single(curand(state));                               \
  }                                                                            \
  __CUFORT_RANDOM double curand_normal_double(state_type *state) {             \
    return __cufort_sobol_normal(curand(state));                               \
  }                                                                            \
  __CUFORT_RANDOM float curand_log_normal(state_type *state, float mean,       \
                                          float stddev) {                      \
    return expf(mean + stddev * curand_normal(state));                         \
  }                                                                            \
  __CUFORT_RANDOM double curand_log_normal_double(                             \
      state_type *state, double mean, double stddev) {                         \
    return exp(mean + stddev * curand_normal_double(state));                   \
  }                                                                            \
  __CUFORT_RANDOM unsigned int curand_poisson(state_type *state,               \
                                              double lambda) {                 \
    return __cufort_sobol_poisson(curand(state), lambda);                      \
  }
__CUFORT_RANDOM_SOBOL(curandStateMtgp32_t)
__CUFORT_RANDOM_SOBOL(curandStateSobol32_t)
__CUFORT_RANDOM_SOBOL(curandStateScrambledSobol32_t)
__CUFORT_RANDOM_SOBOL(curandStateSobol64_t)
__CUFORT_RANDOM_SOBOL(curandStateScrambledSobol64_t)
#undef __CUFORT_RANDOM_SOBOL

#endif // __CUFORT_RANDOM_SOBOL_DISTRIBUTIONS_H
