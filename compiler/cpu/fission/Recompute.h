//===- Recompute.h - values that are cheaper computed again -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_FISSION_RECOMPUTE_H
#define CUFORT_COMPILER_CPU_FISSION_RECOMPUTE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"

namespace cufort::cpu {

/// Whether \p instruction is arithmetic without effects that may be executed
/// anywhere, also where the program would not.
bool isPureArithmetic(const llvm::Instruction &instruction);

/// Whether \p value can be had, where everything that \p available accepts can
/// be had, by a handful of arithmetic instructions: thread indices times
/// strides and the like. Constants and arguments are always available.
bool isRecomputable(llvm::Value *value,
                    llvm::function_ref<bool(llvm::Value *)> available);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_FISSION_RECOMPUTE_H
