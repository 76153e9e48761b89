//===- KnownHandles.h - handles that are known to be valid ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_KNOWNHANDLES_H
#define CUFORT_RUNTIME_CUDA_KNOWNHANDLES_H

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cufort::cuda {

/// Remembers of a table of handles, whose lock it does not need to be asked,
/// which are in it. It may forget any of them: the table knows. With ten
/// thousand streams in turn a lock and a look into a hash table cost a tenth
/// of a launch.
class KnownHandles {
public:
  /// Whether \p handle, with \p mark (0 or 1), is known to be in the table.
  bool has(const void *handle, uintptr_t mark = 0) const {
    const uintptr_t wanted = reinterpret_cast<uintptr_t>(handle) | mark;
    const size_t place = placeOf(handle);
    return slots[place].load(std::memory_order_acquire) == wanted ||
           slots[place + 1].load(std::memory_order_acquire) == wanted;
  }

  // Under the table's lock:

  void enter(const void *handle, uintptr_t mark = 0) {
    forget(handle);
    const size_t place = placeOf(handle);
    std::atomic<uintptr_t> &first = slots[place], &second = slots[place + 1];
    if (const uintptr_t old = first.load(std::memory_order_relaxed))
      second.store(old, std::memory_order_release);
    first.store(reinterpret_cast<uintptr_t>(handle) | mark,
                std::memory_order_release);
  }

  void forget(const void *handle) {
    const auto unmarked = reinterpret_cast<uintptr_t>(handle);
    const size_t place = placeOf(handle);
    for (size_t i : {place, place + 1})
      if ((slots[i].load(std::memory_order_relaxed) & ~uintptr_t(1)) ==
          unmarked)
        slots[i].store(0, std::memory_order_release);
  }

  void clear() {
    for (std::atomic<uintptr_t> &slot : slots)
      if (slot.load(std::memory_order_relaxed))
        slot.store(0, std::memory_order_release);
  }

private:
  static constexpr unsigned Bits = 16;

  /// The first of the two places where it may be.
  static size_t placeOf(const void *handle) {
    const uint64_t mixed =
        reinterpret_cast<uintptr_t>(handle) * uint64_t(0x9E3779B97F4A7C15);
    return static_cast<size_t>(mixed >> (64 - Bits)) & ~size_t(1);
  }

  std::array<std::atomic<uintptr_t>, size_t(1) << Bits> slots{};
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_KNOWNHANDLES_H
