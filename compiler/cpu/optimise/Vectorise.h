//===- Vectorise.h - LLVM's vectorisers and what follows --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_OPTIMISE_VECTORISE_H
#define CUFORT_COMPILER_CPU_OPTIMISE_VECTORISE_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-vectorise. Needs cpu-instruction-sets. Leaves code that is vectorised
/// and optimised for each level by the second half of LLVM's pipeline, and no
/// copy for wide vectors that is what another one is; VectorReport.h is told.
llvm::Error vectorise(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_OPTIMISE_VECTORISE_H
