//===- RecursiveCalls.h - procedures that call themselves -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_RECURSIVECALLS_H
#define CUFORT_COMPILER_LINK_RECURSIVECALLS_H

#include "compiler/link/HostObjects.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace cufort {

/// For each group of procedures that kernels of \p device reach and that call
/// themselves, directly or through each other by name, a message: on a GPU
/// nobody knows how much stack they need, and there is little. None if \p host
/// sets the size itself.
std::vector<std::string> describeRecursion(llvm::Module &device,
                                           const HostObjects &host);

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_RECURSIVECALLS_H
