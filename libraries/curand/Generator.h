//===- Generator.h - a curandGenerator_t's generator ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Settings take effect with the next numbers, which are made in the order of
// the generator's stream; those of a host generator at once.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CURAND_GENERATOR_H
#define CUFORT_LIBRARIES_CURAND_GENERATOR_H

#include "libraries/curand/Discrete.h"
#include "libraries/curand/Sequence.h"

namespace cufort::curand {

class Generator {
public:
  /// Null: there is no such type.
  static std::shared_ptr<Generator> make(curandRngType type, bool onHost);

  curandStatus setSeed(uint64_t seed);
  curandStatus setOffset(uint64_t offset);
  curandStatus setOrdering(curandOrdering ordering);
  curandStatus setDimensions(unsigned count);
  void setStream(cudaStream_t which) { stream = which; }

  /// Begins where that is due.
  curandStatus begin();
  curandStatus generate(Wanted wanted, void *out, size_t count);
  /// Numbers of the mean \p lambda.
  curandStatus poisson(double lambda, uint32_t *out, size_t count);

private:
  Generator(curandRngType type, bool onHost) : type(type), onHost(onHost) {}

  bool isQuasirandom() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
  bool hasLongWords() const {
    return type == CURAND_RNG_QUASI_SOBOL64 ||
           type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  }
  /// How Poisson numbers of a mean are made.
  Distribution poissonBy(double lambda) const;
  /// CURAND_STATUS_SUCCESS, or why \p count numbers cannot be made.
  curandStatus check(Distribution distribution, size_t count) const;
  template <typename Work> curandStatus perform(bool small, Work work);

  const curandRngType type;
  const bool onHost;
  cudaStream_t stream = nullptr;
  Beginning beginning = {CURAND_ORDERING_PSEUDO_DEFAULT, 0, 1};
  uint64_t offset = 0;
  /// What has changed since the numbers that were asked for last.
  bool begins = true, moves = true;
  std::shared_ptr<Sequence> sequence;
  std::shared_ptr<const PoissonTable> table; ///< of the last mean
};

} // namespace cufort::curand

#endif // CUFORT_LIBRARIES_CURAND_GENERATOR_H
