//===- Futex.h - threads that sleep until a number changes ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_STREAMS_FUTEX_H
#define CUFORT_RUNTIME_CPU_STREAMS_FUTEX_H

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdint>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cufort::cpu {

inline void futexWait(std::atomic<uint32_t> &word, uint32_t expected) {
  syscall(SYS_futex, reinterpret_cast<uint32_t *>(&word), FUTEX_WAIT_PRIVATE,
          expected, nullptr, nullptr, 0);
}

inline void futexWake(std::atomic<uint32_t> &word, uint64_t count) {
  syscall(SYS_futex, reinterpret_cast<uint32_t *>(&word), FUTEX_WAKE_PRIVATE,
          static_cast<int>(std::min<uint64_t>(count, INT_MAX)), nullptr,
          nullptr, 0);
}

/// Sleeps until \p word leaves \p seen; \p parked counts the sleepers, so that
/// there is no wake-up call if no thread sleeps.
inline void park(std::atomic<uint32_t> &word, uint32_t seen,
                 std::atomic<uint32_t> &parked) {
  parked.fetch_add(1, std::memory_order_seq_cst);
  if (word.load(std::memory_order_seq_cst) == seen)
    futexWait(word, seen);
  parked.fetch_sub(1, std::memory_order_seq_cst);
}

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_STREAMS_FUTEX_H
