//===- Instrument.h - device code that tells what it does -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_INSTRUMENT_H
#define CUFORT_COMPILER_CHECK_INSTRUMENT_H

#include "compiler/common/CheckOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"

namespace cufort::check {

/// Of atomic operations and fences: only the threads of one block see them.
inline constexpr char BlockScopeMetadata[] = "cufort.block.scope";
/// Of loads and stores that pass the cache of a multiprocessor (.cg): that is
/// how programs look at what other blocks write.
inline constexpr char PastCacheMetadata[] = "cufort.past.cache";
/// Notes the scope that \p instruction has now, before it is widened.
void noteScope(llvm::Instruction &instruction);
void setBlockScope(llvm::Instruction &instruction);

/// Of kernels among the functions that are instrumented.
inline constexpr char CheckedKernelAttribute[] = "cufort-check-kernel";

/// How an instruction waits for other threads.
enum class Wait {
  No,
  Barrier,         ///< for all threads of the block
  BarrierAnywhere, ///< the same, which may be at other statements
  Warp,            ///< for all of its warp
  Other            ///< anything else
};

/// Needs inlined procedures whose scalars may still be in memory, and no inline
/// PTX. Leaves a call of the runtime (image::CheckPrefix) before each access of
/// \p functions to memory that other threads may see, one more after those
/// that may order others, one before each fence and whatever \p waits; accesses
/// of private arrays are compared with their bounds alone. What promises that
/// pointers do not overlap goes: the checkers look for programs that break it.
/// \p ownFolder is where the language's
/// headers are, which no place names.
void instrument(llvm::Module &module,
                llvm::ArrayRef<llvm::Function *> functions,
                const CheckOptions &checks, llvm::StringRef ownFolder,
                llvm::function_ref<Wait(llvm::Instruction &)> waits);

/// Makes room in device code for the address of what the runtime has to know.
void declareTable(llvm::Module &device);

/// Takes the calls of \p module that front ends have put in out again, for code
/// that nobody checks.
void removeChecks(llvm::Module &module);
void removeChecks(llvm::Function &function);

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_INSTRUMENT_H
