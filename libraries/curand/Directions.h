//===- Directions.h - Sobol's direction vectors -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CURAND_DIRECTIONS_H
#define CUFORT_LIBRARIES_CURAND_DIRECTIONS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cufort::curand {

/// Of 64 bits; those of 32 bits are their upper halves.
using DirectionVectors = std::array<uint64_t, 64>;

constexpr size_t SobolDimensions = 20000;

/// The vectors of dimensions [0, \p count), of Joe and Kuo (2008, D6).
std::vector<DirectionVectors> directions(size_t count);

/// Scrambles those of dimension \p dimension: of the first 256 as cuRAND does.
void scramble(size_t dimension, DirectionVectors &vectors);
/// What a scrambled sequence begins with.
uint64_t scrambleConstant(size_t dimension);

} // namespace cufort::curand

#endif // CUFORT_LIBRARIES_CURAND_DIRECTIONS_H
