//===- barriers.h - barriers that count, bulk copies ------------*- C -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What barrier_init, tma_bulk_load and their like of the module cudadevice are
// bound to: modules/cudadevice.py. barriers.c has them for GPUs of compute
// capability 9.0, cpu/barriers.c for the CPU.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_DEVICE_BARRIERS_H
#define CUFORT_DEVICE_BARRIERS_H

typedef unsigned int u32;
typedef unsigned long long u64;

/// The phase ends when \p count threads have arrived and all bytes that were
/// announced have been copied. CUDA Fortran's lets bulk copies that follow see
/// the barrier; C++'s leaves that to the program, as CUDA's does.
void __cufort_barrier_init(u64 *barrier, u32 count);
void __cufort_barrier_begin(u64 *barrier, u32 count);
/// Returns the token of the phase, which the barrier's waits want.
u64 __cufort_barrier_arrive(u64 *barrier);
/// How many threads had still to arrive before the one that got \p token.
u32 __cufort_barrier_pending(u64 token);
/// Arrives and does not come again in later phases.
u64 __cufort_barrier_leave(u64 *barrier);
void __cufort_barrier_arrive_drop(u64 *barrier);
/// Announces \p bytes before.
u64 __cufort_barrier_arrive_cnt(u64 *barrier, u32 bytes);
/// Announces \p bytes.
void __cufort_barrier_expect(u64 *barrier, u32 bytes);
/// Returns 1 when the phase has ended.
int __cufort_barrier_try_wait(u64 *barrier, u64 token);
int __cufort_barrier_try_parity(u64 *barrier, u32 parity, u32 nanoseconds);
/// Waits for about so many nanoseconds at the most; 0: the phase goes on.
int __cufort_barrier_try_wait_sleep(u64 *barrier, u64 token, u32 nanoseconds);

/// What threads have written to shared memory is seen by bulk copies that
/// follow.
void __cufort_fence_proxy_async(void);
void __cufort_tma_bulk_commit_group(void);
void __cufort_tma_bulk_wait_group(void);
/// Bytes that \p barrier has been told of (g2s) or that it is told of here.
void __cufort_tma_bulk_g2s(u64 *barrier, const void *from, void *to, u32 bytes);
/// Returns when the shared memory may be written again.
void __cufort_tma_bulk_s2g(const void *from, void *to, u32 bytes);

/// The element types: the ending of the name in Fortran, bytes.
#define EACH_BULK(DO)                                                          \
  DO(c4, 8) DO(c8, 16) DO(i4, 4) DO(i8, 8) DO(r2, 2) DO(r4, 4) DO(r8, 8)
#define DECLARE_BULK(type, bytes)                                              \
  void __cufort_tma_bulk_ld##type(u64 *barrier, const void *from, void *to,    \
                                  u32 count);                                  \
  void __cufort_tma_bulk_store_##type(const void *from, void *to, u32 count);
EACH_BULK(DECLARE_BULK)

#endif // CUFORT_DEVICE_BARRIERS_H
