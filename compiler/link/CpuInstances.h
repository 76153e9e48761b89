//===- CpuInstances.h - CPU code for several devices ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_LINK_CPUINSTANCES_H
#define CUFORT_COMPILER_LINK_CPUINSTANCES_H

#include "llvm/IR/Module.h"
#include <vector>

namespace cufort {

/// Every CPU device has its own instance of the code and of the device
/// variables, which the runtime makes by loading the executable's file once
/// more. Needs the optimised module \p cpu of the CPU engine and the \p device
/// module it was made of, whose annotations name the managed variables. Leaves
/// code that reaches what all instances share - managed variables, and
/// functions of the runtime and of libraries that may use memory - through
/// pointers, and returns those. The first device's code gets no slower: a
/// pointer is loaded once for a block, a call through one costs what a call
/// into a library costs.
std::vector<llvm::GlobalValue *> shareAmongInstances(const llvm::Module &device,
                                                     llvm::Module &cpu);

} // namespace cufort

#endif // CUFORT_COMPILER_LINK_CPUINSTANCES_H
