//===- NeedlessBarriers.h - barriers that order nothing ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_FISSION_NEEDLESSBARRIERS_H
#define CUFORT_COMPILER_CPU_FISSION_NEEDLESSBARRIERS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-needless-barriers. Needs cpu-shared. Removes barriers without votes that
/// all threads of the block come to together and on the two sides of which no
/// thread writes what others may read or write there: a barrier behind another
/// one, or before the end of the kernel, for example.
llvm::Error removeNeedlessBarriers(llvm::Module &module,
                                   const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_FISSION_NEEDLESSBARRIERS_H
