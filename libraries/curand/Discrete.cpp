//===- Discrete.cpp - tables of Poisson distributions ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/curand/Discrete.h"
#include <cmath>

namespace cufort::curand {

PoissonTable::PoissonTable(double lambda, bool inverse)
    : lambda(lambda), inverse(inverse) {
  if (inverse)
    addUp();
  else
    fillBuckets();
}

/// Ten deviations about the mean; what lies beyond no number of 64 bits finds.
void PoissonTable::addUp() {
  const double reach = 10 * std::sqrt(lambda) + 30;
  const double begin = std::floor(std::fmax(lambda - reach, 0));
  first = static_cast<uint32_t>(begin);
  double sum = 0;
  for (double k = begin; k < lambda + reach; ++k) {
    sum += std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1));
    below.push_back(sum);
  }
}

void PoissonTable::fillBuckets() {
  const double logarithm = std::log(lambda);
  const auto probability = [&](long k) {
    return std::exp(k * logarithm - lambda - std::lgamma(k + 1.0));
  };
  // All numbers whose probability is above 0 in double precision.
  const long middle = static_cast<long>(lambda);
  long begin = middle, end = middle;
  while (begin > 0 && probability(begin - 1) > 0)
    --begin;
  while (probability(end) > 0)
    ++end;
  first = static_cast<uint32_t>(begin);
  const size_t length = end - begin;
  below.resize(length);
  other.resize(length);
  for (size_t j = 0; j != length; ++j)
    below[j] =
        probability(begin + static_cast<long>(j)) * static_cast<double>(length);
  // What a bucket lacks is taken from the highest one that has more than its
  // size. Who falls below it waits for its turn.
  std::vector<bool> full(length, false);
  long giver = static_cast<long>(length) - 1;
  const auto lower = [&] {
    while (giver >= 0 && (full[giver] || below[giver] < 1))
      --giver;
  };
  lower();
  for (bool any = true; any && giver >= 0;) {
    any = false;
    for (size_t j = 0; j != length && giver >= 0; ++j) {
      if (full[j] || below[j] >= 1)
        continue;
      any = full[j] = true;
      other[j] = static_cast<uint32_t>(giver);
      below[giver] -= 1 - below[j];
      lower();
    }
  }
  // Rounding has left some a little too small or large.
  for (size_t j = 0; j != length; ++j)
    if (!full[j])
      below[j] = 1;
}

} // namespace cufort::curand
