//===- Tidy.h - registers instead of memory ---------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_TIDY_H
#define CUFORT_COMPILER_CPU_IMPORT_TIDY_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-tidy. Needs cpu-inline. Leaves kernels whose scalars live in registers
/// and whose control flow has no dead or empty blocks, every loop having a
/// preheader and, where there are warp operations, no switch a default that
/// cannot happen; loads from constant variables are marked invariant, through
/// whatever pointers, and those from known places come first; a choice between
/// integers that cost little is a select. Where there are barriers, a load from
/// an address that depends on the path to it is one on each path. Nothing here
/// may copy a path (no jump threading, no tail duplication, no unswitching):
/// that would make barriers look as if they stood under divergent conditions.
llvm::Error tidyKernels(llvm::Module &module, const CpuOptions &options);

/// The same for \p functions only, after a pass that gives it more to do.
void tidy(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_TIDY_H
