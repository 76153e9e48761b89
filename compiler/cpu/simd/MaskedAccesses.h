//===- MaskedAccesses.h - what a processor has no instruction for -*- C++ -*-=//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_MASKEDACCESSES_H
#define CUFORT_COMPILER_CPU_SIMD_MASKEDACCESSES_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-masked-accesses. Needs cpu-vectorise. Where an entry has many accesses
/// under a mask that its processor has no instruction for, each becomes a loop
/// over the lanes that come along. LLVM would make a condition and an access
/// for each lane of each, thousands of blocks for a warp's code, which its
/// register allocation takes a minute for. A few are faster LLVM's way, and are
/// left to it.
llvm::Error loopOverMaskedLanes(llvm::Module &module,
                                const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_SIMD_MASKEDACCESSES_H
