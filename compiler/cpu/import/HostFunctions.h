//===- HostFunctions.h - what the host does for kernels ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_HOSTFUNCTIONS_H
#define CUFORT_COMPILER_CPU_IMPORT_HOSTFUNCTIONS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-host-functions. Needs cpu-flatten, before anything is inlined. Leaves,
/// in place of functions that a GPU's driver or the device library has, calls
/// of the runtime's and of libm's (CProcedures, ComplexMath, KernelOutput);
/// calls of procedures that are one warp operation without a body
/// (WarpOperations); answers in place of what device code asks its compiler
/// (Reflect); and control flow that goes on after a stop.
llvm::Error useHostFunctions(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_HOSTFUNCTIONS_H
