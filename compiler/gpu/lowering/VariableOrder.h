//===- VariableOrder.h - variables before those that hold them --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_VARIABLEORDER_H
#define CUFORT_COMPILER_GPU_LOWERING_VARIABLEORDER_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Puts each variable after those whose addresses its initial value holds, as
/// PTX wants them, and else leaves their order. LLVM does so itself when it
/// writes PTX, but then the order of those that one variable holds is that of
/// their addresses in the compiler's memory: the same program would be other
/// PTX from one build of the compiler to the next. Needs all variables to be
/// there.
llvm::PreservedAnalyses orderVariables(llvm::Module &module,
                                       llvm::ModuleAnalysisManager &manager,
                                       const GpuOptions &options);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_VARIABLEORDER_H
