//===- jumps.h - what random generators skip --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of curand_kernel.h: how its generators go on by many numbers at a
// time, without the numbers between.
//
//===----------------------------------------------------------------------===//

#ifndef __CUFORT_RANDOM_JUMPS_H
#define __CUFORT_RANDOM_JUMPS_H

#include "cufort/random/tables.h"

/// One step of XORWOW's five words, a linear function of their bits.
static __device__ inline void __cufort_xorwow_step(unsigned int v[5]) {
  unsigned int t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = v[4] ^ (v[4] << 4) ^ t ^ (t << 1);
}

/// Goes \p n times as far as \p jumps are long: each digit of \p n has a
/// polynomial in the step, whose terms are added up. No matrices are read.
static __device__ inline void
__cufort_xorwow_jump(unsigned int v[5], const unsigned int (*jumps)[15][5],
                     unsigned long long n) {
  for (; n; n >>= 4, ++jumps) {
    unsigned int digit = n & 15;
    if (!digit)
      continue;
    unsigned int sum[5] = {};
    for (int word = 0; word < 5; ++word) {
      unsigned int terms = (*jumps)[digit - 1][word];
#pragma unroll 8
      for (int i = 0; i < 32; ++i, terms >>= 1) {
        unsigned int mask = -(terms & 1);
        for (int k = 0; k < 5; ++k)
          sum[k] ^= v[k] & mask;
        __cufort_xorwow_step(v);
      }
    }
    for (int k = 0; k < 5; ++k)
      v[k] = sum[k];
  }
}

static __device__ inline unsigned int
__cufort_mrg_product(unsigned int a, unsigned int b, unsigned int modulus) {
  return (unsigned int)((unsigned long long)a * b % modulus);
}

/// One of MRG32k3a's two components, \p n times as far as \p jumps are long.
static __device__ inline void __cufort_mrg_jump(unsigned int s[3],
                                                const unsigned int (*jumps)[9],
                                                unsigned int modulus,
                                                unsigned long long n) {
  for (; n; n >>= 1, ++jumps) {
    if (!(n & 1))
      continue;
    unsigned int next[3];
    for (int i = 0; i < 3; ++i) {
      unsigned long long sum = 0;
      for (int k = 0; k < 3; ++k)
        sum += __cufort_mrg_product((*jumps)[3 * i + k], s[k], modulus);
      next[i] = (unsigned int)(sum % modulus);
    }
    for (int i = 0; i < 3; ++i)
      s[i] = next[i];
  }
}

#endif // __CUFORT_RANDOM_JUMPS_H
