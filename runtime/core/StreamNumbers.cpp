//===- StreamNumbers.cpp - streams as small integers ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/StreamNumbers.h"
#include "runtime/core/process/Process.h"
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace cufort {
namespace {

/// The first number; 0 to 2 have a meaning of their own.
constexpr uintptr_t First = 256;

struct Numbers {
  std::mutex mutex;
  std::vector<StreamHandle> handles; ///< null: free
  std::vector<size_t> unused;        ///< those; has room for all there are
  std::unordered_map<StreamHandle, size_t> places;
  std::atomic<bool> used{false}; ///< whether there has been any
};

Numbers &numbers() {
  return processWide<Numbers>(ProcessObject::StreamNumbers);
}

} // namespace

int numberStream(StreamHandle stream) {
  Numbers &n = numbers();
  std::lock_guard lock(n.mutex);
  // Of before a reset.
  if (auto old = n.places.find(stream); old != n.places.end())
    return static_cast<int>(First + old->second);
  if (n.unused.empty()) {
    const size_t place = n.handles.size();
    if (First + place >= 65536)
      return 0;
    if (n.unused.capacity() <= place)
      n.unused.reserve(2 * (place + 1));
    n.handles.push_back(nullptr);
    n.unused.push_back(place);
  }
  const size_t place = n.unused.back();
  n.places.emplace(stream, place);
  n.unused.pop_back();
  n.handles[place] = stream;
  n.used.store(true, std::memory_order_release);
  return static_cast<int>(First + place);
}

StreamHandle handleOfNumber(StreamHandle number) {
  const auto value = reinterpret_cast<uintptr_t>(number);
  Numbers &n = numbers();
  std::lock_guard lock(n.mutex);
  if (value < First || value - First >= n.handles.size() ||
      !n.handles[value - First])
    return number;
  return n.handles[value - First];
}

void forgetStreamNumber(StreamHandle stream) {
  Numbers &n = numbers();
  if (!n.used.load(std::memory_order_acquire))
    return;
  std::lock_guard lock(n.mutex);
  auto found = n.places.find(stream);
  if (found == n.places.end())
    return;
  n.handles[found->second] = nullptr;
  n.unused.push_back(found->second);
  n.places.erase(found);
}

} // namespace cufort
