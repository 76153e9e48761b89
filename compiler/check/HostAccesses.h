//===- HostAccesses.h - host code and memory of devices ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_HOSTACCESSES_H
#define CUFORT_COMPILER_CHECK_HOSTACCESSES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace cufort::check {

/// Host code, not yet optimised, tells the runtime of its accesses to memory
/// that devices may reach (runtime/check/Order.h), while anything is under way.
void noteHostAccesses(llvm::Module &host);

/// Whether \p function is one of CUDA's, in any of its languages: the runtime's
/// and the driver's, what launches and statements become, and the templates and
/// module procedures around them.
bool isCuda(llvm::StringRef function);

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_HOSTACCESSES_H
