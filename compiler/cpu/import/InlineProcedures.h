//===- InlineProcedures.h - kernels without calls ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_INLINEPROCEDURES_H
#define CUFORT_COMPILER_CPU_IMPORT_INLINEPROCEDURES_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-inline. Needs cpu-host-functions. Leaves kernels into which every
/// defined device procedure they call has been inlined, and no other function
/// bodies but those of procedures that are recursive or called through pointers
/// that are not known here, and of procedures that would make a kernel too long
/// (InlineBudget); others are inlined into those as well.
llvm::Error inlineProcedures(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_INLINEPROCEDURES_H
