//===- groups.c - parts of a block on the CPU -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What groups.c does with a GPU's numbered barriers.
//
//===----------------------------------------------------------------------===//

/// The threads that are at one barrier of a block go on together, all of them
/// or those of one tile.
__attribute__((convergent)) void __cufort_tile_barrier(unsigned tile,
                                                       unsigned threads) {
  (void)tile, (void)threads;
  // Not aligned: other threads may be at other barriers.
  __nvvm_barrier_sync(0);
}

void __cufort_tile_prepare(unsigned threads) { (void)threads; }
