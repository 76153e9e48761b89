//===- Allocations.h - what device memory there is and was ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every allocation of programs that are checked, with the statements that made
// and freed it. Freed memory stays in quarantine, so that its addresses mean
// what was there for a while.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CHECK_ALLOCATIONS_H
#define CUFORT_RUNTIME_CHECK_ALLOCATIONS_H

#include "runtime/check/Check.h"
#include "runtime/check/report/Report.h"
#include "runtime/core/process/Error.h"
#include <cstddef>

namespace cufort::check {

/// A statement of the host: what code that was compiled with --check has at a
/// constant place for each of its calls of CUDA.
struct HostPlace {
  const char *file;
  uint32_t line, column;
};

} // namespace cufort::check

/// The statement that the calling thread executes, or has last; set by code
/// that was compiled with --check (compiler/check/HostPlaces.h).
extern "C" thread_local const cufort::check::HostPlace *__cufort_check_place;

namespace cufort::check {

struct Allocation {
  uintptr_t base = 0;
  size_t bytes = 0;
  bool live = false;
  MemoryUse use = MemoryUse::Device;
  bool isVariable = false; ///< which the program cannot free
  std::string name = {};   ///< the variable that it was allocated for
  Place allocated = {};    ///< line 0: not known
  Place freed = {};

  bool holds(uintptr_t address) const { return address - base < bytes; }
};

/// What the calling thread allocates while it lives is the runtime's own.
class OwnMemory {
public:
  OwnMemory() { __cufort_check_place = nullptr; }
  OwnMemory(const OwnMemory &) = delete;
  OwnMemory &operator=(const OwnMemory &) = delete;
  ~OwnMemory() { __cufort_check_place = before; }

private:
  const HostPlace *before = __cufort_check_place;
};

/// The allocation that \p address lies in or is nearest to; a live one before a
/// freed one. False: there is none.
bool nearestAllocation(uintptr_t address, Allocation &allocation);

/// "is 4 bytes after the nearest allocation at 0x... of size 256 bytes" and
/// where it was allocated and freed: lines for Report::details.
void describeAddress(uintptr_t address, std::vector<std::string> &details);

/// Device memory or page-locked memory begins and ends to exist. What the
/// program has not allocated itself is the runtime's and no leak.
void noteAllocation(const void *begin, size_t bytes, MemoryUse use,
                    Place place);
/// The allocation at \p begin, of such \p use, is freed at \p place: \p gone.
/// False: there is none.
bool noteRelease(const void *begin, MemoryUse use, const Place &place,
                 Allocation &gone);
/// \p begin is the allocation of a variable, which lives as long as its scope:
/// that of a main program is no leak.
void noteVariable(const void *begin);
/// What was at \p begin before it was freed is forgotten.
void forgetRelease(const void *begin);
/// \p call, a statement of the host, frees \p memory, which is no allocation,
/// or not any more.
void reportWrongFree(const void *memory, const char *call);
/// The same as a report of \p place.
Report wrongFree(const void *memory, const char *call, Place place);
/// The same where it failed so; \p error again.
inline Error checkFree(Error error, const void *memory, const char *call) {
  if (error == cudaErrorInvalidValue && checking(image::CheckMemory))
    reportWrongFree(memory, call);
  return error;
}
/// The work of the calling thread copies from or to \p address; reports it if
/// that has been freed. \p what: "read" or "write".
void reportFreedCopy(uintptr_t address, const char *what);
/// With CUFORT_CHECK_LEAKS=1, what is allocated now is not freed any more.
void reportLeaks();

/// The statement of the host that the calling thread executes, as far as the
/// compiler or the line tables of the program tell.
Place hostPlace(Access access);

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_ALLOCATIONS_H
