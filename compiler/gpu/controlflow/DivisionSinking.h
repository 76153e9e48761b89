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

/// Sinks a division or square root whose result a select may discard into a
/// block under the select's condition: `if (k > 1) x /= k;`. LLVM speculates
/// one instruction, however expensive, and relies on the code generator to undo
/// that, which a GPU's does not. An exact division or square root is some ten
/// instructions and a branch of its own. The same goes for one or two
/// operations on doubles, which take a unit of which there are few, and to
/// select between their results two instructions more. What only the selected
/// value is computed from moves along. Needs: LLVM's SimplifyCFG done, which
/// would speculate again. Leaves a branch and a phi in place of each such
/// select.
llvm::PreservedAnalyses sinkDivisions(llvm::Function &function,
                                      llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_CONTROLFLOW_DIVISIONSINKING_H
