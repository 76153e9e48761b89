//===- MtPolynomials.cpp - how far a Mersenne twister jumps ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The characteristic polynomial is that of Matsumoto and Nishimura (1998,
// appendix A), with n = 624, m = 397, w = 32, r = 31.
//
//===----------------------------------------------------------------------===//

#include "libraries/curand/MtPolynomials.h"
#include <algorithm>
#include <utility>
#include <vector>

namespace cufort::curand {

namespace {

/// Coefficients of 0 and 1, the lowest power's first.
using Bits = std::vector<uint64_t>;
constexpr size_t Words = 2 * ((MtDegree + 63) / 64) + 1;

bool has(const Bits &x, size_t power) {
  return x[power / 64] >> power % 64 & 1;
}
void flip(Bits &x, size_t power) { x[power / 64] ^= uint64_t(1) << power % 64; }

/// Adds \p x times the power \p shift.
void addShifted(Bits &to, const Bits &x, size_t shift) {
  const size_t whole = shift / 64, rest = shift % 64;
  for (size_t i = 0; i + whole < to.size() && i < x.size(); ++i) {
    to[i + whole] ^= x[i] << rest;
    if (rest && i + whole + 1 < to.size())
      to[i + whole + 1] ^= x[i] >> (64 - rest);
  }
}

/// (x^\p a + x^\p b)^\p n
Bits binomialPower(size_t a, size_t b, size_t n) {
  Bits result(Words);
  flip(result, 0);
  for (size_t i = 0; i != n; ++i) {
    Bits next(Words);
    addShifted(next, result, a);
    addShifted(next, result, b);
    result = std::move(next);
  }
  return result;
}

Bits product(const Bits &a, const Bits &b) {
  Bits result(Words);
  for (size_t i = 0; i <= MtDegree; ++i)
    if (has(a, i))
      addShifted(result, b, i);
  return result;
}

/// The powers of the characteristic polynomial below its degree.
std::vector<size_t> characteristic() {
  constexpr size_t n = MtWords, m = 397, w = 32, r = 31;
  constexpr uint32_t a = 0x9908b0df;
  const Bits first = binomialPower(n, m, w - r);
  Bits sum = product(first, binomialPower(n - 1, m - 1, r));
  for (size_t i = 0; i != w; ++i) {
    if (!(a >> i & 1))
      continue;
    const Bits term =
        i < r ? product(first, binomialPower(n - 1, m - 1, r - i - 1))
              : binomialPower(n, m, w - i - 1);
    addShifted(sum, term, 0);
  }
  std::vector<size_t> powers;
  for (size_t i = 0; i != MtDegree; ++i)
    if (has(sum, i))
      powers.push_back(i);
  return powers;
}

/// Each bit twice as far up.
uint64_t spread(uint32_t x) {
  uint64_t y = x;
  y = (y | y << 16) & 0x0000ffff0000ffff;
  y = (y | y << 8) & 0x00ff00ff00ff00ff;
  y = (y | y << 4) & 0x0f0f0f0f0f0f0f0f;
  y = (y | y << 2) & 0x3333333333333333;
  return (y | y << 1) & 0x5555555555555555;
}

/// Takes what is beyond the degree away, a word at a time. The characteristic
/// polynomial's second power is more than a word below its first one.
void reduce(Bits &x, const std::vector<size_t> &powers) {
  for (size_t word = Words; word-- > MtDegree / 64;) {
    uint64_t high = x[word];
    const size_t base = word * 64;
    size_t from = 0;
    if (base < MtDegree) {
      from = MtDegree - base;
      high &= ~uint64_t(0) << from;
    }
    if (!high)
      continue;
    x[word] ^= high;
    for (const size_t power : powers) {
      // high * x^(base - MtDegree + power), where high has no lower bits than
      // from, so that the sum is never below zero.
      const size_t shift = base + from - MtDegree + power;
      const uint64_t bits = high >> from;
      x[shift / 64] ^= bits << shift % 64;
      if (shift % 64)
        x[shift / 64 + 1] ^= bits >> (64 - shift % 64);
    }
  }
}

struct Jumps {
  Jumps() {
    const std::vector<size_t> powers = characteristic();
    Bits x(Words);
    flip(x, 1);
    for (size_t squared = 1; squared != 2048 + all.size(); ++squared) {
      Bits next(Words);
      for (size_t i = 0; 2 * i + 1 < Words; ++i) {
        next[2 * i] = spread(static_cast<uint32_t>(x[i]));
        next[2 * i + 1] = spread(static_cast<uint32_t>(x[i] >> 32));
      }
      reduce(next, powers);
      x = std::move(next);
      if (squared >= 2048)
        std::copy_n(x.begin(), all[0].size(), all[squared - 2048].begin());
    }
  }
  std::array<MtPolynomial, 13> all;
};

} // namespace

const MtPolynomial &mtJump(size_t power) {
  static const Jumps jumps;
  return jumps.all[power];
}

} // namespace cufort::curand
