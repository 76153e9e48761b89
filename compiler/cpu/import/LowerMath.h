//===- LowerMath.h - device mathematics on the host -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_LOWERMATH_H
#define CUFORT_COMPILER_CPU_IMPORT_LOWERMATH_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-math. Needs cpu-inline. Leaves calls of LLVM intrinsics and of libm in
/// place of the calls of __nv_* functions, and refuses those it does not know.
llvm::Error lowerMath(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_LOWERMATH_H
