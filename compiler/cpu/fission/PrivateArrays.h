//===- PrivateArrays.h - private arrays that outlive a barrier --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_FISSION_PRIVATEARRAYS_H
#define CUFORT_COMPILER_CPU_FISSION_PRIVATEARRAYS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-private. Needs cpu-entry. Leaves the private arrays of kernels with
/// barriers in the arena: element by element across the threads where all
/// accesses are of one size, else one whole array after the other; never on the
/// stack. Kernels with warp operations and arrays that are too large for
/// placeInStrip have them there too; others without barriers keep one copy in
/// the prologue, which their threads use one after the other. Kernels with
/// arrays of variable size run on fibers.
llvm::Error placePrivateArrays(llvm::Module &module, const CpuOptions &options);

/// The same of one entry. Returns an array of variable size where there is one:
/// then nothing is changed.
llvm::AllocaInst *placePrivateArraysOf(llvm::Function &entry);

/// Needs a thread body. Leaves each private array of it as one array for all
/// \p lanes of a strip (with StripArrayMetadata), laid out in the same way;
/// larger ones, and all if they take too much of a worker's stack, as they
/// were.
void placeInStrip(llvm::Function &body, unsigned lanes);

inline constexpr char StripArrayMetadata[] = "cufort.strip";

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_FISSION_PRIVATEARRAYS_H
