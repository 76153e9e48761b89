//===- QuotientPieces.h - threads with the same quotient --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PARTITION_QUOTIENTPIECES_H
#define CUFORT_COMPILER_CPU_PARTITION_QUOTIENTPIECES_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-quotient-pieces. Needs cpu-fission; runs before cpu-full-rows, which
/// looks at what it leaves. Kernels that make rows and columns of one index (i
/// / width, i % width) divide in each thread, and what they access by the
/// results is scattered for all that a compiler knows. A loop over threads with
/// such quotients is made two: one that goes in pieces in which no quotient
/// changes, for divisors that are not too small, and the loop as it was (or,
/// for (i % width) / 2 and the like, in pieces for the divisors that are large
/// enough). In a piece quotients are the same for all threads, and remainders
/// grow with the thread's index.
llvm::Error separateQuotients(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PARTITION_QUOTIENTPIECES_H
