//===- curand_kernel.h - random numbers in kernels --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuRAND's device functions (cuRAND Library, "Device API Overview") for its
// three pseudorandom generators: XORWOW (curandState), MRG32k3a and
// Philox4x32-10. Each thread has a state of its own; curand_init() sets it up
// for a seed, a subsequence and an offset in that. The numbers are cuRAND's,
// bit for bit, but for curand_poisson() from 64 to 4000, whose distribution is
// the same, and for the last digits of normal numbers on the CPU. Sobol's
// sequences are in cufort/random/sobol.h, MTGP32, whose threads share a state,
// in cufort/random/mtgp.h, discrete distributions in cufort/random/discrete.h.
//
//===----------------------------------------------------------------------===//

#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#ifdef __CUDA__
#include "curand.h"
#endif
#include "cufort/random/jumps.h"

/// Normal numbers are generated in pairs: the second number of the last pair,
/// and whether it is still to be returned.
#define __CUFORT_RANDOM_PAIRS                                                  \
  int boxmuller_flag;                                                          \
  int boxmuller_flag_double;                                                   \
  float boxmuller_extra;                                                       \
  double boxmuller_extra_double

struct curandStateXORWOW {
  unsigned int d, v[5];
  __CUFORT_RANDOM_PAIRS;
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  __CUFORT_RANDOM_PAIRS;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output; // output begins with what is handed out next
  uint2 key;
  unsigned int STATE; // how many of the counter's four have been handed out
  __CUFORT_RANDOM_PAIRS;
};
#undef __CUFORT_RANDOM_PAIRS

typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#define __CUFORT_RANDOM static __device__ inline

