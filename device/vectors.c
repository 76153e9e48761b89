//===- vectors.c - additions of short arrays ------------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// atomicaddvector and its kin, as modules/cudadevice.py declares them. Each
// element is added atomically, the whole is not, as CUDA has it; so no
// alignment is asked for either.
//
//===----------------------------------------------------------------------===//

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

/// There are atomic operations on words: the half is one of a word's two.
static _Float16 addHalf(_Float16 *address, _Float16 value) {
  u32 *word = (u32 *)((u64)address & ~3ull);
  const u32 shift = (u64)address & 2 ? 16 : 0;
  u32 before = __atomic_load_n(word, __ATOMIC_RELAXED), after;
  _Float16 old;
  do {
    old = __builtin_bit_cast(_Float16, (u16)(before >> shift));
    const u16 sum = __builtin_bit_cast(u16, (_Float16)(old + value));
    after = (before & ~(0xffffu << shift)) | (u32)sum << shift;
  } while (!__atomic_compare_exchange_n(word, &before, after, 0,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}

void cufort_atomicadd_r2x2_(_Float16 *old, _Float16 *address,
                            const _Float16 *value) {
  const _Float16 first = value[0], second = value[1];
  const _Float16 before = addHalf(address, first);
  old[1] = addHalf(address + 1, second);
  old[0] = before;
}

void cufort_atomicadd_r4x2_(float *old, float *address, const float *value) {
  float before[2];
  for (int i = 0; i < 2; ++i)
    before[i] = __atomic_fetch_add(address + i, value[i], __ATOMIC_RELAXED);
  for (int i = 0; i < 2; ++i)
    old[i] = before[i];
}

void cufort_atomicadd_r4x4_(float *old, float *address, const float *value) {
  float before[4];
  for (int i = 0; i < 4; ++i)
    before[i] = __atomic_fetch_add(address + i, value[i], __ATOMIC_RELAXED);
  for (int i = 0; i < 4; ++i)
    old[i] = before[i];
}
