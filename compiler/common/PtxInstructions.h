//===- PtxInstructions.h - what PTX has, and since when ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_PTXINSTRUCTIONS_H
#define CUFORT_COMPILER_COMMON_PTXINSTRUCTIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace cufort {

/// What PTX needs that not all GPUs have.
struct PtxNeed {
  unsigned architecture = 0; ///< 80 is sm_80; 0: any
  unsigned version = 0;      ///< 70 is PTX 7.0; 0: any
  /// The chips of the architecture alone have it (sm_90a), no newer ones.
  bool isOfOneChip = false;
};

/// One statement of an inline assembly.
struct PtxStatement {
  llvm::StringRef instruction; ///< "cp.async.cg.shared.global"
  llvm::StringRef operands;
  size_t offset; ///< of the instruction in the text
};

/// Calls \p visit with each instruction of \p text, an inline assembly as LLVM
/// has it: without directives, labels, predicates and comments.
void forEachPtxStatement(llvm::StringRef text,
                         llvm::function_ref<void(const PtxStatement &)> visit);

/// Whether PTX 9.0 has instructions of the name that \p instruction begins
/// with. Names of macros and of what an assembly is put together from are none
/// of PTX's words, and are let pass.
bool isPtxInstruction(llvm::StringRef instruction);

/// What \p statement needs, by its name, its modifiers and the special
/// registers among its operands.
PtxNeed ptxNeed(const PtxStatement &statement);

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_PTXINSTRUCTIONS_H
