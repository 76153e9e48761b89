//===- MtPolynomials.h - how far a Mersenne twister jumps -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CURAND_MTPOLYNOMIALS_H
#define CUFORT_LIBRARIES_CURAND_MTPOLYNOMIALS_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace cufort::curand {

constexpr size_t MtWords = 624, MtDegree = 19937;

/// In GF(2), of a degree below MtDegree.
using MtPolynomial = std::array<uint64_t, (MtDegree + 63) / 64>;

/// x to the power of 2^(2048 + \p power), \p power below 13, modulo the
/// characteristic polynomial of a step of the twister. Computed when it is
/// first needed, in some hundredths of a second.
const MtPolynomial &mtJump(size_t power);

} // namespace cufort::curand

#endif // CUFORT_LIBRARIES_CURAND_MTPOLYNOMIALS_H
