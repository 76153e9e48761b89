//===- discrete.h - discrete distributions in kernels -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of curand_kernel.h: numbers of a distribution that the host has made
// (curandCreatePoissonDistribution), one of each generator's number.
//
//===----------------------------------------------------------------------===//

#ifndef __CUFORT_RANDOM_DISCRETE_H
#define __CUFORT_RANDOM_DISCRETE_H

#include "cufort/random/sobol_distributions.h"
#include "curand_discrete.h"

template <class Word>
__CUFORT_RANDOM unsigned int
__cufort_discrete_of(Word x, curandDistributionM2Shift_t of) {
  const double u = __cufort_sobol_double(x);
  const int j = (int)(of->length * u);
  const unsigned int result =
      u < of->histogram->V[j] ? (unsigned int)j : of->histogram->K[j];
  return of->shift + result;
}
__CUFORT_RANDOM unsigned int
__cufort_discrete_rounded(double z, curandDiscreteDistribution_t of) {
  return (unsigned int)(of->stddev * z + of->mean + 0.5);
}

template <class State>
__CUFORT_RANDOM unsigned int
curand_discrete(State *state,
                curandDiscreteDistribution_t discrete_distribution) {
  if (discrete_distribution->method == CURAND_M2)
    return __cufort_discrete_of(curand(state), discrete_distribution->M2);
  return __cufort_discrete_rounded(curand_normal_double(state),
                                   discrete_distribution);
}
__CUFORT_RANDOM uint4
curand_discrete4(curandStatePhilox4_32_10_t *state,
                 curandDiscreteDistribution_t discrete_distribution) {
  if (discrete_distribution->method == CURAND_M2) {
    const curandDistributionM2Shift_t of = discrete_distribution->M2;
    const uint4 x = curand4(state);
    return make_uint4(
        __cufort_discrete_of(x.x, of), __cufort_discrete_of(x.y, of),
        __cufort_discrete_of(x.z, of), __cufort_discrete_of(x.w, of));
  }
  const double2 a = curand_normal2_double(state);
  const double2 b = curand_normal2_double(state);
  return make_uint4(__cufort_discrete_rounded(a.x, discrete_distribution),
                    __cufort_discrete_rounded(a.y, discrete_distribution),
                    __cufort_discrete_rounded(b.x, discrete_distribution),
                    __cufort_discrete_rounded(b.y, discrete_distribution));
}

#endif // __CUFORT_RANDOM_DISCRETE_H
