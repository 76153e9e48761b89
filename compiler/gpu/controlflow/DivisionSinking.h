//===- DivisionSinking.h - divisions where they are needed ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_CONTROLFLOW_DIVISIONSINKING_H
#define CUFORT_COMPILER_GPU_CONTROLFLOW_DIVISIONSINKING_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// After this pass `if (k > 1) x /= k;` divides where the condition holds. LLVM
/// divides always, and selects: it allows itself one instruction, however
/// expensive, and relies on the code generator to undo that, which a GPU's does
/// not. An exact division or square root is some ten instructions and a branch
/// of its own. The same goes for one or two operations on doubles, which take a
/// unit of which there are few, and to choose between their results two
/// instructions more. What only the selected value is computed from moves
/// along; flow of control is added.
llvm::PreservedAnalyses sinkDivisions(llvm::Function &function,
                                      llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_DIVISIONSINKING_H
