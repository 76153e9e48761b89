//===- WordKernels.h - the loops of words and what is made of them --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.cpp: twisters, Sobol's sequences, and distributions that
// take one word for a number.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CURAND_WORDKERNELS_H
#define CUFORT_LIBRARIES_CURAND_WORDKERNELS_H

#include "libraries/curand/DeviceFunctions.h"
#include "libraries/curand/Kernels.h"

namespace cufort::curand {
namespace {

#define CUFORT_INLINE [[gnu::always_inline]] inline
#define CUFORT_VECTORS                                                         \
  _Pragma("clang loop vectorize(assume_safety) interleave(enable)")

size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

CUFORT_INLINE uint32_t discrete(double unit, const DiscreteTable &table) {
  const double place = unit * table.length;
  // The last one may be one.
  const uint32_t whole = static_cast<uint32_t>(place);
  const uint32_t j = whole < table.length ? whole : table.length - 1;
  return table.first + (place - j < table.below[j] ? j : table.other[j]);
}

CUFORT_INLINE uint32_t inverse(double unit, const DiscreteTable &table) {
  uint32_t begin = 0;
  for (uint32_t left = table.length - 1; left;) {
    const uint32_t half = left / 2;
    const bool beyond = table.below[begin + half] < unit;
    begin += beyond ? half + 1 : 0;
    left = beyond ? left - half - 1 : half;
  }
  return table.first + begin;
}

CUFORT_INLINE uint32_t large(float normal, const Wanted &wanted) {
  return static_cast<uint32_t>(wanted.mean + wanted.deviation * normal + 0.5);
}

//===----------------------------------------------------------------------===//
// One number a word.
//===----------------------------------------------------------------------===//

template <class Value, class Function>
CUFORT_INLINE void each(Value *to, size_t count, Function value) {
  CUFORT_VECTORS
  for (size_t i = 0; i < count; ++i)
    to[i] = static_cast<Value>(value(i));
}

/// \p unit(i): number i as a uniform one; \p normal(i): as a normal one.
template <class Unit, class Normal>
CUFORT_INLINE void convertWith(size_t count, const Wanted &given, Unit unit,
                               Normal normal, void *out) {
  const double mean = given.mean, deviation = given.deviation;
  const auto scaled = [=](size_t i) __attribute__((always_inline)) {
    return mean + deviation * normal(i);
  };
  const auto single = [=](size_t i) __attribute__((always_inline)) {
    return static_cast<float>(mean) +
           static_cast<float>(deviation) * static_cast<float>(normal(i));
  };
  auto *floats = static_cast<float *>(out);
  auto *doubles = static_cast<double *>(out);
  auto *integers = static_cast<uint32_t *>(out);
  switch (given.distribution) {
  case Distribution::Uniform:
    return each(floats, count, unit);
  case Distribution::UniformDouble:
    return each(doubles, count, unit);
  case Distribution::Normal:
    return each(floats, count, single);
  case Distribution::NormalDouble:
    return each(doubles, count, scaled);
  case Distribution::LogNormal:
    return each(floats, count, [=](size_t i) __attribute__((always_inline)) {
      return vectorExp(single(i));
    });
  case Distribution::LogNormalDouble:
    return each(doubles, count, [=](size_t i) __attribute__((always_inline)) {
      return vectorExp(scaled(i));
    });
  case Distribution::Poisson:
    for (size_t i = 0; i < count; ++i)
      integers[i] = discrete(unit(i), given.table);
    return;
  case Distribution::PoissonNormal:
    for (size_t i = 0; i < count; ++i)
      integers[i] = static_cast<uint32_t>(mean + deviation * normal(i) + 0.5);
    return;
  case Distribution::PoissonInverse:
    for (size_t i = 0; i < count; ++i)
      integers[i] = inverse(unit(i), given.table);
    return;
  case Distribution::Words:
  case Distribution::LongWords:
    return;
  }
}

void convert(const uint32_t *words, size_t count, const Wanted &wanted,
             HalfStep ofDoubles, void *out) {
  const auto half = [=](size_t i) __attribute__((always_inline)) {
    return words[i] * 0x1p-32 + 0x1p-33;
  };
  const auto whole = [=](size_t i) __attribute__((always_inline)) {
    return words[i] * 0x1p-32 + 0x1p-32;
  };
  const auto normal = [=](size_t i) __attribute__((always_inline)) {
    return vectorNormal<double>(half(i));
  };
  auto *integers = static_cast<uint32_t *>(out);
  auto *floats = static_cast<float *>(out);
  switch (wanted.distribution) {
  case Distribution::Words:
  case Distribution::LongWords:
    for (size_t i = 0; i < count; ++i)
      integers[i] = words[i];
    return;
  case Distribution::Uniform:
    if (ofDoubles == HalfStep::Half)
      return convertWith(count, wanted, half, normal, out);
    for (size_t i = 0; i < count; ++i)
      floats[i] = __cufort_unit(words[i]);
    return;
  case Distribution::UniformDouble:
    if (ofDoubles == HalfStep::Whole)
      return convertWith(count, wanted, whole, normal, out);
    return convertWith(count, wanted, half, normal, out);
  default:
    return convertWith(count, wanted, half, normal, out);
  }
}

void convertLong(const uint64_t *words, size_t count, const Wanted &wanted,
                 void *out) {
  auto *integers = static_cast<uint64_t *>(out);
  if (wanted.distribution == Distribution::LongWords) {
    for (size_t i = 0; i < count; ++i)
      integers[i] = words[i];
    return;
  }
  // Single precision has the upper half of a word.
  const auto upper = [=](size_t i) __attribute__((always_inline)) {
    return static_cast<uint32_t>(words[i] >> 32);
  };
  if (wanted.distribution == Distribution::Uniform)
    return each(static_cast<float *>(out), count,
                [=](size_t i) __attribute__((always_inline)) {
                  return __cufort_unit(upper(i));
                });
  if (wanted.distribution == Distribution::Normal ||
      wanted.distribution == Distribution::LogNormal) {
    const auto half = [=](size_t i) __attribute__((always_inline)) {
      return upper(i) * 0x1p-32 + 0x1p-33;
    };
    return convertWith(
        count, wanted, half,
        [=](size_t i) __attribute__((always_inline)) {
          return vectorNormal<double>(half(i));
        },
        out);
  }
  const auto of = [](uint64_t word) __attribute__((always_inline)) {
    return static_cast<double>(word >> 11) * 0x1p-53 + 0x1p-54;
  };
  convertWith(
      count, wanted,
      [=](size_t i) __attribute__((always_inline)) { return of(words[i]); },
      [=](size_t i) __attribute__((always_inline)) {
        // The upper half as the lower one's reflection, for all its digits.
        const bool upper = words[i] >> 63;
        const double z = vectorNormal<double>(of(upper ? ~words[i] : words[i]));
        return upper ? -z : z;
      },
      out);
}

//===----------------------------------------------------------------------===//
// Mersenne twisters, Sobol's sequences
//===----------------------------------------------------------------------===//

CUFORT_INLINE uint32_t twisted(uint32_t a, uint32_t b, uint32_t far) {
  const uint32_t y = (a & 0x80000000u) | (b & 0x7fffffffu);
  return far ^ y >> 1 ^ (-(b & 1) & 0x9908b0dfu);
}

void twist(uint32_t *s) {
  // Each loop's results are read by later loops alone.
  CUFORT_VECTORS
  for (int i = 0; i < 227; ++i)
    s[i] = twisted(s[i], s[i + 1], s[i + 397]);
  CUFORT_VECTORS
  for (int i = 227; i < 454; ++i)
    s[i] = twisted(s[i], s[i + 1], s[i - 227]);
  CUFORT_VECTORS
  for (int i = 454; i < 623; ++i)
    s[i] = twisted(s[i], s[i + 1], s[i - 227]);
  s[623] = twisted(s[623], s[0], s[396]);
}

void temper(const uint32_t *state, const uint16_t *order, size_t rows,
            size_t stride, uint32_t *out) {
  using Row = uint32_t __attribute__((vector_size(32)));
  for (size_t r = 0; r != rows; ++r, order += 8, out += stride) {
    Row x = {state[order[0]], state[order[1]], state[order[2]],
             state[order[3]], state[order[4]], state[order[5]],
             state[order[6]], state[order[7]]};
    x ^= x >> 11;
    x ^= x << 7 & 0x9d2c5680u;
    x ^= x << 15 & 0xefc60000u;
    x ^= x >> 18;
    __builtin_memcpy(out, &x, sizeof x);
  }
}

void mtgp(uint32_t *state, const MtgpSet &given, uint32_t *out) {
  const MtgpSet set = given;
  constexpr uint32_t Made = 256;
  uint32_t words[MtgpWords + Made];
  for (size_t i = 0; i != MtgpWords; ++i)
    words[i] = state[i];
  CUFORT_VECTORS
  for (uint32_t i = 0; i < Made; ++i) {
    uint32_t x = (words[i] & 0xfff80000u) ^ words[i + 1];
    x ^= x << set.left;
    const uint32_t y = x ^ words[i + set.place] >> set.right;
    const uint32_t next = y ^ set.recursion[y & 15];
    words[i + MtgpWords] = next;
    uint32_t t = words[i + set.place - 1];
    t ^= t >> 16;
    t ^= t >> 8;
    out[i] = next ^ set.tempering[t & 15];
  }
  for (size_t i = 0; i != MtgpWords; ++i)
    state[i] = words[i + Made];
}

/// Number i is the sum of the vectors of the bits of i's Gray code. Of numbers
/// that are a multiple of a power of two apart most bits are common.
template <typename Word>
void sobolNumbers(const Word *vectors, Word scramble, uint64_t first,
                  size_t count, Word *out) {
  constexpr int Bits = 8 * sizeof(Word);
  constexpr size_t Aligned = 256;
  Word low[Aligned];
  low[0] = 0;
  for (size_t i = 1; i != Aligned; ++i)
    low[i] = low[i - 1] ^ vectors[__builtin_ctzll(i)];
  for (size_t done = 0; done < count;) {
    const uint64_t i = first + done;
    const size_t from = i % Aligned,
                 here = smaller(Aligned - from, count - done);
    const uint64_t base = i - from, gray = base ^ base >> 1;
    Word sum = scramble;
    for (int k = 0; k != Bits; ++k)
      sum ^= gray >> k & 1 ? vectors[k] : 0;
    for (size_t j = 0; j < here; ++j)
      out[done + j] = sum ^ low[from + j];
    done += here;
  }
}

void sobol(const uint32_t *vectors, uint32_t scramble, uint64_t first,
           size_t count, uint32_t *out) {
  sobolNumbers(vectors, scramble, first, count, out);
}
void sobolLong(const uint64_t *vectors, uint64_t scramble, uint64_t first,
               size_t count, uint64_t *out) {
  sobolNumbers(vectors, scramble, first, count, out);
}

} // namespace
} // namespace cufort::curand

#endif // CUFORT_LIBRARIES_CURAND_WORDKERNELS_H
