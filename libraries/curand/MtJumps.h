//===- MtJumps.h - Mersenne twisters far ahead ------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CURAND_MTJUMPS_H
#define CUFORT_LIBRARIES_CURAND_MTJUMPS_H

#include <cstddef>
#include <cstdint>

namespace cufort::curand {

constexpr size_t MtWords = 624, MtDegree = 19937;

constexpr size_t MtPolynomialWords = (MtDegree + 63) / 64;
/// In GF(2), of a degree below MtDegree; the lowest power's coefficient first.
using MtPolynomial = uint64_t[MtPolynomialWords];

/// As many lanes jump at a time, from one state.
constexpr size_t MtLanes = 8;
/// A jump is 2^2048 steps; how many of them is a number of digits up to 8.
constexpr size_t MtRadix = MtLanes + 1, MtLevels = 5;
/// x to the power of 2^2048 * 9^level * (1 + lane) modulo the characteristic
/// polynomial of a step of the twister.
extern const MtPolynomial MtJumps[MtLevels][MtLanes];

/// Eight lanes' words.
struct alignas(64) MtLaneWords {
  uint64_t lane[MtLanes];
};

/// The polynomials have 320 words here, which Karatsuba's method cuts into 5,
/// six times.
constexpr size_t MtPadded = 320, MtLeaf = 5, MtLeaves = 729;
using MtPrepared = MtLaneWords[MtLeaves * MtLeaf];

/// What jumping needs besides.
struct MtScratch {
  MtLaneWords product[MtPadded];
  MtLaneWords planes[32][10];
  uint64_t leaves[MtLeaves * 2 * MtLeaf];
  uint64_t bits[2 * MtPadded + 2 * MtWords / 32];
  alignas(64) uint32_t words[5 * MtWords];
};

struct MtJumper {
  /// The lanes' polynomials.
  void (*prepare)(const MtPolynomial (&jumps)[MtLanes], MtPrepared &prepared);
  /// The states of a twister that those jumps lead to from \p from; \p to is
  /// null where a lane's is not wanted.
  void (*jump)(const MtPrepared &prepared, const uint32_t *from,
               uint32_t *const *to, MtScratch &scratch);
};

/// For this machine.
const MtJumper &mtJumper();

} // namespace cufort::curand

#endif // CUFORT_LIBRARIES_CURAND_MTJUMPS_H
