//===- Simplify.h - once for all instruction sets ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_OPTIMISE_SIMPLIFY_H
#define CUFORT_COMPILER_CPU_OPTIMISE_SIMPLIFY_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-simplify. Needs cpu-fission; is the last to ask which threads
/// communicate, and lowers the marks for that. Leaves block entries simplified
/// by LLVM, once for all levels: loops over threads are not unrolled yet, bytes
/// that code puts together are one load. Entries of threads, and all code with
/// -g alone, are marked as not to be optimised.
llvm::Error simplify(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_OPTIMISE_SIMPLIFY_H
