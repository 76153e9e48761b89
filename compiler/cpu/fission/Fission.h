//===- Fission.h - loops over threads between barriers ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_FISSION_FISSION_H
#define CUFORT_COMPILER_CPU_FISSION_FISSION_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

inline constexpr char RegionsStep[] = "cpu-regions";

/// cpu-fission. Needs cpu-barriers and cpu-private. Leaves block entries that
/// run all threads of a block: kernels without barriers as one loop nest over
/// the threads, kernels with barriers by regions (Regions.h) where the control
/// flow around their barriers is uniform in the block, else by dispatch
/// (Dispatch.h). A barrier of the grid or cluster is a call of the runtime. No
/// marks and no thread indices are left. Leaving out the step "cpu-regions"
/// leaves dispatch for all of them.
llvm::Error fissionAtBarriers(llvm::Module &module, const CpuOptions &options);

/// Needs an entry without barriers, of which all threads run one after the
/// other in one loop nest.
void runThreadsInTurn(llvm::Function &entry);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_FISSION_FISSION_H
