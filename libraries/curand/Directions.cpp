//===- Directions.cpp - Sobol's direction vectors -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dimension d has the d-th primitive polynomial, in the order of degrees and
// coefficients, and initial numbers, which Joe and Kuo found by a search
// (Constructing Sobol sequences with better two-dimensional projections, SIAM
// J. Sci. Comput. 30, 2008; new-joe-kuo-6). The numbers are in sobol.bin:
// number i of a dimension, odd and below 2^(i+1), as i bits without its last
// one.
//
// Scrambling multiplies by a triangular matrix of each dimension, whose columns
// are in scrambles.bin, column j as its 63 - j bits below the diagonal, behind
// the constant. Those of the dimensions beyond are not known and others here:
// the bits of Steele, Lea and Flood's SplitMix64 (2014).
//
//===----------------------------------------------------------------------===//

#include "libraries/curand/Directions.h"

namespace cufort::curand {

namespace {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
constexpr unsigned char Initial[] = {
#embed "sobol.bin"
};
constexpr unsigned char Scrambles[] = {
#embed "scrambles.bin"
};
#pragma clang diagnostic pop

/// The next \p count bits, the lowest one first.
uint64_t take(const unsigned char *bytes, size_t &at, size_t count) {
  uint64_t result = 0;
  for (size_t k = 0; k != count; ++k, ++at)
    result |= uint64_t(bytes[at / 8] >> at % 8 & 1) << k;
  return result;
}

/// a * b modulo \p p, of degree \p degree.
uint32_t product(uint32_t a, uint32_t b, uint32_t p, unsigned degree) {
  uint32_t result = 0;
  for (; b; b >>= 1) {
    result ^= b & 1 ? a : 0;
    a <<= 1;
    a ^= a >> degree & 1 ? p : 0;
  }
  return result;
}

/// x to the power of \p n modulo \p p.
uint32_t power(uint32_t n, uint32_t p, unsigned degree) {
  uint32_t result = 1, square = 2;
  for (; n; n >>= 1) {
    if (n & 1)
      result = product(result, square, p, degree);
    square = product(square, square, p, degree);
  }
  return result;
}

/// The prime factors of \p n, which is odd.
std::vector<uint32_t> primeFactors(uint32_t n) {
  std::vector<uint32_t> all;
  for (uint32_t factor = 3; n != 1; factor += 2) {
    if (factor * factor > n)
      factor = n;
    if (n % factor)
      continue;
    all.push_back(factor);
    while (n % factor == 0)
      n /= factor;
  }
  return all;
}

/// Whether the powers of x are all polynomials but 0 modulo \p p; \p factors:
/// those of how many they are.
bool isPrimitive(uint32_t p, unsigned degree,
                 const std::vector<uint32_t> &factors) {
  const uint32_t order = (1u << degree) - 1;
  if (order == 1)
    return true;
  if (__builtin_popcount(p) % 2 == 0 || power(order, p, degree) != 1)
    return false;
  for (const uint32_t factor : factors)
    if (power(order / factor, p, degree) == 1)
      return false;
  return true;
}

} // namespace

std::vector<DirectionVectors> directions(size_t count) {
  std::vector<DirectionVectors> all(count);
  for (size_t k = 0; count && k != 64; ++k)
    all[0][k] = uint64_t(1) << (63 - k);
  size_t at = 0, dimension = 1;
  for (unsigned degree = 1; dimension < count; ++degree) {
    const std::vector<uint32_t> factors = primeFactors((1u << degree) - 1);
    for (uint32_t p = 1u << degree | 1; p >> degree == 1 && dimension < count;
         p += 2) {
      if (!isPrimitive(p, degree, factors))
        continue;
      DirectionVectors &v = all[dimension++];
      v[0] = uint64_t(1) << 63;
      for (unsigned i = 1; i < degree; ++i)
        v[i] = (take(Initial, at, i) << 1 | 1) << (63 - i);
      for (unsigned i = degree; i < 64; ++i) {
        v[i] = v[i - degree] ^ v[i - degree] >> degree;
        for (unsigned k = 1; k < degree; ++k)
          v[i] ^= p >> (degree - k) & 1 ? v[i - k] : 0;
      }
    }
  }
  return all;
}

namespace {

constexpr size_t ScrambleBits = 64 + 63 * 64 / 2;
constexpr size_t KnownScrambles = sizeof(Scrambles) * 8 / ScrambleBits;

/// Word \p i of SplitMix64 that begins with \p seed.
uint64_t mixed(uint64_t seed, uint64_t i) {
  uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

} // namespace

uint64_t scrambleConstant(size_t dimension) {
  if (dimension >= KnownScrambles)
    return mixed(dimension, 64);
  size_t at = dimension * ScrambleBits;
  return take(Scrambles, at, 64);
}

void scramble(size_t dimension, DirectionVectors &vectors) {
  size_t at = dimension * ScrambleBits + 64;
  DirectionVectors columns;
  for (size_t j = 0; j != 64; ++j) {
    const uint64_t diagonal = uint64_t(1) << (63 - j);
    columns[j] = diagonal | (dimension < KnownScrambles
                                 ? take(Scrambles, at, 63 - j)
                                 : mixed(dimension, j) & (diagonal - 1));
  }
  for (uint64_t &vector : vectors) {
    uint64_t sum = 0;
    for (size_t j = 0; j != 64; ++j)
      sum ^= columns[j] & -(vector >> (63 - j) & 1);
    vector = sum;
  }
}

} // namespace cufort::curand
