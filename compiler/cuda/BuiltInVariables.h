//===- BuiltInVariables.h - threadIdx and the others ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_BUILTINVARIABLES_H
#define CUFORT_COMPILER_CUDA_BUILTINVARIABLES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace cufort::cuda {

/// Whether \p name is threadIdx, blockIdx, blockDim or gridDim.
bool isBuiltInVariable(llvm::StringRef name);

/// Replaces the variables that include/cufort/built_in_variables.h declares,
/// and nobody defines, in the \p device code of a file: a member that is read
/// becomes the register that has it, in its place; a copy of the whole its
/// three members; where the address goes elsewhere, it is that of a copy which
/// lives as long as the function's call. Needs lists of what is used to be
/// gone.
void readBuiltInVariables(llvm::Module &device);

/// Whether no function of the \p host code of a file needs one of them. One for
/// both sides may read it, as long as the host does not call it; an error names
/// it otherwise. Needs code without unused functions and variables.
bool leavesBuiltInVariables(const llvm::Module &host);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_BUILTINVARIABLES_H
