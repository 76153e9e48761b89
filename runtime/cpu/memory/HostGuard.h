//===- HostGuard.h - host code that touches device memory -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory on the CPU is memory like any other, and what would be a crash
// on a GPU goes unnoticed. With CUFORT_CPU_GUARD=1 it lies where nobody can
// read or write but while something of a device runs.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_MEMORY_HOSTGUARD_H
#define CUFORT_RUNTIME_CPU_MEMORY_HOSTGUARD_H

#include "runtime/core/process/Environment.h"
#include <cstddef>

namespace cufort::cpu::guard {

inline bool isOn() { return environment().cpuGuard; }

/// \p bytes of guarded memory, at a page's boundary; null: there are no more.
char *allocate(size_t bytes);
/// Gives back what \p bytes were allocated at \p begin.
void release(char *begin, size_t bytes);
/// Whether \p address lies where guarded memory does. For signal handlers.
bool holds(const void *address);

void enter();
void leave();

/// Lets the process use device memory while it lives.
class DeviceAccess {
public:
  DeviceAccess() {
    if (isOn())
      enter();
  }
  DeviceAccess(const DeviceAccess &) = delete;
  DeviceAccess &operator=(const DeviceAccess &) = delete;
  ~DeviceAccess() {
    if (isOn())
      leave();
  }
};

} // namespace cufort::cpu::guard

#endif // CUFORT_RUNTIME_CPU_MEMORY_HOSTGUARD_H
