//===- HandleTable.cpp - the handles that programs may use ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Open addressing: an entry lies in the first free slot from its own on, and
// nowhere in between is there a free one. Entries that follow one that goes are
// moved up; for a moment one may be found twice, or, without the lock, not.
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/HandleTable.h"

namespace cufort::cuda {
namespace {

/// Of the number of slots at first: 64, half a kilobyte.
constexpr unsigned FirstBits = 6;

const void *handleIn(uint64_t word, uint64_t handleBits) {
  return reinterpret_cast<const void *>(word & handleBits);
}

} // namespace

HandleTable::Slot *HandleTable::look(const Slots &slots, const void *handle,
                                     size_t *place) {
  for (size_t i = slots.first(handle);; ++i) {
    Slot &slot = slots.at(i);
    const uint64_t word = slot.load(std::memory_order_relaxed);
    if (!word)
      return nullptr;
    if ((word & HandleBits) == number(handle)) {
      if (place)
        *place = i & (slots.size() - 1);
      return &slot;
    }
  }
}

HandleTable::Entry HandleTable::find(const void *handle) {
  std::lock_guard lock(mutex);
  const Slots *slots = current.load(std::memory_order_relaxed);
  const Slot *slot = handle && slots ? look(*slots, handle) : nullptr;
  if (!slot)
    return {};
  const uint64_t word = slot->load(std::memory_order_relaxed);
  return {static_cast<int>(word >> DeviceBegin), (word & Mark) != 0};
}

void HandleTable::put(const Slots &slots, uint64_t word) {
  size_t i = slots.first(handleIn(word, HandleBits));
  while (slots.at(i).load(std::memory_order_relaxed))
    ++i;
  slots.at(i).store(word, std::memory_order_release);
}

static uint64_t wordOf(const void *handle, HandleTable::Entry entry,
                       unsigned deviceBegin) {
  return reinterpret_cast<uintptr_t>(handle) | uint64_t(entry.marked) |
         uint64_t(entry.device) << deviceBegin;
}

void HandleTable::enter(const void *handle, Entry entry) {
  const uint64_t word = wordOf(handle, entry, DeviceBegin);
  std::lock_guard lock(mutex);
  Slots *slots = current.load(std::memory_order_relaxed);
  // A quarter of the slots stays free, also for what is put back.
  if (!slots || count + 1 > slots->size() / 4 * 3) {
    auto larger = std::make_unique<Slots>(slots ? slots->bits + 1 : FirstBits);
    for (size_t i = 0; slots && i < slots->size(); ++i)
      if (const uint64_t old = slots->at(i).load(std::memory_order_relaxed))
        put(*larger, old);
    all.push_back(std::move(larger));
    slots = all.back().get();
    current.store(slots, std::memory_order_release);
  }
  // After a reset the driver may give a handle again.
  if (Slot *old = look(*slots, handle)) {
    old->store(word, std::memory_order_release);
    return;
  }
  put(*slots, word);
  ++count;
}

bool HandleTable::mark(const void *handle) {
  std::lock_guard lock(mutex);
  const Slots *slots = current.load(std::memory_order_relaxed);
  Slot *slot = handle && slots ? look(*slots, handle) : nullptr;
  if (slot)
    slot->fetch_or(Mark, std::memory_order_release);
  return slot;
}

void HandleTable::remove(const Slots &slots, size_t hole) {
  const size_t last = slots.size() - 1;
  for (size_t i = hole + 1;; ++i) {
    const uint64_t word = slots.at(i).load(std::memory_order_relaxed);
    if (!word)
      break;
    // It may lie in the hole if that is between its own slot and here.
    const size_t own = slots.first(handleIn(word, HandleBits));
    if (((i - own) & last) < ((i - hole) & last))
      continue;
    slots.at(hole).store(word, std::memory_order_release);
    hole = i;
  }
  slots.at(hole).store(0, std::memory_order_release);
  --count;
}

HandleTable::Entry HandleTable::take(const void *handle) {
  std::lock_guard lock(mutex);
  const Slots *slots = current.load(std::memory_order_relaxed);
  size_t place = 0;
  const Slot *slot = handle && slots ? look(*slots, handle, &place) : nullptr;
  if (!slot)
    return {};
  const uint64_t word = slot->load(std::memory_order_relaxed);
  remove(*slots, place);
  return {static_cast<int>(word >> DeviceBegin), (word & Mark) != 0};
}

void HandleTable::putBack(const void *handle, Entry entry) {
  std::lock_guard lock(mutex);
  put(*current.load(std::memory_order_relaxed),
      wordOf(handle, entry, DeviceBegin));
  ++count;
}

void HandleTable::forget(int device) {
  std::lock_guard lock(mutex);
  const Slots *slots = current.load(std::memory_order_relaxed);
  // What is removed may bring a later entry into its slot.
  for (size_t i = 0; slots && i < slots->size();) {
    const uint64_t word = slots->at(i).load(std::memory_order_relaxed);
    if (word && static_cast<int>(word >> DeviceBegin) == device)
      remove(*slots, i);
    else
      ++i;
  }
}

} // namespace cufort::cuda
