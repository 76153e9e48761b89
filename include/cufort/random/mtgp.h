//===- mtgp.h - Mersenne twisters that blocks share -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of curand_kernel.h: MTGP32. All threads of a block, 256 at most, take
// a number each at the same time, and then wait for each other.
//
//===----------------------------------------------------------------------===//

#ifndef __CUFORT_RANDOM_MTGP_H
#define __CUFORT_RANDOM_MTGP_H

#include "curand_mtgp32.h"

/// Number \p t of the next \p count ones, before and after its tempering by
/// \p tempering's row.
__CUFORT_RANDOM uint2 __cufort_mtgp_next(curandStateMtgp32_t *state,
                                         unsigned int t, unsigned int count,
                                         const unsigned int (*tempering)[16]) {
  const mtgp32_kernel_params_t *k = state->k;
  const int which = state->pIdx, offset = state->offset;
  const unsigned int at = t + offset, far = at + k->pos_tbl[which];
  const auto word = [&](unsigned int i) -> unsigned int & {
    return state->s[i & MTGP32_STATE_MASK];
  };
  unsigned int x = (word(at) & k->mask[0]) ^ word(at + 1);
  x ^= x << k->sh1_tbl[which];
  const unsigned int y = x ^ word(far) >> k->sh2_tbl[which];
  const unsigned int next = y ^ k->param_tbl[which][y & 15];
  unsigned int temper = word(far - 1);
  temper ^= temper >> 16;
  temper ^= temper >> 8;
  // No thread of these reads what another one writes.
  word(at + MTGPDC_N) = next;
  __syncthreads();
  if (t == 0)
    state->offset = (int)((offset + count) & MTGP32_STATE_MASK);
  __syncthreads();
  return make_uint2(next, tempering[which][temper & 15]);
}

__CUFORT_RANDOM unsigned int __cufort_mtgp_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__CUFORT_RANDOM unsigned int __cufort_mtgp_threads() {
  return blockDim.x * blockDim.y * blockDim.z;
}

/// Number \p index of the next \p n ones, which as many threads take.
__CUFORT_RANDOM unsigned int curand_mtgp32_specific(curandStateMtgp32_t *state,
                                                    unsigned char index,
                                                    unsigned char n) {
  const uint2 x = __cufort_mtgp_next(state, index, n, state->k->temper_tbl);
  return x.x ^ x.y;
}
/// The block's next numbers, this thread's one.
__CUFORT_RANDOM unsigned int curand(curandStateMtgp32_t *state) {
  const uint2 x =
      __cufort_mtgp_next(state, __cufort_mtgp_thread(), __cufort_mtgp_threads(),
                         state->k->temper_tbl);
  return x.x ^ x.y;
}

/// From 1 up to 2.
__CUFORT_RANDOM float curand_mtgp32_single_specific(curandStateMtgp32_t *state,
                                                    unsigned char index,
                                                    unsigned char n) {
  const uint2 x =
      __cufort_mtgp_next(state, index, n, state->k->single_temper_tbl);
  return __uint_as_float(x.x >> 9 ^ x.y);
}
__CUFORT_RANDOM float curand_mtgp32_single(curandStateMtgp32_t *state) {
  const uint2 x =
      __cufort_mtgp_next(state, __cufort_mtgp_thread(), __cufort_mtgp_threads(),
                         state->k->single_temper_tbl);
  return __uint_as_float(x.x >> 9 ^ x.y);
}

#endif // __CUFORT_RANDOM_MTGP_H
