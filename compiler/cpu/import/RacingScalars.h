//===- RacingScalars.h - shared scalars without barriers --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_RACINGSCALARS_H
#define CUFORT_COMPILER_CPU_IMPORT_RACINGSCALARS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-racing-scalars. Needs cpu-tidy. A shared scalar that many threads read
/// and, without a barrier between, some threads write that are chosen by their
/// index: such a program counts on its warps being in step. Leaves both
/// accesses volatile, so that they are (cpu-warps).
llvm::Error keepRacesInStep(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_RACINGSCALARS_H
