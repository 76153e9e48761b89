//===- ThreadEntries.h - kernels as they were written -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_BLOCK_THREADENTRIES_H
#define CUFORT_COMPILER_CPU_BLOCK_THREADENTRIES_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-thread-entry. Needs cpu-shared. Leaves, besides each block entry, a copy
/// with the signature of image::CpuThreadEntry, in which a thread index is an
/// argument, a barrier a call of image::BlockBarrierFunction and a warp
/// operation one of image::WarpOperationFunction, which also stands before each
/// volatile access: the naive execution with which cpu-fission is compared. The
/// votes of reducing barriers are counted in cufort-vote-counters. Of a kernel
/// with cufort-fibers only the copy is left.
llvm::Error makeThreadEntries(llvm::Module &module, const CpuOptions &options);

/// Needs cpu-thread-entry. Notes that the threads of the kernel that \p block
/// is an entry of, perhaps half transformed, run as fibers: slower, but code of
/// any form can wait there. \p why names the construct that asks for it. An
/// error, with the place \p at, if there is no thread entry.
llvm::Error runOnFibers(llvm::Function &block, const llvm::Instruction *at,
                        const llvm::Twine &why);

/// Leaves only the thread entries of such kernels.
void eraseBlocksOnFibers(llvm::Module &module);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_BLOCK_THREADENTRIES_H
