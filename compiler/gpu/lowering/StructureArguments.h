//===- StructureArguments.h - structures by value ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_STRUCTUREARGUMENTS_H
#define CUFORT_COMPILER_GPU_LOWERING_STRUCTUREARGUMENTS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// After this pass structures that a device function takes by value are values.
/// Clang hands on a pointer to a copy (`byval`), which is in the thread's
/// memory where the call is not expanded, as that of a virtual function is.
/// LLVM 22 copies it from there component by component, and leaves out what is
/// between them: of a union another member's bytes. Without optimisation they
/// are values for that reason alone. In PTX the parameter is the same, size and
/// alignment, so that callers and functions of other modules, which are left
/// alone, fit. Needs: no more inlining; to come before what infers memory.
/// Kernels keep theirs.
llvm::PreservedAnalyses
lowerStructureArguments(llvm::Module &module,
                        llvm::ModuleAnalysisManager &manager,
                        const GpuOptions &options);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_STRUCTUREARGUMENTS_H
