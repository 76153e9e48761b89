//===- StructureArguments.h - structures by value, as C has them ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LOWER_LLVM_STRUCTUREARGUMENTS_H
#define CUFORT_COMPILER_LOWER_LLVM_STRUCTUREARGUMENTS_H

#include "llvm/IR/Module.h"

namespace cufort::lower {

/// Derived types with VALUE of BIND(C) device procedures: Flang's lowering
/// leaves them as values of LLVM's structure types, Clang passes structures to
/// device functions as addresses of copies (`byval`). Needs device IR; leaves
/// every function and call of \p device in Clang's form. Complex numbers are
/// structures without a name and stay as they are.
void passStructuresAsC(llvm::Module &device);

} // namespace cufort::lower

#endif // CUFORT_COMPILER_LOWER_LLVM_STRUCTUREARGUMENTS_H
