//===- barriers.c - barriers that count, bulk copies on the CPU -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier is the word in shared memory that the program gives it, in fields:
// threads still to arrive, bytes announced and not copied (plus a bias, because
// copies may end before they are announced), threads of a phase, phases. A
// block runs on one thread of the host: the operations are atomic only so that
// no two of a vector's lanes get into each other's way. Bulk copies are done
// when the program asks for them.
//
//===----------------------------------------------------------------------===//

#include "device/barriers.h"

#define FIELD(value, shift) ((u64)(value) << (shift))
enum { ArrivedBits = 20, BytesShift = 20, CountShift = 41, PhaseShift = 61 };
// A token is a phase, and above it who had still to arrive.
enum { PhaseBits = 64 - PhaseShift };
static const u64 CountMask = FIELD(1, ArrivedBits) - 1;
static const u64 NoBytes = FIELD(1, 20); // the bias, in the field's 21 bits
static const u64 BytesMask = FIELD(1, 21) - 1;

/// The runtime's: lets the other threads of the block run. Kernels that call it
/// run on fibers.
__attribute__((convergent)) void __cufort_cpu_yield(void);

static u64 phase(u64 count, u64 number) {
  return FIELD(number, PhaseShift) | FIELD(count, CountShift) |
         FIELD(NoBytes, BytesShift) | count;
}

/// Ends the phase if nothing is missing.
static void settle(u64 *barrier) {
  const u64 now = __atomic_load_n(barrier, __ATOMIC_ACQUIRE);
  if ((now & CountMask) == 0 && (now >> BytesShift & BytesMask) == NoBytes)
    __atomic_store_n(
        barrier, phase(now >> CountShift & CountMask, (now >> PhaseShift) + 1),
        __ATOMIC_RELEASE);
}

static u64 change(u64 *barrier, u64 by) {
  const u64 before = __atomic_fetch_add(barrier, by, __ATOMIC_ACQ_REL);
  settle(barrier);
  return before >> PhaseShift | (before & CountMask) << PhaseBits;
}

void __cufort_barrier_init(u64 *barrier, u32 count) {
  __atomic_store_n(barrier, phase(count, 0), __ATOMIC_RELEASE);
}

void __cufort_barrier_begin(u64 *barrier, u32 count) {
  __cufort_barrier_init(barrier, count);
}

u64 __cufort_barrier_arrive(u64 *barrier) { return change(barrier, ~0ull); }

u64 __cufort_barrier_arrive_cnt(u64 *barrier, u32 bytes) {
  return change(barrier, FIELD(bytes, BytesShift) - 1);
}

void __cufort_barrier_expect(u64 *barrier, u32 bytes) {
  change(barrier, FIELD(bytes, BytesShift));
}

u64 __cufort_barrier_leave(u64 *barrier) {
  return change(barrier, ~0ull - FIELD(1, CountShift));
}

void __cufort_barrier_arrive_drop(u64 *barrier) {
  __cufort_barrier_leave(barrier);
}

static u64 phaseOf(const u64 *barrier) {
  return __atomic_load_n(barrier, __ATOMIC_ACQUIRE) >> PhaseShift;
}

static int isOver(const u64 *barrier, u64 token) {
  return phaseOf(barrier) != (token & (FIELD(1, PhaseBits) - 1));
}

u32 __cufort_barrier_pending(u64 token) { return (u32)(token >> PhaseBits); }

int __cufort_barrier_try_wait_sleep(u64 *barrier, u64 token, u32 nanoseconds) {
  if (isOver(barrier, token))
    return 1;
  __cufort_cpu_yield();
  return isOver(barrier, token);
}

int __cufort_barrier_try_parity(u64 *barrier, u32 parity, u32 nanoseconds) {
  if ((phaseOf(barrier) & 1) != parity)
    return 1;
  __cufort_cpu_yield();
  return (phaseOf(barrier) & 1) != parity;
}

int __cufort_barrier_try_wait(u64 *barrier, u64 token) {
  while (!isOver(barrier, token))
    __cufort_cpu_yield();
  return 1;
}

void __cufort_fence_proxy_async(void) {}
void __cufort_tma_bulk_commit_group(void) {}
void __cufort_tma_bulk_wait_group(void) {}

void __cufort_tma_bulk_g2s(u64 *barrier, const void *from, void *to,
                           u32 bytes) {
  __builtin_memcpy(to, from, bytes);
  change(barrier, -FIELD(bytes, BytesShift));
}

void __cufort_tma_bulk_s2g(const void *from, void *to, u32 bytes) {
  __builtin_memcpy(to, from, bytes);
}

#define BULK(type, size)                                                       \
  void __cufort_tma_bulk_ld##type(u64 *barrier, const void *from, void *to,    \
                                  u32 count) {                                 \
    __builtin_memcpy(to, from, (u64)count * size);                             \
  }                                                                            \
  void __cufort_tma_bulk_store_##type(const void *from, void *to, u32 count) { \
    __builtin_memcpy(to, from, (u64)count * size);                             \
  }
EACH_BULK(BULK)
