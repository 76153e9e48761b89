//===- LowerIntrinsics.h - NVVM intrinsics on the host ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_LOWERINTRINSICS_H
#define CUFORT_COMPILER_CPU_IMPORT_LOWERINTRINSICS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-intrinsics. Needs cpu-inline. Leaves generic LLVM IR in place of the
/// llvm.nvvm.* intrinsics for arithmetic, atomics and fences, and marks
/// (Kernel.h, WarpOperations.h) in place of barriers and warp operations; the
/// special registers stay for cpu-entry. Conversions to integers saturate, as a
/// GPU's. Refuses, by name, whatever else a kernel still calls.
llvm::Error lowerIntrinsics(llvm::Module &module, const CpuOptions &options);

/// Does so for what threads do together in \p function, and for nothing else.
void markCollectives(llvm::Function &function);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_LOWERINTRINSICS_H
