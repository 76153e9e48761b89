//===- barriers.c - barriers that count, bulk copies ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For GPUs: one or two instructions of PTX 8.0 each, which compiler/gpu then
// asks for. Addresses come as generic ones.
//
//===----------------------------------------------------------------------===//

#include "device/barriers.h"

void __cufort_fence_proxy_async(void) {
  __asm__ volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

void __cufort_barrier_begin(u64 *barrier, u32 count) {
  __asm__ volatile("mbarrier.init.b64 [%0], %1;" ::"l"(barrier), "r"(count)
                   : "memory");
}

void __cufort_barrier_init(u64 *barrier, u32 count) {
  __cufort_barrier_begin(barrier, count);
  __cufort_fence_proxy_async();
}

u64 __cufort_barrier_arrive(u64 *barrier) {
  u64 token;
  __asm__ volatile("mbarrier.arrive.b64 %0, [%1];"
                   : "=l"(token)
                   : "l"(barrier)
                   : "memory");
  return token;
}

u64 __cufort_barrier_leave(u64 *barrier) {
  u64 token;
  __asm__ volatile("mbarrier.arrive_drop.b64 %0, [%1];"
                   : "=l"(token)
                   : "l"(barrier)
                   : "memory");
  return token;
}

void __cufort_barrier_arrive_drop(u64 *barrier) {
  __cufort_barrier_leave(barrier);
}

u32 __cufort_barrier_pending(u64 token) {
  u32 count;
  __asm__("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}

u64 __cufort_barrier_arrive_cnt(u64 *barrier, u32 bytes) {
  u64 token;
  __asm__ volatile("mbarrier.arrive.expect_tx.b64 %0, [%1], %2;"
                   : "=l"(token)
                   : "l"(barrier), "r"(bytes)
                   : "memory");
  return token;
}

void __cufort_barrier_expect(u64 *barrier, u32 bytes) {
  __asm__ volatile("{\n\t.reg .b64 barrier;\n\t"
                   "cvta.to.shared.u64 barrier, %0;\n\t"
                   "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 "
                   "[barrier], %1;\n\t}" ::"l"(barrier),
                   "r"(bytes)
                   : "memory");
}

#define TRY_WAIT(name, instruction, Phase, asRegister)                         \
  int name(u64 *barrier, Phase phase, u32 nanoseconds) {                       \
    int done;                                                                  \
    __asm__ volatile("{\n\t.reg .pred p;\n\t" instruction                      \
                     " p, [%1], %2, %3;\n\t"                                   \
                     "selp.b32 %0, 1, 0, p;\n\t}"                              \
                     : "=r"(done)                                              \
                     : "l"(barrier), asRegister(phase), "r"(nanoseconds)       \
                     : "memory");                                              \
    return done;                                                               \
  }
TRY_WAIT(__cufort_barrier_try_wait_sleep, "mbarrier.try_wait.b64", u64, "l")
TRY_WAIT(__cufort_barrier_try_parity, "mbarrier.try_wait.parity.b64", u32, "r")

int __cufort_barrier_try_wait(u64 *barrier, u64 token) {
  while (!__cufort_barrier_try_wait_sleep(barrier, token, 1000000))
    ;
  return 1;
}

void __cufort_tma_bulk_commit_group(void) {
  __asm__ volatile("cp.async.bulk.commit_group;" ::: "memory");
}

void __cufort_tma_bulk_wait_group(void) {
  __asm__ volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

void __cufort_tma_bulk_g2s(u64 *barrier, const void *from, void *to,
                           u32 bytes) {
  __asm__ volatile("{\n\t.reg .b64 to, from, barrier;\n\t"
                   "cvta.to.shared.u64 to, %0;\n\t"
                   "cvta.to.global.u64 from, %1;\n\t"
                   "cvta.to.shared.u64 barrier, %3;\n\t"
                   "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx"
                   "::bytes [to], [from], %2, [barrier];\n\t}" ::"l"(to),
                   "l"(from), "r"(bytes), "l"(barrier)
                   : "memory");
}

void __cufort_tma_bulk_s2g(const void *from, void *to, u32 bytes) {
  __asm__ volatile("{\n\t.reg .b64 to, from;\n\t"
                   "cvta.to.global.u64 to, %0;\n\t"
                   "cvta.to.shared.u64 from, %1;\n\t"
                   "cp.async.bulk.global.shared::cta.bulk_group [to], [from], "
                   "%2;\n\t}" ::"l"(to),
                   "l"(from), "r"(bytes)
                   : "memory");
  __cufort_tma_bulk_commit_group();
  __cufort_tma_bulk_wait_group();
}

/// The barrier learns of the bytes first: the phase must not end before.
#define BULK(type, size)                                                       \
  void __cufort_tma_bulk_ld##type(u64 *barrier, const void *from, void *to,    \
                                  u32 count) {                                 \
    __cufort_barrier_expect(barrier, count * size);                            \
    __cufort_tma_bulk_g2s(barrier, from, to, count * size);                    \
  }                                                                            \
  void __cufort_tma_bulk_store_##type(const void *from, void *to, u32 count) { \
    __cufort_tma_bulk_s2g(from, to, count * size);                             \
  }
EACH_BULK(BULK)
