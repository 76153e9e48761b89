//===- LoopAccesses.h - what loops read and compute -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ANALYSIS_LOOPACCESSES_H
#define CUFORT_COMPILER_GPU_ANALYSIS_LOOPACCESSES_H

namespace llvm {
class Loop;
}

namespace cufort {

/// Whether \p loop has a division with branches, which ptxas moves no load
/// across: the loads of several iterations would still wait for each other.
bool divides(const llvm::Loop &loop);

/// Whether a thread that did several iterations at a time would have several
/// accesses in flight: shared memory answers at once.
bool loadsFromGlobal(const llvm::Loop &loop);

/// Whether \p loop loads from shared memory.
bool loadsFromShared(const llvm::Loop &loop);

/// An array of the thread which is no register: it lies in global memory too.
bool loadsFromArray(const llvm::Loop &loop);

/// Whether \p loop loads from memory and computes square roots or quotients,
/// for which ptxas has a branch each: it repeats no such loop itself, in which
/// one iteration's load would wait for what the one before has computed.
bool loadsBetweenRoots(const llvm::Loop &loop);

/// Parameters lie in constant memory, where an element whose place is known is
/// an operand of any instruction, and one that is not has to be loaded first.
bool readsParameters(const llvm::Loop &loop);

/// Whether \p loop fills global memory, and does nothing else to memory.
bool onlyStoresToGlobal(const llvm::Loop &loop);

/// Whether \p loop goes on to a number from memory, as over a row of a sparse
/// matrix.
bool followsRow(const llvm::Loop &loop);

/// Whether a block of \p loop loads by what it has loaded.
bool gathers(const llvm::Loop &loop);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ANALYSIS_LOOPACCESSES_H
