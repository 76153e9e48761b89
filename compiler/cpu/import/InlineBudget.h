//===- InlineBudget.h - procedures too long to copy -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_INLINEBUDGET_H
#define CUFORT_COMPILER_CPU_IMPORT_INLINEBUDGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

namespace cufort::cpu {

/// Part of cpu-inline, before anything is inlined. A copy of each procedure at
/// each of its calls multiplies from level to level. Returns those that are to
/// stay functions, so that none of \p kernels becomes longer than can be
/// compiled: of the procedures that \p isInlined names such as one thread can
/// go through on its own, with as few calls of them as possible.
llvm::SmallPtrSet<llvm::Function *, 4>
proceduresBeyondBudget(llvm::ArrayRef<llvm::Function *> kernels,
                       llvm::function_ref<bool(llvm::Function &)> isInlined);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_INLINEBUDGET_H
