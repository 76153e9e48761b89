//===- FaultInjection.h - calls that are made to fail -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the library cufort-runtime-with-faults, and in all of a build with
// -DCUFORT_FAULT_INJECTION=ON, the variable CUFORT_FAULTS, or a test, makes
// chosen calls fail once: "alloc:7,cuMemAlloc_v2:2" is the seventh allocation
// of the runtime and the second call of that driver function. Other builds
// refuse the variable.
//
//   alloc   what the runtime allocates for itself: new, malloc and the like
//   map     mmap, memfd_create
//   thread  the start of a worker thread
//   driver  any call of libcuda
//   copy    any of cuMemcpy*
//   launch  any of cuLaunch*
//   cu...   the function of libcuda with this name
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_PROCESS_FAULTINJECTION_H
#define CUFORT_RUNTIME_CORE_PROCESS_FAULTINJECTION_H

#include "runtime/core/process/Error.h"
#include <cstdlib>
#include <new>

namespace cufort {

#ifdef CUFORT_FAULT_INJECTION

/// Whether the call that follows, of kind \p kind ("alloc") and, of the
/// driver's, with the name \p function, has to fail.
bool faultDue(const char *kind, const char *function = nullptr);

/// Replaces what is still to fail; the syntax is CUFORT_FAULTS'. False if
/// \p specification is not valid.
bool setFaults(const char *specification);

/// How many calls have been made to fail since setFaults.
unsigned faultsFired();

/// How many allocations by new have not been deleted, of the whole program.
long liveAllocations();

/// While one lives on a thread, the thread's allocations are the runtime's.
class RuntimeScope {
public:
  explicit RuntimeScope(bool runtime = true);
  ~RuntimeScope();

private:
  const bool before;
};

#else

constexpr bool faultDue(const char *, const char * = nullptr) { return false; }

struct RuntimeScope {
  explicit RuntimeScope(bool = true) {}
  ~RuntimeScope() {}
};

#endif

/// While one lives on a thread, the thread executes the program's own code,
/// whose allocations are none of ours.
struct ProgramScope : RuntimeScope {
  ProgramScope() : RuntimeScope(false) {}
};

/// What \p call() returns; cudaErrorMemoryAllocation where the runtime finds no
/// memory for itself. Everything that the program calls goes through this.
template <typename Call> Error catchExhaustion(Call call) {
  const RuntimeScope scope;
  try {
    return call();
  } catch (const std::bad_alloc &) {
    return cudaErrorMemoryAllocation;
  }
}

/// std::malloc and std::aligned_alloc that fail when a fault is due.
inline void *allocateBytes(size_t bytes) {
  return faultDue("alloc") ? nullptr : std::malloc(bytes);
}
inline void *allocateBytes(size_t alignment, size_t bytes) {
  return faultDue("alloc") ? nullptr : std::aligned_alloc(alignment, bytes);
}

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_PROCESS_FAULTINJECTION_H
