//===- Kernels.h - the loops that make numbers ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels.cpp is compiled for several processors; the best one's loops are
// chosen when the first generator is made. Therefore this header has no inline
// functions.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CURAND_KERNELS_H
#define CUFORT_LIBRARIES_CURAND_KERNELS_H

#include <cstddef>
#include <cstdint>

namespace cufort::curand {

enum class Distribution : unsigned char {
  Words,
  LongWords, ///< of Sobol's sequences of 64 bits only
  Uniform,
  UniformDouble,
  Normal,
  NormalDouble,
  LogNormal,
  LogNormalDouble,
  Poisson,        ///< by buckets
  PoissonNormal,  ///< of a large mean, by normal numbers
  PoissonInverse, ///< by the inverse of the distribution function
};

/// Numbers j of which \c numbers are of a discrete distribution: of a uniform
/// number u the bucket j = u * length; the result is j if the rest is below
/// its \c below, and its \c other if not; plus \c first. For PoissonInverse
/// \c below is the distribution function, and the result the first j where it
/// is not below u.
struct DiscreteTable {
  const double *below;
  const uint32_t *other;
  uint32_t first, length;
};

/// What is made of random words.
struct Wanted {
  Distribution distribution;
  double mean, deviation;
  DiscreteTable table;
};

/// States of generators beside each other, six words each: XORWOW's d and v,
/// MRG32k3a's s1 and s2. \c kept: the second of a pair of normal numbers, or
/// not a number.
struct Lanes {
  uint32_t *words[6];
  float *kept;
};

/// Some of the generators take steps: each of [\c first, \c first + \c count)
/// as many as there are \c rows. The numbers of the first one's first step go
/// to
/// \c out, the next one's behind them, the next step's \c stride lanes later.
struct Steps {
  size_t first, count, rows, stride;
  void *out;
};

/// One of the Mersenne twisters for graphics processors: which word is added,
/// shifts, and tables of the recursion and the tempering.
struct MtgpSet {
  uint32_t place, left, right;
  uint32_t recursion[16], tempering[16];
};
constexpr size_t MtgpWords = 351;

/// Rows of a Mersenne twister's numbers that lie together in its state.
constexpr size_t MtGroupRows = 7;

/// What a uniform number of double precision is of one word.
enum class HalfStep : unsigned char { Whole, Half };

struct Kernels {
  void (*xorwow)(const Lanes &, const Steps &, const Wanted &);
  void (*mrg)(const Lanes &, const Steps &, const Wanted &);
  /// \p counters: of each lane from the first one on, the counter's lower half.
  void (*philox)(uint64_t *counters, uint64_t seed, const Steps &,
                 const Wanted &);
  /// Numbers of words, one each.
  void (*convert)(const uint32_t *words, size_t count, const Wanted &,
                  HalfStep ofDoubles, void *out);
  void (*convertLong)(const uint64_t *words, size_t count, const Wanted &,
                      void *out);
  /// The next 624 words of a Mersenne twister's state.
  void (*twist)(uint32_t *state);
  /// Numbers of its words, eight a row: \p count rows from \p first on, which
  /// are \p stride numbers apart. The first row has the words where the eight
  /// lanes begin; the others are of groups of seven (MtGroupRows), in each of
  /// which a lane goes on by seven words, one a row.
  void (*temper)(const uint32_t *state, size_t first, size_t count,
                 size_t stride, uint32_t *out);
  /// 256 numbers of one for graphics processors.
  void (*mtgp)(uint32_t *state, const MtgpSet &, uint32_t *out);
  /// Sobol's numbers \p first to \p first + \p count of one dimension.
  void (*sobol)(const uint32_t *vectors, uint32_t scramble, uint64_t first,
                size_t count, uint32_t *out);
  void (*sobolLong)(const uint64_t *vectors, uint64_t scramble, uint64_t first,
                    size_t count, uint64_t *out);
};

/// The loops for this machine.
const Kernels &kernels();

/// Bytes of a number.
size_t sizeOf(Distribution distribution);

} // namespace cufort::curand

#endif // CUFORT_LIBRARIES_CURAND_KERNELS_H
