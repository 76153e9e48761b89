//===- RegionLoops.h - fission along uniform control flow -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_FISSION_REGIONLOOPS_H
#define CUFORT_COMPILER_CPU_FISSION_REGIONLOOPS_H

#include "compiler/cpu/fission/Regions.h"

namespace cufort::cpu {

/// The fast path of cpu-fission. Needs the division of \p entry. Leaves an
/// entry in which nodes are ordinary control flow and every region is a loop
/// nest over the threads. What all threads share is computed once, outside the
/// loops; of the values that pass from one region to another those that follow
/// cheaply from the thread index are computed again and the rest are kept in
/// the arena.
void loopOverRegions(llvm::Function &entry, Regions &regions);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_FISSION_REGIONLOOPS_H
