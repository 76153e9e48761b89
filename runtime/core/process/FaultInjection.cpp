//===- FaultInjection.cpp - calls that are made to fail -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/process/FaultInjection.h"

#ifdef CUFORT_FAULT_INJECTION

#include <atomic>
#include <cstdio>
#include <cstring>

namespace cufort {
namespace {

/// One entry of the specification. A fixed table, because whoever asks may be
/// in the middle of an allocation.
struct Point {
  char kind[64];
  std::atomic<unsigned long> left{0}; ///< calls until one fails; 0: no more
};

Point Points[16];
std::atomic<unsigned> Fired{0};
std::atomic<long> Live{0};
constinit thread_local bool InRuntime = false;

bool matches(const Point &point, const char *kind, const char *function) {
  if (!std::strcmp(point.kind, kind))
    return true;
  if (!function)
    return false;
  if (!std::strcmp(point.kind, "copy"))
    return !std::strncmp(function, "cuMemcpy", 8);
  if (!std::strcmp(point.kind, "launch"))
    return !std::strncmp(function, "cuLaunch", 8);
  return !std::strcmp(point.kind, function);
}

bool knownKind(const char *kind) {
  for (const char *known :
       {"alloc", "map", "thread", "driver", "copy", "launch"})
    if (!std::strcmp(kind, known))
      return true;
  return !std::strncmp(kind, "cu", 2);
}

bool readVariable() {
  const char *text = std::getenv("CUFORT_FAULTS");
  if (text && !setFaults(text)) {
    std::fprintf(stderr,
                 "error: CUFORT_FAULTS=%s is not valid; use alloc:N, map:N, "
                 "thread:N, driver:N, copy:N, launch:N or the name of a "
                 "function of libcuda in place of these, separated by commas\n",
                 text);
    std::_Exit(1);
  }
  return true;
}

} // namespace

bool setFaults(const char *specification) {
  for (Point &point : Points)
    point.left.store(0);
  Fired.store(0);
  size_t count = 0;
  for (const char *rest = specification; *rest;) {
    if (count == sizeof(Points) / sizeof(*Points))
      return false;
    Point &point = Points[count++];
    unsigned long number = 0;
    int length = 0;
    if (std::sscanf(rest, "%63[^:]:%lu%n", point.kind, &number, &length) != 2 ||
        !number || !knownKind(point.kind))
      return false;
    point.left.store(number);
    rest += length;
    if (*rest && (*rest++ != ',' || !*rest))
      return false;
  }
  return true;
}

bool faultDue(const char *kind, const char *function) {
  static const bool read = readVariable();
  (void)read;
  bool due = false;
  for (Point &point : Points) {
    unsigned long left = point.left.load();
    if (!left || !matches(point, kind, function))
      continue;
    while (left && !point.left.compare_exchange_weak(left, left - 1)) {
    }
    due |= left == 1;
  }
  if (due)
    Fired.fetch_add(1);
  return due;
}

unsigned faultsFired() { return Fired.load(); }

long liveAllocations() { return Live.load(); }

RuntimeScope::RuntimeScope(bool runtime) : before(InRuntime) {
  InRuntime = runtime;
}

RuntimeScope::~RuntimeScope() { InRuntime = before; }

} // namespace cufort

// The program's own operators: the library's come last in the link.

static void *allocateFor(std::size_t bytes, std::size_t alignment) {
  if (cufort::InRuntime && cufort::faultDue("alloc"))
    return nullptr;
  if (!bytes)
    bytes = 1;
  void *memory = alignment
                     ? std::aligned_alloc(alignment, (bytes + alignment - 1) /
                                                         alignment * alignment)
                     : std::malloc(bytes);
  if (memory)
    cufort::Live.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

static void release(void *memory) {
  if (memory)
    cufort::Live.fetch_sub(1, std::memory_order_relaxed);
  std::free(memory);
}

static void *orThrow(void *memory) {
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

void *operator new(std::size_t bytes) { return orThrow(allocateFor(bytes, 0)); }
void *operator new[](std::size_t bytes) {
  return orThrow(allocateFor(bytes, 0));
}
void *operator new(std::size_t bytes, std::align_val_t alignment) {
  return orThrow(allocateFor(bytes, static_cast<std::size_t>(alignment)));
}
void *operator new[](std::size_t bytes, std::align_val_t alignment) {
  return orThrow(allocateFor(bytes, static_cast<std::size_t>(alignment)));
}
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
  return allocateFor(bytes, 0);
}
void *operator new[](std::size_t bytes, const std::nothrow_t &) noexcept {
  return allocateFor(bytes, 0);
}
void *operator new(std::size_t bytes, std::align_val_t alignment,
                   const std::nothrow_t &) noexcept {
  return allocateFor(bytes, static_cast<std::size_t>(alignment));
}
void *operator new[](std::size_t bytes, std::align_val_t alignment,
                     const std::nothrow_t &) noexcept {
  return allocateFor(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void *memory) noexcept { release(memory); }
void operator delete[](void *memory) noexcept { release(memory); }
void operator delete(void *memory, std::size_t) noexcept { release(memory); }
void operator delete[](void *memory, std::size_t) noexcept { release(memory); }
void operator delete(void *memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void *memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void *memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}

#endif // CUFORT_FAULT_INJECTION
