//===- PrivateLoops.h - loops over private arrays ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_OPTIMISE_PRIVATELOOPS_H
#define CUFORT_COMPILER_CPU_OPTIMISE_PRIVATELOOPS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-private-loops. Needs cpu-tidy. Unrolls the loops whose trip count
/// is constant and that go through a small private array, where this leaves no
/// index of the array that is not constant: its elements are registers then, as
/// they are on a GPU. As arrays they would cost vector code a gather or a
/// scatter at each access. Loops with barriers stay.
llvm::Error unrollPrivateLoops(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_OPTIMISE_PRIVATELOOPS_H
