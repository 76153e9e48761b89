//===- sobol.h - Sobol's sequences in kernels -------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of curand_kernel.h: quasirandom numbers of 32 and 64 bits, plain and
// scrambled, of the direction vectors that curandGetDirectionVectors32() and
// its kin give. A number takes one step, also a normal one.
//
//===----------------------------------------------------------------------===//

#ifndef __CUFORT_RANDOM_SOBOL_H
#define __CUFORT_RANDOM_SOBOL_H

#define __CUFORT_RANDOM_STATE(name, word, bits)                                \
  struct name {                                                                \
    word i, x, c;                                                              \
    word direction_vectors[bits];                                              \
  };                                                                           \
  typedef struct name name##_t
__CUFORT_RANDOM_STATE(curandStateSobol32, unsigned int, 32);
__CUFORT_RANDOM_STATE(curandStateScrambledSobol32, unsigned int, 32);
__CUFORT_RANDOM_STATE(curandStateSobol64, unsigned long long, 64);
__CUFORT_RANDOM_STATE(curandStateScrambledSobol64, unsigned long long, 64);
#undef __CUFORT_RANDOM_STATE

/// Number \p i: the sum of the vectors of the bits of its Gray code.
template <class State, class Word>
__CUFORT_RANDOM void __cufort_sobol_place(State *state, Word i) {
  constexpr int bits = 8 * sizeof(Word);
  Word gray = i ^ i >> 1, sum = state->c;
#pragma unroll 8
  for (int k = 0; k < bits; ++k)
    sum ^= state->direction_vectors[k] & -(gray >> k & 1);
  state->i = i;
  state->x = sum;
}

template <class State, class Word>
__CUFORT_RANDOM void __cufort_sobol_begin(const Word *vectors, Word scramble,
                                          Word offset, State *state) {
  for (int k = 0; k < (int)(8 * sizeof(Word)); ++k)
    state->direction_vectors[k] = vectors[k];
  state->c = scramble;
  __cufort_sobol_place(state, offset);
}

/// The number, and one step on: one bit of the Gray code changes.
template <class State> __CUFORT_RANDOM auto __cufort_sobol_next(State *state) {
  constexpr int bits = 8 * sizeof(state->x);
  auto result = state->x;
  int bit = __ffsll((long long)~(unsigned long long)state->i) - 1;
  // Behind the last number comes the first one.
  if (bit < 0 || bit >= bits)
    bit = bits - 1;
  state->x ^= state->direction_vectors[bit];
  ++state->i;
  return result;
}

/// The state of one dimension, from its number \p offset on.
__CUFORT_RANDOM void curand_init(curandDirectionVectors32_t direction_vectors,
                                 unsigned int offset,
                                 curandStateSobol32_t *state) {
  __cufort_sobol_begin(direction_vectors, 0u, offset, state);
}
__CUFORT_RANDOM void curand_init(curandDirectionVectors32_t direction_vectors,
                                 unsigned int scramble_c, unsigned int offset,
                                 curandStateScrambledSobol32_t *state) {
  __cufort_sobol_begin(direction_vectors, scramble_c, offset, state);
}
__CUFORT_RANDOM void curand_init(curandDirectionVectors64_t direction_vectors,
                                 unsigned long long offset,
                                 curandStateSobol64_t *state) {
  __cufort_sobol_begin(direction_vectors, 0ull, offset, state);
}
__CUFORT_RANDOM void curand_init(curandDirectionVectors64_t direction_vectors,
                                 unsigned long long scramble_c,
                                 unsigned long long offset,
                                 curandStateScrambledSobol64_t *state) {
  __cufort_sobol_begin(direction_vectors, scramble_c, offset, state);
}

#define __CUFORT_RANDOM_SOBOL(state_type, word)                                \
  __CUFORT_RANDOM word curand(state_type *state) {                             \
    return __cufort_sobol_next(state);                                         \
  }                                                                            \
  __CUFORT_RANDOM void skipahead(word n, state_type *state) {                  \
    __cufort_sobol_place(state, (word)(state->i + n));                         \
  }
__CUFORT_RANDOM_SOBOL(curandStateSobol32_t, unsigned int)
__CUFORT_RANDOM_SOBOL(curandStateScrambledSobol32_t, unsigned int)
__CUFORT_RANDOM_SOBOL(curandStateSobol64_t, unsigned long long)
__CUFORT_RANDOM_SOBOL(curandStateScrambledSobol64_t, unsigned long long)
#undef __CUFORT_RANDOM_SOBOL

#endif // __CUFORT_RANDOM_SOBOL_H