template <class State> __CUFORT_RANDOM void __cufort_forget_pair(State *state) {
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

//===----------------------------------------------------------------------===//
// XORWOW: Marsaglia's xorshift of five words, and a Weyl sequence.
//===----------------------------------------------------------------------===//

/// 32 random bits.
__CUFORT_RANDOM unsigned int curand(curandStateXORWOW_t *state) {
  __cufort_xorwow_step(state->v);
  state->d += 362437;
  return state->v[4] + state->d;
}

/// Goes on by \p n numbers.
__CUFORT_RANDOM void skipahead(unsigned long long n,
                               curandStateXORWOW_t *state) {
  __cufort_xorwow_jump(state->v, __cufort_xorwow_steps, n);
  state->d += 362437 * (unsigned int)n;
}

/// Goes on by \p n subsequences, of 2^67 numbers each.
__CUFORT_RANDOM void skipahead_sequence(unsigned long long n,
                                        curandStateXORWOW_t *state) {
  // A multiple of 2^32 steps leaves the Weyl sequence where it is.
  __cufort_xorwow_jump(state->v, __cufort_xorwow_sequences, n);
}

/// The state for a thread: the sequence of \p seed, subsequence \p subsequence
/// of 2^67 numbers, from its number \p offset on.
__CUFORT_RANDOM void curand_init(unsigned long long seed,
                                 unsigned long long subsequence,
                                 unsigned long long offset,
                                 curandStateXORWOW_t *state) {
  unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
  unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + low + high;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  __cufort_forget_pair(state);
}

//===----------------------------------------------------------------------===//
// Philox4x32-10: ten rounds over a counter (Salmon and others, 2011).
//===----------------------------------------------------------------------===//

/// The four numbers of counter \p c.
__CUFORT_RANDOM uint4 __cufort_philox(uint4 c, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    unsigned int high0 = __umulhi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
    unsigned int high1 = __umulhi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
    c = make_uint4(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return c;
}

/// Adds \p n to the counter's lower half; what overflows goes on.
__CUFORT_RANDOM void __cufort_philox_count(curandStatePhilox4_32_10_t *state,
                                           unsigned long long n) {
  unsigned long long low = state->ctr.x | (unsigned long long)state->ctr.y
                                              << 32;
  unsigned long long sum = low + n;
  state->ctr.x = (unsigned int)sum;
  state->ctr.y = (unsigned int)(sum >> 32);
  if (sum < low && !++state->ctr.z)
    ++state->ctr.w;
}

/// \p x without the first \p taken, of 0 to 3.
__CUFORT_RANDOM uint4 __cufort_philox_rest(uint4 x, unsigned int taken) {
  if (taken & 2)
    x.x = x.z, x.y = x.w;
  if (taken & 1)
    x.x = x.y, x.y = x.z, x.z = x.w;
  return x;
}

/// What is left of the counter's four numbers.
__CUFORT_RANDOM void __cufort_philox_fill(curandStatePhilox4_32_10_t *state) {
  state->output = __cufort_philox_rest(__cufort_philox(state->ctr, state->key),
                                       state->STATE);
}

__CUFORT_RANDOM unsigned int curand(curandStatePhilox4_32_10_t *state) {
  unsigned int result = state->output.x;
  state->output.x = state->output.y;
  state->output.y = state->output.z;
  state->output.z = state->output.w;
  if (++state->STATE == 4) {
    state->STATE = 0;
    __cufort_philox_count(state, 1);
    state->output = __cufort_philox(state->ctr, state->key);
  }
  return result;
}

/// The next four numbers.
__CUFORT_RANDOM uint4 curand4(curandStatePhilox4_32_10_t *state) {
  uint4 a = state->output;
  __cufort_philox_count(state, 1);
  uint4 b = __cufort_philox(state->ctr, state->key);
  state->output = __cufort_philox_rest(b, state->STATE);
  switch (state->STATE) {
  case 1:
    return make_uint4(a.x, a.y, a.z, b.x);
  case 2:
    return make_uint4(a.x, a.y, b.x, b.y);
  case 3:
    return make_uint4(a.x, b.x, b.y, b.z);
  default:
    return a;
  }
}

__CUFORT_RANDOM void skipahead(unsigned long long n,
                               curandStatePhilox4_32_10_t *state) {
  unsigned int taken = state->STATE + (n & 3);
  state->STATE = taken & 3;
  __cufort_philox_count(state, n / 4 + taken / 4);
  __cufort_philox_fill(state);
}

/// Goes on by \p n subsequences, of 2^66 numbers each.
__CUFORT_RANDOM void skipahead_sequence(unsigned long long n,
                                        curandStatePhilox4_32_10_t *state) {
  unsigned long long high =
      (state->ctr.z | (unsigned long long)state->ctr.w << 32) + n;
  state->ctr.z = (unsigned int)high;
  state->ctr.w = (unsigned int)(high >> 32);
  __cufort_philox_fill(state);
}

/// As for XORWOW; a subsequence has 2^66 numbers.
__CUFORT_RANDOM void curand_init(unsigned long long seed,
                                 unsigned long long subsequence,
                                 unsigned long long offset,
                                 curandStatePhilox4_32_10_t *state) {
  state->ctr = make_uint4(0, 0, 0, 0);
  state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  state->STATE = 0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  __cufort_forget_pair(state);
}

//===----------------------------------------------------------------------===//
// MRG32k3a: L'Ecuyer's two recurrences modulo primes near 2^32.
//===----------------------------------------------------------------------===//

constexpr unsigned int __cufort_mrg_modulus1 = 4294967087u;
constexpr unsigned int __cufort_mrg_modulus2 = 4294944443u;

/// \p x modulo \p modulus: 2^32 is as much as what it exceeds the modulus by.
/// This is applied until the rest is below twice the modulus; for numbers below
/// 2^54 once for the first modulus, twice for the second.
template <int Folds>
__CUFORT_RANDOM unsigned int __cufort_mrg_reduce(unsigned long long x,
                                                 unsigned int modulus) {
#pragma unroll
  for (int fold = 0; fold < Folds; ++fold)
    x = (unsigned long long)(unsigned int)(x >> 32) * -modulus +
        (unsigned int)x;
  return (unsigned int)(x >= modulus ? x - modulus : x);
}

/// The next number, from 1 to the first modulus.
__CUFORT_RANDOM unsigned int __cufort_mrg_next(curandStateMRG32k3a_t *state) {
  constexpr unsigned int m1 = __cufort_mrg_modulus1;
  constexpr unsigned int m2 = __cufort_mrg_modulus2;
  unsigned int *s1 = state->s1, *s2 = state->s2;
  unsigned int a =
      __cufort_mrg_reduce<1>(1403580ull * s1[1] + 810728ull * (m1 - s1[0]), m1);
  unsigned int b =
      __cufort_mrg_reduce<2>(527612ull * s2[2] + 1370589ull * (m2 - s2[0]), m2);
  s1[0] = s1[1];
  s1[1] = s1[2];
  s1[2] = a;
  s2[0] = s2[1];
  s2[1] = s2[2];
  s2[2] = b;
  return a > b ? a - b : a - b + m1;
}

__CUFORT_RANDOM unsigned int curand(curandStateMRG32k3a_t *state) {
  // From the moduli's range to that of 32 bits, as cuRAND does.
  return (unsigned int)(__cufort_mrg_next(state) * 1.000000048662);
}

__CUFORT_RANDOM void __cufort_mrg_skip(curandStateMRG32k3a_t *state,
                                       const unsigned int (*jumps)[64][9],
                                       unsigned long long n) {
  __cufort_mrg_jump(state->s1, jumps[0], __cufort_mrg_modulus1, n);
  __cufort_mrg_jump(state->s2, jumps[1], __cufort_mrg_modulus2, n);
}

__CUFORT_RANDOM void skipahead(unsigned long long n,
                               curandStateMRG32k3a_t *state) {
  __cufort_mrg_skip(state, __cufort_mrg_steps, n);
}

/// Goes on by \p n subsequences, of 2^76 numbers each.
__CUFORT_RANDOM void skipahead_subsequence(unsigned long long n,
                                           curandStateMRG32k3a_t *state) {
  __cufort_mrg_skip(state, __cufort_mrg_subsequences, n);
}

/// Goes on by \p n sequences, of 2^127 numbers each.
__CUFORT_RANDOM void skipahead_sequence(unsigned long long n,
                                        curandStateMRG32k3a_t *state) {
  __cufort_mrg_skip(state, __cufort_mrg_sequences, n);
}

/// As for XORWOW; a subsequence has 2^76 numbers.
__CUFORT_RANDOM void curand_init(unsigned long long seed,
                                 unsigned long long subsequence,
                                 unsigned long long offset,
                                 curandStateMRG32k3a_t *state) {
  unsigned int low = (unsigned int)seed ^ 0x55555555u;
  unsigned int high = (unsigned int)(seed >> 32) ^ 0xAAAAAAAAu;
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = state->s2[i] = 12345;
    if (!seed)
      continue;
    state->s1[i] =
        __cufort_mrg_product(i == 1 ? high : low, 12345, __cufort_mrg_modulus1);
    state->s2[i] =
        __cufort_mrg_product(i == 1 ? low : high, 12345, __cufort_mrg_modulus2);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  __cufort_forget_pair(state);
}

#include "cufort/random/distributions.h"
#ifdef __CUDA__
#include "cufort/random/discrete.h"
#endif

#undef __CUFORT_RANDOM

#endif // CURAND_KERNEL_H_
