//===- groups.c - barriers of cooperative groups --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the specifics of syncthreads in the module cooperative_groups are bound
// to. The group's descriptor holds nothing that a barrier needs.
//
//===----------------------------------------------------------------------===//

typedef unsigned int u32;

/// What the driver gives to every cooperative launch, and only to those; its
/// address is in the special registers envreg1 (high half) and envreg2.
struct GridWorkspace {
  u32 bytes;
  u32 arrived; ///< zero at the start of the kernel
};

/// All blocks of a cooperative launch meet. The CPU's compiler puts a barrier
/// of its own in place of every call, hence noinline. A kernel that was not
/// launched cooperatively ends with an error.
__attribute__((noinline, convergent)) void __cufort_grid_barrier(void) {
  __syncthreads();
  if (__nvvm_read_ptx_sreg_tid_x() == 0 && __nvvm_read_ptx_sreg_tid_y() == 0 &&
      __nvvm_read_ptx_sreg_tid_z() == 0) {
    u32 high, low;
    __asm__ volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
    __asm__ volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
    struct GridWorkspace *workspace =
        (struct GridWorkspace *)((unsigned long long)high << 32 | low);
    if (!workspace)
      __builtin_trap();
    // Every block adds 1, the first one what is missing to 2^31: the top bit
    // changes when the last one has arrived, and the rest is zero again.
    const u32 blocks = __nvvm_read_ptx_sreg_nctaid_x() *
                       __nvvm_read_ptx_sreg_nctaid_y() *
                       __nvvm_read_ptx_sreg_nctaid_z();
    const int first = __nvvm_read_ptx_sreg_ctaid_x() == 0 &&
                      __nvvm_read_ptx_sreg_ctaid_y() == 0 &&
                      __nvvm_read_ptx_sreg_ctaid_z() == 0;
    u32 *arrived = &workspace->arrived;
    u32 before, now;
    __asm__ volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                     : "=r"(before)
                     : "l"(arrived), "r"(first ? 0x80000000u - (blocks - 1) : 1)
                     : "memory");
    do
      __asm__ volatile("ld.acquire.gpu.u32 %0, [%1];"
                       : "=r"(now)
                       : "l"(arrived)
                       : "memory");
    while (((before ^ now) & 0x80000000u) == 0);
  }
  __syncthreads();
}

/// How many warps of the last of 16 tiles have arrived.
static __attribute__((address_space(3))) volatile u32 arrivedInLast;

/// All threads of the block call it before it has tiles of \p threads threads.
__attribute__((noinline, convergent)) void __cufort_tile_prepare(u32 threads) {
  if (16 * threads != __nvvm_read_ptx_sreg_ntid_x() *
                          __nvvm_read_ptx_sreg_ntid_y() *
                          __nvvm_read_ptx_sreg_ntid_z())
    return;
  __syncthreads();
  if (__nvvm_read_ptx_sreg_tid_x() == 0 && __nvvm_read_ptx_sreg_tid_y() == 0 &&
      __nvvm_read_ptx_sreg_tid_z() == 0)
    arrivedInLast = 0;
  __syncthreads();
}

/// The threads of one tile of several warps meet. A block has 15 barriers
/// beside __syncthreads. A tile takes that of its first two warps, which no
/// other tile contains that can wait at the same time, of whatever size; the
/// last of 16 tiles, which has two warps, counts in shared memory. The CPU's
/// compiler has another (cpu/groups.c).
__attribute__((noinline, convergent)) void __cufort_tile_barrier(u32 tile,
                                                                 u32 threads) {
  const u32 pair = tile * (threads / 64);
  if (pair < 15) {
    __nvvm_barrier_sync_cnt(pair + 1, threads);
    return;
  }
  __nvvm_bar_warp_sync(0xffffffffu);
  __nvvm_membar_cta();
  if ((__nvvm_read_ptx_sreg_laneid() & 31) == 0) {
    const u32 before = __scoped_atomic_fetch_add(
        &arrivedInLast, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    while (arrivedInLast / 2 == before / 2)
      ;
  }
  __nvvm_membar_cta();
  __nvvm_bar_warp_sync(0xffffffffu);
}

__attribute__((convergent)) void __cufort_sync_grid_group(const void *group) {
  (void)group;
  __cufort_grid_barrier();
}

__attribute__((convergent)) void __cufort_sync_thread_group(const void *group) {
  (void)group;
  __syncthreads();
}

__attribute__((convergent)) void
__cufort_sync_coalesced_group(const void *group) {
  (void)group;
  __nvvm_bar_warp_sync(0xffffffffu);
}
