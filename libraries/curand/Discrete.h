//===- Discrete.h - tables of Poisson distributions -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CURAND_DISCRETE_H
#define CUFORT_LIBRARIES_CURAND_DISCRETE_H

#include "libraries/curand/Kernels.h"
#include <vector>

namespace cufort::curand {

/// The largest mean of Poisson numbers, and the one from which on they are made
/// of normal numbers.
constexpr double LargestMean = 400000, NormalMean = 2000;

/// A Poisson distribution as buckets of equal size, each of two numbers
/// (Marsaglia, Tsang and Wang's squared histogram, 2004), in the order in which
/// cuRAND fills them up; or its distribution function.
class PoissonTable {
public:
  PoissonTable(double lambda, bool inverse);

  DiscreteTable view() const {
    return {below.data(), other.data(), first,
            static_cast<uint32_t>(below.size())};
  }

  const double lambda;
  const bool inverse;

private:
  void fillBuckets();
  void addUp();

  uint32_t first;
  std::vector<double> below;
  std::vector<uint32_t> other;
};

} // namespace cufort::curand

#endif // CUFORT_LIBRARIES_CURAND_DISCRETE_H
