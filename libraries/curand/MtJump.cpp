//===- MtJump.cpp - a Mersenne twister's states far ahead -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A state n steps ahead is a sum of states near by, which are the terms of x^n
// modulo the characteristic polynomial. That is done for the highest bits of
// words alone, as a product of polynomials without the ends that are not needed
// (a middle product: Hanrot, Quercia, Zimmermann 2004) by Karatsuba's method:
//
//   c[i] = sum over k of p[k] b[i + k + 1]
//
// The highest bits of 20480 consecutive words determine all other bits, one
// after the other: of y, a word's highest bit and the lower ones of the next
// word, step k has x[k + 624] ^ x[k + 397] = y >> 1 ^ (y & 1 ? A : 0), and A
// has the highest bit.
//
// Compiled once for each of several processors, like Kernels.cpp;
// CUFORT_KERNELS names the result.
//
//===----------------------------------------------------------------------===//

#include "libraries/curand/MtJumps.h"
#include <immintrin.h>

namespace cufort::curand {

extern const MtJumper CUFORT_KERNELS;

namespace {

/// A word of each lane.
using Word = uint64_t __attribute__((vector_size(64), aligned(64)));
static_assert(sizeof(Word) == sizeof(MtLaneWords));

constexpr uint32_t A = 0x9908b0df;

//===----------------------------------------------------------------------===//
// Products without carries of lanes' words and one word
//===----------------------------------------------------------------------===//

#if defined(__VPCLMULQDQ__) && defined(__AVX512F__)
using Part = __m512i;
Part everywhere(uint64_t b) {
  return _mm512_set1_epi64(static_cast<long long>(b));
}
Part even(Part p, Part b) { return _mm512_clmulepi64_epi128(p, b, 0x00); }
Part odd(Part p, Part b) { return _mm512_clmulepi64_epi128(p, b, 0x11); }
Part lows(Part x, Part y) { return _mm512_unpacklo_epi64(x, y); }
Part highs(Part x, Part y) { return _mm512_unpackhi_epi64(x, y); }
#else
using Part = __m128i;
Part everywhere(uint64_t b) {
  return _mm_set1_epi64x(static_cast<long long>(b));
}
Part lows(Part x, Part y) { return _mm_unpacklo_epi64(x, y); }
Part highs(Part x, Part y) { return _mm_unpackhi_epi64(x, y); }
#ifdef __PCLMUL__
Part even(Part p, Part b) { return _mm_clmulepi64_si128(p, b, 0x00); }
Part odd(Part p, Part b) { return _mm_clmulepi64_si128(p, b, 0x11); }
#else
Part product(uint64_t p, uint64_t b) {
  // Four bits at a time.
  unsigned __int128 multiples[16] = {0, b}, sum = 0;
  for (int i = 2; i != 16; ++i)
    multiples[i] = multiples[i / 2] << 1 ^ multiples[i % 2];
  for (int at = 60; at >= 0; at -= 4)
    sum = sum << 4 ^ multiples[p >> at & 15];
  return _mm_set_epi64x(static_cast<long long>(sum >> 64),
                        static_cast<long long>(sum));
}
Part even(Part p, Part b) {
  return product(static_cast<uint64_t>(_mm_cvtsi128_si64(p)),
                 static_cast<uint64_t>(_mm_cvtsi128_si64(b)));
}
Part odd(Part p, Part b) { return even(highs(p, p), b); }
#endif
#endif

/// A middle product of polynomials whose words' bits are reversed.
void leaf(const Word *p, const uint64_t *b, Word *out) {
  for (size_t part = 0; part != sizeof(Word) / sizeof(Part); ++part) {
    Part evens[MtLeaf + 1] = {}, odds[MtLeaf + 1] = {};
#pragma clang loop unroll(full)
    for (size_t j = 0; j != MtLeaf; ++j) {
      const Part factor = reinterpret_cast<const Part *>(p + j)[part];
#pragma clang loop unroll(full)
      for (size_t d = 0; d != MtLeaf + 1; ++d) {
        const Part other = everywhere(b[d + j]);
        evens[d] ^= even(factor, other);
        odds[d] ^= odd(factor, other);
      }
    }
#pragma clang loop unroll(full)
    for (size_t w = 0; w != MtLeaf; ++w)
      reinterpret_cast<Part *>(out + w)[part] =
          highs(evens[w], odds[w]) ^ lows(evens[w + 1], odds[w + 1]);
  }
}

//===----------------------------------------------------------------------===//
// Karatsuba's method: three products of halves
//===----------------------------------------------------------------------===//

/// Writes the leaves of \p p, of \p N words.
template <size_t N> void cutPolynomial(const Word *p, Word *&leaves) {
  if constexpr (N == MtLeaf) {
    for (size_t i = 0; i != N; ++i)
      *leaves++ = p[i];
  } else {
    constexpr size_t Half = N / 2;
    Word sum[Half];
    for (size_t i = 0; i != Half; ++i)
      sum[i] = p[i] ^ p[i + Half];
    cutPolynomial<Half>(p, leaves);
    cutPolynomial<Half>(sum, leaves);
    cutPolynomial<Half>(p + Half, leaves);
  }
}

/// Of \p b, of twice as many words as the polynomial.
template <size_t N> void cutBits(const uint64_t *b, uint64_t *&leaves) {
  if constexpr (N == MtLeaf) {
    for (size_t i = 0; i != 2 * N; ++i)
      *leaves++ = b[i];
  } else {
    constexpr size_t Half = N / 2;
    uint64_t sum[3 * Half];
    for (size_t i = 0; i != 3 * Half; ++i)
      sum[i] = b[i] ^ b[i + Half];
    cutBits<Half>(sum, leaves);
    cutBits<Half>(b + Half, leaves);
    cutBits<Half>(sum + Half, leaves);
  }
}

template <size_t N> void middle(const Word *&p, const uint64_t *&b, Word *out) {
  if constexpr (N == MtLeaf) {
    leaf(p, b, out);
    p += N;
    b += 2 * N;
  } else {
    constexpr size_t Half = N / 2;
    Word common[Half];
    middle<Half>(p, b, out);
    middle<Half>(p, b, common);
    middle<Half>(p, b, out + Half);
    for (size_t i = 0; i != Half; ++i) {
      out[i] ^= common[i];
      out[i + Half] ^= common[i];
    }
  }
}

void prepare(const MtPolynomial (&jumps)[MtLanes], MtPrepared &prepared) {
  Word padded[MtPadded] = {};
  for (size_t lane = 0; lane != MtLanes; ++lane)
    for (size_t i = 0; i != MtPolynomialWords; ++i)
      padded[i][lane] = __builtin_bitreverse64(jumps[lane][i]);
  Word *leaves = reinterpret_cast<Word *>(prepared);
  cutPolynomial<MtPadded>(padded, leaves);
}

//===----------------------------------------------------------------------===//
// From a state to its highest bits and those that follow, and back
//===----------------------------------------------------------------------===//

/// The highest bits of the words from \p from on, one place further up.
void highestBits(const uint32_t *from, MtScratch &scratch) {
  uint32_t *words = scratch.words;
  uint64_t *bits = scratch.bits;
  for (size_t i = 0; i != MtWords; ++i)
    words[i] = from[i];
  uint64_t carried = 0;
  for (size_t done = 0; done < 2 * MtPadded; done += MtWords / 16) {
#pragma clang loop vectorize(assume_safety)
    for (uint32_t k = 0; k < 4 * MtWords; ++k) {
      const uint32_t y =
          (words[k] & 0x80000000u) | (words[k + 1] & 0x7fffffffu);
      words[k + MtWords] = words[k + 397] ^ y >> 1 ^ (-(y & 1) & A);
    }
    using Words = int32_t __attribute__((ext_vector_type(64)));
    using Mask = bool __attribute__((ext_vector_type(64)));
    for (size_t i = 0; i != MtWords / 16; ++i) {
      const Words x = *reinterpret_cast<const Words *>(words + 64 * i);
      const uint64_t here =
          __builtin_bit_cast(uint64_t, __builtin_convertvector(x < 0, Mask));
      bits[done + i] = here << 1 | carried;
      carried = here >> 63;
    }
    for (size_t i = 0; i != MtWords; ++i)
      words[i] = words[i + 4 * MtWords];
  }
}

/// Word \p i of \p bits without their first \p Shift ones.
template <unsigned Shift> Word shifted(const Word *bits, size_t i) {
  return bits[i + Shift / 64] >> Shift % 64 | bits[i + Shift / 64 + 1]
                                                  << (64 - Shift % 64);
}

/// All bits of 640 words, of the highest ones of 20480: \p bits, which are
/// overwritten.
void otherBits(Word *bits, MtLaneWords (*planes)[10]) {
  constexpr size_t Kept = 10;
  const auto keep = [&](size_t plane) {
    for (size_t i = 0; i != Kept; ++i)
      *reinterpret_cast<Word *>(&planes[plane][i]) = bits[i];
  };
  keep(31);
  Word lowest[MtPadded - Kept];
  for (size_t i = 0; i != MtPadded - Kept; ++i)
    bits[i] = lowest[i] = shifted<623>(bits, i) ^ shifted<396>(bits, i);
  keep(0);
  for (size_t plane = 1; plane != 31; ++plane) {
    const uint64_t mask = -uint64_t(A >> (plane - 1) & 1);
    for (size_t i = 0; i != Kept * (31 - plane); ++i)
      bits[i] =
          shifted<623>(bits, i) ^ shifted<396>(bits, i) ^ (lowest[i] & mask);
    keep(plane);
  }
}

/// The words of which plane k has bit k.
void words(MtLaneWords (*planes)[10], uint32_t *const *to) {
  for (size_t i = 0; i != 10; ++i) {
    Word row[32];
    for (size_t k = 0; k != 32; ++k)
      row[k] = *reinterpret_cast<const Word *>(&planes[k][i]);
    // Transposes the lower and the upper halves.
    uint64_t mask = 0x0000ffff0000ffff;
    for (size_t far = 16; far; far /= 2, mask ^= mask << far)
      for (size_t k = 0; k != 32; ++k)
        if (!(k & far)) {
          const Word changed = (row[k] >> far ^ row[k + far]) & mask;
          row[k + far] ^= changed;
          row[k] ^= changed << far;
        }
    for (size_t lane = 0; lane != MtLanes; ++lane)
      for (size_t k = 0; to[lane] && k != 32; ++k) {
        const uint64_t both = row[k][lane];
        to[lane][64 * i + k] = static_cast<uint32_t>(both);
        if (64 * i + 32 + k < MtWords)
          to[lane][64 * i + 32 + k] = static_cast<uint32_t>(both >> 32);
      }
  }
}

void jump(const MtPrepared &prepared, const uint32_t *from, uint32_t *const *to,
          MtScratch &scratch) {
  highestBits(from, scratch);
  uint64_t *leaves = scratch.leaves;
  cutBits<MtPadded>(scratch.bits, leaves);
  const Word *p = reinterpret_cast<const Word *>(prepared);
  const uint64_t *b = scratch.leaves;
  Word *product = reinterpret_cast<Word *>(scratch.product);
  middle<MtPadded>(p, b, product);
  otherBits(product, scratch.planes);
  words(scratch.planes, to);
}

} // namespace

constinit const MtJumper CUFORT_KERNELS = {prepare, jump};

} // namespace cufort::curand
