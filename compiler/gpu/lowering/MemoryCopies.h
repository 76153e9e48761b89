//===- MemoryCopies.h - copies and fills of known length --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_MEMORYCOPIES_H
#define CUFORT_COMPILER_GPU_LOWERING_MEMORYCOPIES_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Expands copies and fills of known length (assignments of structures, `int
/// count[64] = {}`) into loads and stores as wide as the alignment allows:
/// short ones one after the other, all loads first; longer ones in a loop. LLVM
/// leaves them to the code generator, whose loads and stores of at most eight
/// bytes wait for each other, and which copies and fills what is longer byte by
/// byte. Needs nothing; leaves copies of unknown length, and long ones of small
/// alignment.
llvm::PreservedAnalyses
expandMemoryCopies(llvm::Function &function,
                   llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_MEMORYCOPIES_H
