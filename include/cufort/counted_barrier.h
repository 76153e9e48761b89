//===- counted_barrier.h - barriers as one word --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COUNTED_BARRIER_H
#define CUFORT_COUNTED_BARRIER_H

#include "cufort/scoped_atomics.h"

namespace cuda {
namespace details {

/// A barrier in one word: threads still to arrive, threads of a phase (20 bits
/// each), phases.
template <thread_scope __Scope> class CountedBarrier {
  using Word = unsigned long long;
  using Does = Operations<Word, __Scope>;
  static constexpr int Bits = 20;
  static constexpr Word Low = (1ull << Bits) - 1;

public:
  static constexpr ptrdiff_t most = (ptrdiff_t)Low;
  static constexpr __host__ __device__ Word begin(Word threads) {
    return threads << Bits | threads;
  }
  /// \p count threads arrive, of which \p leaving do not come again. The last
  /// one calls \p complete. Returns the phase.
  template <class __Complete>
  static __host__ __device__ __forceinline__ Word
  arrive(Word *word, Word count, Word leaving, __Complete &&complete) {
    const Word change = leaving << Bits | count;
    const Word now =
        Does::fetchAdd(word, -change, memory_order_acq_rel) - change;
    const Word phase = now >> 2 * Bits;
    if ((now & Low) == 0) {
      complete();
      Does::store(word, (phase + 1) << 2 * Bits | begin(now >> Bits & Low),
                  memory_order_release);
    }
    return phase;
  }
  static __host__ __device__ __forceinline__ Word phase(const Word *word) {
    return Does::load(word, memory_order_acquire) >> 2 * Bits;
  }
};

} // namespace details
} // namespace cuda

#endif // CUFORT_COUNTED_BARRIER_H
