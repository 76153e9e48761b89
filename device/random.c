//===- random.c - Fortran's random numbers on a device --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// random_number and random_seed, every thread for itself: number k of thread t
// is Philox4x32-10 of the counter (k, t) under the seed as its key (Salmon et
// al., "Parallel random numbers: as easy as 1, 2, 3"). So no thread shares a
// number with another, and the numbers do not depend on how threads run. A
// thread's state is its seed and how many numbers it has had; both are zero
// when a kernel starts.
//
//===----------------------------------------------------------------------===//

#include "device/descriptors.h"

struct State {
  u64 seed, count;
};

/// The thread's own state. The device link puts a variable of the kernel in
/// place of every call, and passes its address down to procedures.
struct State *__cufort_random_state(void);

/// What random_seed deals in: integers of 32 bits.
#define WORDS 4

static u64 numberOfThread(void) {
  u64 block = __nvvm_read_ptx_sreg_ctaid_x() +
              (u64)__nvvm_read_ptx_sreg_nctaid_x() *
                  (__nvvm_read_ptx_sreg_ctaid_y() +
                   (u64)__nvvm_read_ptx_sreg_nctaid_y() *
                       __nvvm_read_ptx_sreg_ctaid_z());
  u32 thread =
      __nvvm_read_ptx_sreg_tid_x() +
      __nvvm_read_ptx_sreg_ntid_x() *
          (__nvvm_read_ptx_sreg_tid_y() +
           __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_tid_z());
  u32 threads = __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() *
                __nvvm_read_ptx_sreg_ntid_z();
  return block * threads + thread;
}

/// 64 random bits.
INLINE u64 draw(struct State *state, u64 thread) {
  u32 c0 = (u32)state->count, c1 = (u32)(state->count >> 32);
  u32 c2 = (u32)thread, c3 = (u32)(thread >> 32);
  // Seeds that differ a little give keys that differ a lot.
  u64 mixed = (state->seed + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  mixed ^= mixed >> 31;
  u32 k0 = (u32)mixed, k1 = (u32)(mixed >> 32);
  ++state->count;
  for (int round = 0; round < 10; ++round) {
    u64 p0 = 0xd2511f53ull * c0, p1 = 0xcd9e8d57ull * c2;
    u32 n0 = (u32)(p1 >> 32) ^ c1 ^ k0, n2 = (u32)(p0 >> 32) ^ c3 ^ k1;
    c1 = (u32)p1;
    c3 = (u32)p0;
    c0 = n0;
    c2 = n2;
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  return (u64)c1 << 32 | c0;
}

void FORTRAN(RandomNumber)(const Array *harvest, const char *file, int line) {
  struct State *state = __cufort_random_state();
  u64 thread = numberOfThread();
  i64 at[MAX_RANK] = {0};
  u64 bytes = harvest->elem_len;
  if (!elementsOf(harvest))
    return;
  // From 0, not to 1: as many bits as the fraction holds.
  do {
    u64 bits = draw(state, thread);
    char *to = elementAt(harvest, at);
    if (bytes == 2)
      *(_Float16 *)to = (_Float16)((float)(bits >> 53) * 0x1p-11f);
    else if (bytes == 4)
      *(float *)to = (float)(bits >> 40) * 0x1p-24f;
    else if (bytes == 8)
      *(double *)to = (double)(bits >> 11) * 0x1p-53;
    else
      __builtin_trap();
  } while (step(harvest, at));
}

static u32 wordOf(const struct State *state, i64 number) {
  u64 word = number < 2 ? state->seed : state->count;
  return (u32)(number & 1 ? word >> 32 : word);
}

void FORTRAN(RandomSeedSize)(const Array *size, const char *file, int line) {
  if (size && size->base_addr)
    storeInteger(size->base_addr, size->elem_len, WORDS);
}

void FORTRAN(RandomSeedPut)(const Array *put, const char *file, int line) {
  struct State *state = __cufort_random_state();
  if (!put || !put->base_addr)
    return;
  u64 words[WORDS] = {0, 0, 0, 0};
  for (i64 i = 0; i < WORDS && i < put->dim[0].extent; ++i)
    words[i] = (u32)loadInteger(elementAt(put, &i), put->elem_len);
  state->seed = words[0] | words[1] << 32;
  state->count = words[2] | words[3] << 32;
}

void FORTRAN(RandomSeedGet)(const Array *get, const char *file, int line) {
  struct State *state = __cufort_random_state();
  if (get && get->base_addr)
    for (i64 i = 0; i < get->dim[0].extent; ++i)
      storeInteger(elementAt(get, &i), get->elem_len,
                   i < WORDS ? (int)wordOf(state, i) : 0);
}

void FORTRAN(RandomSeedDefaultPut)(void) {
  struct State *state = __cufort_random_state();
  state->seed = state->count = 0;
}

void FORTRAN(RandomSeed)(const Array *size, const Array *put, const Array *get,
                         const char *file, int line) {
  if (size && size->base_addr)
    FORTRAN(RandomSeedSize)(size, file, line);
  else if (put && put->base_addr)
    FORTRAN(RandomSeedPut)(put, file, line);
  else if (get && get->base_addr)
    FORTRAN(RandomSeedGet)(get, file, line);
  else
    FORTRAN(RandomSeedDefaultPut)();
}

void FORTRAN(RandomInit)(_Bool repeatable, _Bool distinct) {
  FORTRAN(RandomSeedDefaultPut)();
}
