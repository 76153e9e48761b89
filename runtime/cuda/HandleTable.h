//===- HandleTable.h - the handles that programs may use --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CUDA_HANDLETABLE_H
#define CUFORT_RUNTIME_CUDA_HANDLETABLE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace cufort::cuda {

/// The handles of one kind, on all devices, with the number of each one's
/// device and a mark. Whether a handle is there is mostly answered without a
/// lock: with ten thousand streams in turn a lock and a look into a hash table
/// with nodes cost a tenth of a launch. An entry takes eight bytes and no
/// allocation, so creating and destroying one costs little beside what the
/// driver does.
class HandleTable {
public:
  struct Entry {
    int device = -1; ///< -1: there is no such entry
    bool marked = false;
    explicit operator bool() const { return device >= 0; }
  };

  /// Whether \p handle is there, with the mark if \p marked.
  bool has(const void *handle, bool marked = false) {
    const uint64_t kept = marked ? HandleBits | Mark : HandleBits;
    const uint64_t wanted = number(handle) | (marked ? Mark : 0);
    if (Slots *slots = current.load(std::memory_order_acquire))
      for (size_t i = slots->first(handle), end = i + Tries; i < end; ++i)
        if ((slots->at(i).load(std::memory_order_acquire) & kept) == wanted &&
            !(number(handle) & ~HandleBits) && handle)
          return true;
    const Entry entry = find(handle);
    return entry && (entry.marked || !marked);
  }

  /// What there is of \p handle.
  Entry find(const void *handle);

  /// Makes \p handle known. Throws std::bad_alloc and leaves all as it was.
  void enter(const void *handle, Entry entry);

  /// Marks \p handle; false if it is not there.
  bool mark(const void *handle);

  /// Removes \p handle: no other thread can remove it again, or use it.
  Entry take(const void *handle);

  /// Puts back what take has given. Needs no memory.
  void putBack(const void *handle, Entry entry);

  /// Forgets all handles of \p device.
  void forget(int device);

private:
  /// The handle, an even address of 48 bits; the mark is added to it, and the
  /// device's number lies above. Zero: free.
  using Slot = std::atomic<uint64_t>;
  static constexpr unsigned DeviceBegin = 48;
  static constexpr uint64_t Mark = 1;
  static constexpr uint64_t HandleBits = (uint64_t(1) << DeviceBegin) - 2;
  static constexpr unsigned Tries = 8; ///< without the lock

  static uint64_t number(const void *handle) {
    return reinterpret_cast<uintptr_t>(handle);
  }

  struct Slots {
    explicit Slots(unsigned bits)
        : bits(bits), slots(new Slot[size_t(1) << bits]{}) {}
    size_t size() const { return size_t(1) << bits; }
    size_t first(const void *handle) const {
      return static_cast<size_t>(
          number(handle) * uint64_t(0x9E3779B97F4A7C15) >> (64 - bits));
    }
    /// Behind the last slot comes the first.
    Slot &at(size_t place) const { return slots[place & (size() - 1)]; }

    unsigned bits;
    std::unique_ptr<Slot[]> slots;
  };

  // Under the lock:
  Slot *look(const Slots &slots, const void *handle, size_t *place = nullptr);
  static void put(const Slots &slots, uint64_t word);
  void remove(const Slots &slots, size_t place);

  std::mutex mutex;
  std::atomic<Slots *> current{nullptr};
  /// The current ones are the last. Others may still look into the ones before.
  std::vector<std::unique_ptr<Slots>> all;
  size_t count = 0;
};

} // namespace cufort::cuda

#endif // CUFORT_RUNTIME_CUDA_HANDLETABLE_H
