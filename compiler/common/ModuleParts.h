//===- ModuleParts.h - parts of a module at the same time -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM works on a module on one core, and what belongs to one context must stay
// with one thread. So a part of a module, some of its functions, goes into a
// context of its own as bitcode; there the module's other functions are
// declarations.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_COMMON_MODULEPARTS_H
#define CUFORT_COMPILER_COMMON_MODULEPARTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include <vector>

namespace cufort {

/// Functions with bodies that stay together.
using ModulePart = llvm::SmallVector<llvm::Function *, 0>;

/// All functions of \p module that have bodies.
ModulePart definedFunctions(llvm::Module &module);

/// Divides \p functions into parts, at least one, of \p least instructions or
/// more, which should be worth a thread. It depends on the functions alone, not
/// on the machine, so that the same program gives the same code everywhere.
std::vector<ModulePart> divide(llvm::ArrayRef<llvm::Function *> functions,
                               uint64_t least);

/// Calls \p work for each of \p parts with its number, several at the same
/// time, each on a thread of its own, and puts what it has made of the part's
/// functions in their place in \p module: pointers to them are no longer valid.
/// \p work may do away with functions and make others, and internal variables;
/// the module's variables are declarations in a part, or copies of constants.
/// One part alone is worked on in \p module itself.
void rewriteParts(llvm::Module &module, llvm::ArrayRef<ModulePart> parts,
                  llvm::function_ref<void(llvm::Module &, unsigned)> work);

/// Calls \p work for each of \p parts in the same way, for code generation: the
/// parts must hold all functions of \p module, and the first has its variables.
/// What was internal gets a name that is visible to the other parts, not
/// outside of what they are linked to. One part alone is
/// \p module as it is.
void emitParts(llvm::Module &module, llvm::ArrayRef<ModulePart> parts,
               llvm::function_ref<void(llvm::Module &, unsigned)> work);

} // namespace cufort

#endif // CUFORT_COMPILER_COMMON_MODULEPARTS_H
