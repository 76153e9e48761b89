//===- MemoryScopes.h - memories that do not overlap ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_OPTIMISE_MEMORYSCOPES_H
#define CUFORT_COMPILER_CPU_OPTIMISE_MEMORYSCOPES_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace cufort::cpu {

/// Memories of a block entry that do not overlap: a worker's shared memory, its
/// arena, and all that kernel parameters may point to.
enum class Memory { Shared, Arena, Parameter };

/// The memory in which \p address lies for certain.
std::optional<Memory> memoryAt(const llvm::Value *address);

/// cpu-scopes. Needs cpu-shared; comes when no pass makes accesses of its own
/// any more. Leaves what LLVM cannot see in the memory accesses of block
/// entries, as alias scopes: a worker's shared memory and its arena are apart
/// from each other and from what kernel parameters point to.
llvm::Error separateMemories(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_OPTIMISE_MEMORYSCOPES_H
