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

/// Eight words, of one lane or of a row.
using Row = uint32_t __attribute__((vector_size(32)));

CUFORT_INLINE Row rowAt(const uint32_t *words) {
  Row result;
  __builtin_memcpy(&result, words, sizeof result);
  return result;
}

CUFORT_INLINE void putTempered(Row x, uint32_t *to) {
  x ^= x >> 11;
  x ^= x << 7 & 0x9d2c5680u;
  x ^= x << 15 & 0xefc60000u;
  x ^= x >> 18;
  __builtin_memcpy(to, &x, sizeof x);
}

// Of two rows the words that stay apart by one, two or four places where rows
// and lanes are exchanged: the lower ones of each pair of places, or the upper.
CUFORT_INLINE Row lower1(Row a, Row b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
}
CUFORT_INLINE Row upper1(Row a, Row b) {
  return __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
}
CUFORT_INLINE Row lower2(Row a, Row b) {
  return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
}
CUFORT_INLINE Row upper2(Row a, Row b) {
  return __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
}
CUFORT_INLINE Row lower4(Row a, Row b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
}
CUFORT_INLINE Row upper4(Row a, Row b) {
  return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

/// The rows of a group (Kernels.h), from \p words on seven of each of eight
/// lanes, as vectors.
CUFORT_INLINE void rowsOfGroup(const uint32_t *words,
                               Row (&rows)[MtGroupRows]) {
  Row lanes[8];
  for (size_t l = 0; l != 7; ++l)
    lanes[l] = rowAt(words + l * MtGroupRows);
  // No word behind the group's is read.
  const Row last = rowAt(words + 7 * MtGroupRows - 1);
  lanes[7] = __builtin_shufflevector(last, last, 1, 2, 3, 4, 5, 6, 7, 0);
  Row pairs[8], fours[8];
  for (size_t l = 0; l != 8; l += 2) {
    pairs[l] = lower1(lanes[l], lanes[l + 1]);
    pairs[l + 1] = upper1(lanes[l], lanes[l + 1]);
  }
  for (size_t l = 0; l != 8; l += 4)
    for (size_t k = 0; k != 2; ++k) {
      fours[l + 2 * k] = lower2(pairs[l + k], pairs[l + k + 2]);
      fours[l + 2 * k + 1] = upper2(pairs[l + k], pairs[l + k + 2]);
    }
  for (size_t k = 0; k != 4; ++k)
    rows[k] = lower4(fours[k], fours[k + 4]);
  for (size_t k = 0; k != 3; ++k)
    rows[k + 4] = upper4(fours[k], fours[k + 4]);
}

void temper(const uint32_t *state, size_t first, size_t count, size_t stride,
            uint32_t *out) {
  constexpr uint32_t Begins[8] = {0, 113, 170, 283, 340, 397, 510, 567};
  const size_t end = first + count;
  if (first == 0 && count) {
    Row begins;
    for (size_t l = 0; l != 8; ++l)
      begins[l] = state[Begins[l]];
    putTempered(begins, out);
  }
  // The words of the first row lie before and between the groups.
  size_t before = 0;
  for (size_t row = 1; row < end; row += MtGroupRows) {
    if (row + MtGroupRows <= first)
      continue;
    const size_t words = (row - 1) * 8;
    while (before != 8 && Begins[before] <= words + before)
      ++before;
    Row rows[MtGroupRows];
    rowsOfGroup(state + words + before, rows);
    for (size_t r = 0; r != MtGroupRows; ++r)
      if (row + r >= first && row + r < end)
        putTempered(rows[r], out + (row + r - first) * stride);
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

/// Number i is the sum of the vectors of the bits of i's Gray code, i ^ i >> 1:
/// of numbers below a power of two and of its multiples it is the sum of both.
template <typename Word>
void sobolNumbers(const Word *vectors, Word scramble, uint64_t first,
                  size_t count, Word *out) {
  constexpr int Bits = 8 * sizeof(Word);
  constexpr int AlignedBits = 8;
  constexpr size_t Aligned = 1 << AlignedBits;
  Word low[Aligned];
  low[0] = 0;
  for (int k = 0; k != AlignedBits; ++k) {
    const Word power = vectors[k] ^ (k ? vectors[k - 1] : 0);
    CUFORT_VECTORS
    for (size_t i = 0; i < size_t(1) << k; ++i)
      low[(size_t(1) << k) + i] = low[i] ^ power;
  }
  const uint64_t base = first - first % Aligned, gray = base ^ base >> 1;
  Word sum = scramble;
  for (int k = 0; k != Bits; ++k)
    sum ^= gray >> k & 1 ? vectors[k] : 0;
  for (size_t done = 0; done < count;) {
    const uint64_t i = first + done;
    const size_t from = i % Aligned,
                 here = smaller(Aligned - from, count - done);
    for (size_t j = 0; j < here; ++j)
      out[done + j] = sum ^ low[from + j];
    done += here;
    // From one multiple to the next a bit of the Gray code changes, and that
    // below all multiples.
    const int bit = AlignedBits + __builtin_ctzll(i / Aligned + 1);
    sum ^= vectors[AlignedBits - 1] ^ (bit < Bits ? vectors[bit] : 0);
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
