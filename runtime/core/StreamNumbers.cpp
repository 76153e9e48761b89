//===- StreamNumbers.cpp - streams as small integers ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/StreamNumbers.h"
#include <mutex>
#include <vector>

namespace cufort {
namespace {

/// The first number; 0 to 2 have a meaning of their own.
constexpr uintptr_t First = 256;

struct Numbers {
  std::mutex mutex;
  std::vector<StreamHandle> handles; ///< null: free
};

Numbers &numbers() {
  static auto *instance = new Numbers;
  return *instance;
}

} // namespace

int numberStream(StreamHandle stream) {
  Numbers &n = numbers();
  std::lock_guard lock(n.mutex);
  size_t place = 0;
  while (place < n.handles.size() && n.handles[place])
    ++place;
  if (First + place >= 65536)
    return 0;
  if (place == n.handles.size())
    n.handles.push_back(nullptr);
  n.handles[place] = stream;
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
  std::lock_guard lock(n.mutex);
  for (StreamHandle &handle : n.handles)
    if (handle == stream)
      handle = nullptr;
}

} // namespace cufort
