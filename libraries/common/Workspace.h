//===- Workspace.h - memory that a routine works in -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread keeps the workspaces of its last routine for the next one: fresh
// pages, and giving them back while other threads run, take a twentieth of the
// eigenvalues of a small matrix.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_COMMON_WORKSPACE_H
#define CUFORT_LIBRARIES_COMMON_WORKSPACE_H

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>

namespace cufort::libraries {

namespace detail {

/// The workspaces that a thread keeps. One whose routine has failed the device
/// stays in use, for no destructor has run.
class KeptWorkspaces {
public:
  struct Block {
    void *memory = nullptr;
    size_t bytes = 0;
    bool inUse = false;
  };

  ~KeptWorkspaces() {
    for (const Block &each : blocks)
      if (!each.inUse)
        std::free(each.memory);
  }

  /// Null: none is left.
  Block *take(size_t bytes) {
    Block *found = nullptr;
    for (Block &each : blocks)
      if (!each.inUse && (!found || better(each, *found, bytes)))
        found = &each;
    if (!found)
      return nullptr;
    if (found->bytes < bytes) {
      std::free(found->memory);
      found->memory = std::malloc(bytes);
      found->bytes = found->memory ? bytes : 0;
      if (!found->memory)
        return nullptr;
    }
    found->inUse = true;
    return found;
  }

  static KeptWorkspaces &ofThread() {
    static thread_local KeptWorkspaces kept;
    return kept;
  }

private:
  /// Of those that are large enough the smallest, else the largest.
  static bool better(const Block &a, const Block &b, size_t bytes) {
    if ((a.bytes >= bytes) != (b.bytes >= bytes))
      return a.bytes >= bytes;
    return a.bytes >= bytes ? a.bytes < b.bytes : a.bytes > b.bytes;
  }

  Block blocks[4];
};

} // namespace detail

/// \p count elements, whose values are not defined, of the calling thread's.
template <typename T> class Workspace {
  static_assert(std::is_trivially_destructible_v<T>);

public:
  explicit Workspace(size_t count) : count(count) {
    const size_t bytes = count * sizeof(T);
    // What works in more takes so long that the pages do not matter.
    constexpr size_t MostKept = size_t(4) << 20;
    if (bytes <= MostKept)
      block = detail::KeptWorkspaces::ofThread().take(bytes);
    memory = static_cast<T *>(block ? block->memory : std::malloc(bytes));
    if (!memory)
      throw std::bad_alloc();
  }
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;
  ~Workspace() {
    if (block)
      block->inUse = false;
    else
      std::free(memory);
  }

  T *data() const { return memory; }
  T &operator[](size_t i) const { return memory[i]; }
  size_t size() const { return count; }

private:
  const size_t count;
  detail::KeptWorkspaces::Block *block = nullptr;
  T *memory;
};

} // namespace cufort::libraries

#endif // CUFORT_LIBRARIES_COMMON_WORKSPACE_H
