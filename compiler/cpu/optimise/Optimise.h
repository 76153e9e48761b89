//===- Optimise.h - simplified, cloned per level, vectorised ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_OPTIMISE_OPTIMISE_H
#define CUFORT_COMPILER_CPU_OPTIMISE_OPTIMISE_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-optimise. Needs cpu-fission. Leaves optimised code: simplified once for
/// all levels, then copied per level (cufort-entry=block0 to block3, by
/// image::CpuLevel) and vectorised for each. Thread entries are only cleaned.
llvm::Error optimise(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_OPTIMISE_OPTIMISE_H
