//===- FunctionOptions.h - options as attributes ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_LOWERING_FUNCTIONOPTIONS_H
#define CUFORT_COMPILER_GPU_LOWERING_FUNCTIONOPTIONS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Hands the options down to the functions, where LLVM and the passes look for
/// them: subnormal numbers and the limit of registers as attributes, what may
/// be approximated or contracted as flags of each operation. Needs nothing;
/// removes what the front ends say of the host's processor.
llvm::Error applyOptions(llvm::Module &module, const GpuOptions &options,
                         llvm::TargetMachine &machine);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_LOWERING_FUNCTIONOPTIONS_H
