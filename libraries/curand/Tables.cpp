//===- Tables.cpp - what kernels' generators are given --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Direction vectors and scramble constants, which are the host's and made when
// they are first asked for, and distributions, which are the device's.
//
//===----------------------------------------------------------------------===//

#include "curand_discrete.h"
#include "curand_functions.h"
#include "libraries/curand/Catching.h"
#include "libraries/curand/Directions.h"
#include "libraries/curand/Discrete.h"
#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <type_traits>
#include <unordered_set>

namespace cufort::curand {

namespace {

/// All dimensions' vectors, whose upper bits are the words \p Vectors has.
template <typename Vectors, bool Scrambled> Vectors *allDirections() {
  static Vectors *const all = [] {
    auto *words = new Vectors[SobolDimensions];
    auto wide = directions(SobolDimensions);
    for (size_t d = 0; d != SobolDimensions; ++d) {
      if constexpr (Scrambled)
        scramble(d, wide[d]);
      constexpr size_t Bits = std::extent_v<Vectors>;
      for (size_t k = 0; k != Bits; ++k)
        words[d][k] = wide[d][k] >> (64 - Bits);
    }
    return words;
  }();
  return all;
}

template <typename Word> Word *allConstants() {
  static Word *const all = [] {
    auto *words = new Word[SobolDimensions];
    for (size_t d = 0; d != SobolDimensions; ++d)
      words[d] =
          static_cast<Word>(scrambleConstant(d) >> (64 - 8 * sizeof(Word)));
    return words;
  }();
  return all;
}

/// The vectors of one of two sets.
template <typename Vectors>
curandStatus get(Vectors **vectors, bool plain, bool scrambled) {
  if (!vectors || !(plain || scrambled))
    return CURAND_STATUS_OUT_OF_RANGE;
  return catching([&] {
    *vectors = plain ? allDirections<Vectors, false>()
                     : allDirections<Vectors, true>();
    return CURAND_STATUS_SUCCESS;
  });
}
template <typename Word> curandStatus getConstants(Word **constants) {
  if (!constants)
    return CURAND_STATUS_OUT_OF_RANGE;
  return catching([&] {
    *constants = allConstants<Word>();
    return CURAND_STATUS_SUCCESS;
  });
}

} // namespace

curandStatus curandGetDirectionVectors32(curandDirectionVectors32_t **vectors,
                                         curandDirectionVectorSet set) {
  return get(vectors, set == CURAND_DIRECTION_VECTORS_32_JOEKUO6,
             set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
}
curandStatus curandGetDirectionVectors64(curandDirectionVectors64_t **vectors,
                                         curandDirectionVectorSet set) {
  return get(vectors, set == CURAND_DIRECTION_VECTORS_64_JOEKUO6,
             set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
}
curandStatus curandGetScrambleConstants32(unsigned int **constants) {
  return getConstants(constants);
}
curandStatus curandGetScrambleConstants64(unsigned long long **constants) {
  return getConstants(constants);
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

namespace {

std::mutex Mutex; ///< guards distributions()
std::unordered_set<curandDiscreteDistribution_t> &distributions() {
  static auto *all = new std::unordered_set<curandDiscreteDistribution_t>;
  return *all;
}

/// All of one, in one piece of the device's memory; V and K follow.
struct Whole {
  curandDiscreteDistribution_st distribution;
  curandDistributionM2Shift_st shifted;
  curandHistogramM2_st histogram;
};

} // namespace

curandStatus
curandCreatePoissonDistribution(double lambda,
                                curandDiscreteDistribution_t *distribution) {
  if (!distribution)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!(lambda > 0 && lambda <= LargestMean))
    return CURAND_STATUS_OUT_OF_RANGE;
  return catching([&] {
    const bool normal = lambda >= NormalMean;
    // The largest uniform number, 1, has a bucket behind the last one.
    const PoissonTable table(normal ? 1 : lambda, false);
    const DiscreteTable of = table.view();
    const size_t buckets = of.length + size_t(1);
    const size_t bytes =
        sizeof(Whole) + buckets * (sizeof(double) + sizeof(unsigned));
    void *memory;
    if (const auto error = ::cudaMalloc(&memory, bytes))
      return error == ::cudaErrorMemoryAllocation
                 ? CURAND_STATUS_ALLOCATION_FAILED
                 : CURAND_STATUS_INITIALIZATION_FAILED;
    // Written where the host may, with the device's addresses.
    const auto copy = std::make_unique<char[]>(bytes);
    auto *whole = reinterpret_cast<Whole *>(copy.get());
    auto *V = reinterpret_cast<double *>(whole + 1);
    auto *K = reinterpret_cast<unsigned *>(V + buckets);
    for (size_t j = 0; j != buckets; ++j) {
      const size_t from = std::min<size_t>(j, of.length - size_t(1));
      V[j] = (static_cast<double>(from) + of.below[from]) / of.length;
      // A full bucket has no other number.
      K[j] = of.below[from] < 1 ? of.other[from] : static_cast<unsigned>(from);
    }
    auto *there = static_cast<Whole *>(memory);
    V = reinterpret_cast<double *>(there + 1);
    K = reinterpret_cast<unsigned *>(V + buckets);
    whole->histogram = {V, V, K, K, 0};
    whole->shifted = {&there->histogram, &there->histogram, of.first, of.length,
                      0};
    whole->distribution = {&there->distribution,
                           &there->shifted,
                           &there->shifted,
                           std::sqrt(lambda),
                           lambda,
                           normal ? CURAND_DISCRETE_GAUSS : CURAND_M2,
                           0};
    if (::cudaMemcpy(memory, copy.get(), bytes, ::cudaMemcpyHostToDevice)) {
      ::cudaFree(memory);
      return CURAND_STATUS_INITIALIZATION_FAILED;
    }
    *distribution = &there->distribution;
    std::lock_guard lock(Mutex);
    distributions().insert(*distribution);
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus
curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  {
    std::lock_guard lock(Mutex);
    if (!distributions().erase(distribution))
      return CURAND_STATUS_NOT_INITIALIZED;
  }
  return ::cudaFree(distribution) == ::cudaSuccess
             ? CURAND_STATUS_SUCCESS
             : CURAND_STATUS_INITIALIZATION_FAILED;
}

} // namespace cufort::curand
