//===- FullRows.h - rows in which every thread goes the same way *- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PARTITION_FULLROWS_H
#define CUFORT_COMPILER_CPU_PARTITION_FULLROWS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-full-rows. Needs cpu-fission. A loop over threads with conditions on the
/// thread index in it (s(t) = 0; if (i <= n) s(t) = x(i)), as almost all blocks
/// fulfil them for all threads, is made two: one without them, for rows of
/// which that is found out beforehand, and the loop as it was. Vectors of the
/// first need no masks.
llvm::Error separateFullRows(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PARTITION_FULLROWS_H
