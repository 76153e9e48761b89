//===- PrivateArrays.h - private arrays on a GPU ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_PRIVATEARRAYS_H
#define CUFORT_COMPILER_GPU_LOWERING_PRIVATEARRAYS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Aligns the private arrays of device code as far as their size allows without
/// filling, up to 16 bytes: several elements can be one access then, where
/// their type alone (characters, say) asks for one access each.
llvm::PreservedAnalyses
alignPrivateArrays(llvm::Function &function,
                   llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_PRIVATEARRAYS_H
