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

#include "runtime/check/Report.h"
#include <cstddef>

namespace cufort::check {

/// Whether the program is checked; what follows does nothing where not.
bool isOn();

struct Allocation {
  uintptr_t base = 0;
  size_t bytes = 0;
  bool live = false;
  bool managed = false, host = false; ///< of cudaMallocManaged, cudaMallocHost
  int device = 0;
  std::string name = {}; ///< the variable that it was allocated for
  Place allocated = {};  ///< line 0: nobody knows
  Place freed = {};

  bool holds(uintptr_t address) const { return address - base < bytes; }
};

/// The allocation that \p address lies in or is nearest to; a live one before a
/// freed one. False: there is none.
bool nearestAllocation(uintptr_t address, Allocation &allocation);

/// "is 4 bytes after the nearest allocation at 0x... of size 256 bytes" and
/// where it was allocated and freed: lines for Report::details.
void describeAddress(uintptr_t address, std::vector<std::string> &details);

/// The statement of the host that the calling thread executes, as far as the
/// compiler or the line tables of the program tell.
Place hostPlace(Access access);

} // namespace cufort::check

#endif // CUFORT_RUNTIME_CHECK_ALLOCATIONS_H
