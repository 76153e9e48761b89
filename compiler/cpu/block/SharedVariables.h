//===- SharedVariables.h - where shared variables lie -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_BLOCK_SHAREDVARIABLES_H
#define CUFORT_COMPILER_CPU_BLOCK_SHAREDVARIABLES_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-shared. Needs cpu-entry. Leaves every use of a shared variable as an
/// offset from CpuWorkspace::shared: the static variables of a kernel one after
/// the other, each aligned for vectors, and all dynamic ones (declarations)
/// right after them; the kernel carries cufort-static-shared. Two counters for
/// the votes of reducing barriers in thread entries lie among the static ones
/// (cufort-vote-counters). The variables are
/// gone. Unsigned indices of 32 bits that are below zero lead back, as on a
/// GPU, where addresses of shared memory have 32 bits.
llvm::Error placeSharedVariables(llvm::Module &module,
                                 const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_BLOCK_SHAREDVARIABLES_H
