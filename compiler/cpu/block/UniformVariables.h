//===- UniformVariables.h - what all threads have, for debuggers -*- C++
//-*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In optimised code (-g -O2) threads are iterations of loops and lanes of
// vectors: what a thread has for itself has no place that a debugger could
// read. What all threads of a block have does not change while the block runs.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_BLOCK_UNIFORMVARIABLES_H
#define CUFORT_COMPILER_CPU_BLOCK_UNIFORMVARIABLES_H

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace cufort::cpu {

/// Takes what is said of variables in \p entry, a function that runs blocks,
/// and notes in the function's metadata where those lie that all threads have:
/// dummy arguments that they do not change, and shared variables. Needs
/// cpu-shared.
void noteUniform(llvm::Function &entry);

/// Describes these variables and the predefined variables of the block. The
/// arguments of such functions, which lead to all of them, get a place in
/// memory: a few stores for each block. Needs all passes to be done, none of
/// which then knows of it.
void describeUniform(llvm::Module &module);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_BLOCK_UNIFORMVARIABLES_H
