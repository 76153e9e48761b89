//===- EarlyReturns.h - threads that leave before a barrier -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_FISSION_EARLYRETURNS_H
#define CUFORT_COMPILER_CPU_FISSION_EARLYRETURNS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-early-return. Needs cpu-barriers. Leaves kernels with barriers in which
/// a return that some threads of a block take while others go on to a barrier
/// has become a mark (ThreadExitMark): the code on the path to the return is
/// copied to where the threads part, ends in the mark and then joins the
/// threads that stay. So the control flow around the barriers is what the
/// staying threads see, and the analyses find it uniform. Fission ends a thread
/// at the mark.
llvm::Error maskEarlyReturns(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_FISSION_EARLYRETURNS_H
