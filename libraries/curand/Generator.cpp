//===- Generator.cpp - a curandGenerator_t's generator --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/curand/Generator.h"
#include "libraries/common/Perform.h"
#include "libraries/curand/Directions.h"
#include <cmath>

namespace cufort::curand {

namespace {

/// The calling thread alone.
class OneThread final : public Team {
public:
  unsigned threads() const override { return 1; }
  void forEach(uint64_t count, void (*body)(void *, uint64_t),
               void *context) override {
    for (uint64_t i = 0; i != count; ++i)
      body(context, i);
  }
};

/// Below so many numbers one thread is as fast as several.
constexpr size_t SmallCount = 1 << 14;
/// The mean from which on numbers that are made by the inverse of the
/// distribution are made of normal ones instead.
constexpr double InverseMean = 8000;

} // namespace

std::shared_ptr<Generator> Generator::make(curandRngType type, bool onHost) {
  if (type == CURAND_RNG_PSEUDO_DEFAULT)
    type = CURAND_RNG_PSEUDO_XORWOW;
  if (type == CURAND_RNG_QUASI_DEFAULT)
    type = CURAND_RNG_QUASI_SOBOL32;
  std::unique_ptr<Sequence> sequence;
  switch (static_cast<int>(type)) {
  case CURAND_RNG_PSEUDO_XORWOW:
    sequence = makeXorwow();
    break;
  case CURAND_RNG_PSEUDO_MRG32K3A:
    sequence = makeMrg();
    break;
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    sequence = makePhilox();
    break;
  case CURAND_RNG_PSEUDO_MT19937:
    sequence = makeMt19937();
    break;
  case CURAND_RNG_PSEUDO_MTGP32:
    sequence = makeMtgp32();
    break;
  case CURAND_RNG_QUASI_SOBOL32:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
  case CURAND_RNG_QUASI_SOBOL64:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    sequence = makeSobol(type);
    break;
  default:
    break;
  }
  if (!sequence)
    return nullptr;
  std::shared_ptr<Generator> result(new Generator(type, onHost));
  result->sequence = std::move(sequence);
  return result;
}

curandStatus Generator::setSeed(uint64_t seed) {
  if (isQuasirandom())
    return CURAND_STATUS_TYPE_ERROR;
  if (seed != beginning.seed)
    begins = true;
  beginning.seed = seed;
  return CURAND_STATUS_SUCCESS;
}

curandStatus Generator::setOffset(uint64_t to) {
  if (type == CURAND_RNG_PSEUDO_MTGP32 || type == CURAND_RNG_PSEUDO_MT19937)
    return CURAND_STATUS_TYPE_ERROR;
  offset = to;
  begins = moves = true;
  return CURAND_STATUS_SUCCESS;
}

curandStatus Generator::setOrdering(curandOrdering ordering) {
  bool has;
  switch (static_cast<int>(ordering)) {
  case CURAND_ORDERING_PSEUDO_DEFAULT:
  case CURAND_ORDERING_PSEUDO_LEGACY:
    has = !isQuasirandom();
    break;
  case CURAND_ORDERING_PSEUDO_BEST:
    has = !isQuasirandom() && !(onHost && type == CURAND_RNG_PSEUDO_MT19937);
    break;
  case CURAND_ORDERING_PSEUDO_SEEDED:
    has = type == CURAND_RNG_PSEUDO_XORWOW;
    break;
  case CURAND_ORDERING_PSEUDO_DYNAMIC:
    // Of each GPU another one; here the default one.
    has = !onHost && (type == CURAND_RNG_PSEUDO_XORWOW ||
                      type == CURAND_RNG_PSEUDO_MRG32K3A ||
                      type == CURAND_RNG_PSEUDO_PHILOX4_32_10);
    break;
  case CURAND_ORDERING_QUASI_DEFAULT:
    has = isQuasirandom();
    break;
  default:
    has = false;
  }
  if (!has)
    return CURAND_STATUS_OUT_OF_RANGE;
  if (ordering != beginning.ordering)
    begins = true;
  beginning.ordering = ordering;
  return CURAND_STATUS_SUCCESS;
}

curandStatus Generator::setDimensions(unsigned count) {
  if (!isQuasirandom())
    return CURAND_STATUS_TYPE_ERROR;
  if (count < 1 || count > SobolDimensions)
    return CURAND_STATUS_OUT_OF_RANGE;
  if (count != beginning.dimensions)
    begins = true;
  beginning.dimensions = count;
  return CURAND_STATUS_SUCCESS;
}

curandStatus Generator::check(Distribution distribution, size_t count) const {
  switch (distribution) {
  case Distribution::Words:
    if (hasLongWords())
      return CURAND_STATUS_TYPE_ERROR;
    break;
  case Distribution::LongWords:
    if (!hasLongWords())
      return CURAND_STATUS_TYPE_ERROR;
    break;
  case Distribution::Normal:
  case Distribution::NormalDouble:
  case Distribution::LogNormal:
  case Distribution::LogNormalDouble:
    if (count % 2 && (type == CURAND_RNG_PSEUDO_XORWOW ||
                      type == CURAND_RNG_PSEUDO_MRG32K3A))
      return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    break;
  default:
    break;
  }
  if (isQuasirandom() && count % beginning.dimensions)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return CURAND_STATUS_SUCCESS;
}

/// Calls \p work(Team &, Sequence &) after what is due before it.
template <typename Work>
curandStatus Generator::perform(bool small, Work work) {
  const auto routine = [sequence = sequence, begins = begins, moves = moves,
                        beginning = beginning, offset = offset,
                        work](Team &team) {
    if (begins)
      sequence->begin(team, beginning, moves ? offset : sequence->position);
    work(team, *sequence);
  };
  if (onHost) {
    OneThread alone;
    routine(alone);
  } else {
    const Error error = libraries::perform(
        stream, {.small = small && !begins, .wait = false}, routine);
    if (error == cudaErrorMemoryAllocation)
      return CURAND_STATUS_ALLOCATION_FAILED;
    if (error != cudaSuccess)
      return CURAND_STATUS_LAUNCH_FAILURE;
  }
  begins = moves = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus Generator::begin() {
  return begins ? perform(false, [](Team &, Sequence &) {})
                : CURAND_STATUS_SUCCESS;
}

curandStatus Generator::generate(Wanted wanted, void *out, size_t count) {
  if (curandStatus wrong = check(wanted.distribution, count);
      wrong != CURAND_STATUS_SUCCESS)
    return wrong;
  if (!count)
    return CURAND_STATUS_SUCCESS;
  return perform(count < SmallCount,
                 [wanted, out, count, table = table](Team &team, Sequence &of) {
                   of.generate(team, wanted, out, count);
                 });
}

Distribution Generator::poissonBy(double lambda) const {
  if (isQuasirandom() || type == CURAND_RNG_PSEUDO_MTGP32) {
    const bool normal =
        hasLongWords() ? lambda >= NormalMean : lambda > InverseMean;
    if (normal)
      return Distribution::PoissonNormal;
    const double buckets = type == CURAND_RNG_PSEUDO_MTGP32 ? 32 : 10;
    return !hasLongWords() && lambda < buckets ? Distribution::Poisson
                                               : Distribution::PoissonInverse;
  }
  return lambda < NormalMean ? Distribution::Poisson
                             : Distribution::PoissonNormal;
}

curandStatus Generator::poisson(double lambda, uint32_t *out, size_t count) {
  if (!(lambda > 0 && lambda <= LargestMean))
    return CURAND_STATUS_OUT_OF_RANGE;
  Wanted wanted = {poissonBy(lambda), lambda, std::sqrt(lambda), {}};
  if (wanted.distribution != Distribution::PoissonNormal) {
    const bool inverse = wanted.distribution == Distribution::PoissonInverse;
    if (!table || table->lambda != lambda || table->inverse != inverse)
      table = std::make_shared<const PoissonTable>(lambda, inverse);
    wanted.table = table->view();
  }
  return generate(wanted, out, count);
}

} // namespace cufort::curand
