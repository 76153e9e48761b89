//===- curand_discrete.h - discrete distributions ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of curandCreatePoissonDistribution(), as it is in device memory.
//
//===----------------------------------------------------------------------===//

#ifndef CURANDDISCRETE_H_
#define CURANDDISCRETE_H_

#include "curand.h"

typedef double curandDistribution_st;
typedef curandDistribution_st *curandDistribution_t;
typedef curandDistribution_st curandHistogramM2V_st;
typedef curandHistogramM2V_st *curandHistogramM2V_t;
typedef unsigned int curandHistogramM2K_st;
typedef curandHistogramM2K_st *curandHistogramM2K_t;

/// Buckets of equal size: the uniform number u belongs to bucket j = length *
/// u, and the result is j if u is below V[j], and K[j] if not. A 'host_' is
/// where the host has the same.
struct curandHistogramM2_st {
  curandHistogramM2V_t V, host_V;
  curandHistogramM2K_t K, host_K;
  unsigned int host_gen;
};
typedef struct curandHistogramM2_st *curandHistogramM2_t;

/// Results are counted from \c shift on.
struct curandDistributionM2Shift_st {
  curandHistogramM2_t histogram, host_histogram;
  unsigned int shift, length, host_gen;
};
typedef struct curandDistributionM2Shift_st *curandDistributionM2Shift_t;

struct curandDiscreteDistribution_st {
  curandDiscreteDistribution_t self_host_ptr;
  curandDistributionM2Shift_t M2, host_M2;
  double stddev, mean;   // where the method is none of the above
  curandMethod_t method; // CURAND_M2, or normal numbers, rounded
  unsigned int host_gen;
};

#endif // CURANDDISCRETE_H_
