//===- Claims.h - who runs which units of an operation ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Participants claim an operation's units without a lock, in one of two ways.
//
// Shares: every participant has a share of consecutive units, always the same
// one for the same number of units, and takes it in pieces; who has finished
// takes from the shares of others. So a participant finds in its caches, and in
// its part of the machine's memory, what it worked on in the kernel before. Of
// two units that depend on nothing of each other it does not matter which one
// runs first.
//
// Ascending: one unit at a time, in order, from one counter. When a unit runs,
// all units before it have been claimed by somebody who runs them: a block may
// wait for any block before it.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_CLAIMS_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_CLAIMS_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>

namespace cufort::cpu {

class Claims {
public:
  enum class Order { Shares, Ascending };

  Claims(uint64_t units, Order order) : units(units), order(order) {}

  /// To be called once, before the first claim. Few units need no shares, and
  /// without memory for shares units are claimed one by one.
  void divide(unsigned participants) {
    if (order == Order::Ascending || units < 2 * uint64_t(participants))
      return;
    shares.reset(new (std::nothrow) Share[participants]);
    if (!shares)
      return;
    count = participants;
    for (unsigned i = 0; i < count; ++i)
      shares[i].end = firstOf(i + 1);
    restart();
  }

  /// Claims the next units for \p participant, a number below that of divide;
  /// false if all units are claimed.
  bool claim(unsigned participant, uint64_t &begin, uint64_t &end) {
    if (!shares) {
      if (next.load(std::memory_order_relaxed) >= units)
        return false;
      begin = next.fetch_add(1, std::memory_order_acq_rel);
      end = begin + 1;
      return begin < units;
    }
    const uint32_t seen = round.load(std::memory_order_acquire);
    // The own share in ever smaller pieces, so that something is left for those
    // who have finished theirs.
    if (take(shares[participant], 8, begin, end))
      return true;
    for (;;) {
      Share *most = nullptr;
      uint64_t left = 0;
      for (unsigned i = 0; i < count; ++i)
        if (uint64_t here = shares[i].left(); here > left) {
          left = here;
          most = &shares[i];
        }
      if (!most)
        break;
      if (take(*most, 2 * uint64_t(count), begin, end))
        return true;
    }
    finishedRound.store(seen, std::memory_order_release);
    return false;
  }

  /// Whether units are claimed one by one, by anybody.
  bool ascending() const { return order == Order::Ascending; }

  /// Whether a claim would probably get nothing.
  bool exhausted() const {
    return shares ? finishedRound.load(std::memory_order_acquire) ==
                        round.load(std::memory_order_acquire)
                  : next.load(std::memory_order_relaxed) >= units;
  }

  /// Makes all units available once more, after all have been done.
  void restart() {
    round.fetch_add(1, std::memory_order_acq_rel);
    for (unsigned i = 0; i < count; ++i)
      shares[i].next.store(firstOf(i), std::memory_order_release);
    next.store(0, std::memory_order_release);
  }

private:
  struct alignas(64) Share {
    std::atomic<uint64_t> next{0};
    uint64_t end = 0;
    uint64_t left() const {
      const uint64_t first = next.load(std::memory_order_relaxed);
      return first < end ? end - first : 0;
    }
  };

  uint64_t firstOf(unsigned share) const {
    return units / count * share + std::min<uint64_t>(share, units % count);
  }

  /// Claims one of \p parts parts of what is left in \p share.
  static bool take(Share &share, uint64_t parts, uint64_t &begin,
                   uint64_t &end) {
    uint64_t first = share.next.load(std::memory_order_relaxed), amount;
    do {
      if (first >= share.end)
        return false;
      amount = std::max<uint64_t>(1, (share.end - first) / parts);
    } while (!share.next.compare_exchange_weak(first, first + amount,
                                               std::memory_order_acq_rel,
                                               std::memory_order_relaxed));
    begin = first;
    end = first + amount;
    return true;
  }

  const uint64_t units;
  const Order order;
  unsigned count = 0;
  std::unique_ptr<Share[]> shares;
  std::atomic<uint64_t> next{0};
  /// How often the units have become available, and for which time somebody
  /// found nothing left. A late writer of an old number makes others look in
  /// vain, no more.
  std::atomic<uint32_t> round{0}, finishedRound{0};
};

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_CLAIMS_H
