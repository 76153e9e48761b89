//===- Sobol.cpp - quasirandom sequences ----------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dimension after dimension, as many points of each.
//
//===----------------------------------------------------------------------===//

#include "libraries/curand/Directions.h"
#include "libraries/curand/Sequence.h"

namespace cufort::curand {

namespace {

/// Words that are made at a time, to be converted while they are in a cache.
constexpr size_t Piece = 4096;

template <typename Word> class SobolSequence final : public Sequence {
public:
  explicit SobolSequence(bool scrambled) : scrambled(scrambled) {}

  void begin(Team &, const Beginning &beginning, uint64_t start) override {
    position = start;
    dimensions = beginning.dimensions;
    vectors = directions(dimensions);
    for (size_t d = 0; scrambled && d != dimensions; ++d)
      scramble(d, vectors[d]);
  }

  void generate(Team &team, const Wanted &wanted, void *out,
                size_t count) override {
    const size_t points = count / dimensions;
    const size_t pieces = (points + Piece - 1) / Piece;
    const size_t bytes = sizeOf(wanted.distribution);
    team.forEach(pieces * dimensions, [&](uint64_t i) {
      const size_t dimension = i / pieces, first = i % pieces * Piece;
      const size_t here = points - first < Piece ? points - first : Piece;
      char *to =
          static_cast<char *>(out) + (dimension * points + first) * bytes;
      if (wanted.distribution == Distribution::Words ||
          wanted.distribution == Distribution::LongWords)
        return make(dimension, position + first, here,
                    reinterpret_cast<Word *>(to));
      Word words[Piece];
      make(dimension, position + first, here, words);
      convert(words, here, wanted, to);
    });
    position += points;
  }

private:
  void make(size_t dimension, uint64_t first, size_t count,
            uint32_t *to) const {
    uint32_t upper[32];
    for (size_t k = 0; k != 32; ++k)
      upper[k] = static_cast<uint32_t>(vectors[dimension][k] >> 32);
    kernels().sobol(upper, static_cast<uint32_t>(constant(dimension) >> 32),
                    first, count, to);
  }
  void make(size_t dimension, uint64_t first, size_t count,
            uint64_t *to) const {
    kernels().sobolLong(vectors[dimension].data(), constant(dimension), first,
                        count, to);
  }
  uint64_t constant(size_t dimension) const {
    return scrambled ? scrambleConstant(dimension) : 0;
  }
  static void convert(const uint32_t *words, size_t count, const Wanted &wanted,
                      void *to) {
    kernels().convert(words, count, wanted, HalfStep::Whole, to);
  }
  static void convert(const uint64_t *words, size_t count, const Wanted &wanted,
                      void *to) {
    kernels().convertLong(words, count, wanted, to);
  }

  const bool scrambled;
  unsigned dimensions = 1;
  std::vector<DirectionVectors> vectors;
};

} // namespace

std::unique_ptr<Sequence> makeSobol(curandRngType type) {
  switch (type) {
  case CURAND_RNG_QUASI_SOBOL64:
    return std::make_unique<SobolSequence<uint64_t>>(false);
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    return std::make_unique<SobolSequence<uint64_t>>(true);
  default:
    return std::make_unique<SobolSequence<uint32_t>>(
        type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
  }
}

} // namespace cufort::curand
