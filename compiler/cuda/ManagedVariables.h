//===- ManagedVariables.h - variables that both sides use -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang does not know __managed__ for CUDA. Our header makes it a device
// variable with an annotation, which Clang hands down to both modules.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CUDA_MANAGEDVARIABLES_H
#define CUFORT_COMPILER_CUDA_MANAGEDVARIABLES_H

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace cufort::cuda {

/// Needs a source that Clang has read. The symbols of the managed variables
/// that it declares and other files define: Clang's modules do not have their
/// annotations.
llvm::StringSet<> managedElsewhere(clang::CompilerInstance &instance);

/// Needs a device module from Clang. Leaves the managed variables marked for
/// NVPTX, in memory that the host can reach by the same address.
void markManagedVariables(llvm::Module &device);

/// Needs a host module from Clang, not yet optimised, and the symbols of
/// managed variables of other files. Leaves host code that uses managed
/// variables where they are, in the device's memory, instead of Clang's copy.
/// False after a diagnostic: an initial value of the host's cannot hold such an
/// address.
bool useManagedVariables(llvm::Module &host,
                         const llvm::StringSet<> &elsewhere);

} // namespace cufort::cuda

#endif // CUFORT_COMPILER_CUDA_MANAGEDVARIABLES_H
