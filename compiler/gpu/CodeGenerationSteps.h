//===- CodeGenerationSteps.h - our passes in the code generator -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_CODEGENERATIONSTEPS_H
#define CUFORT_COMPILER_GPU_CODEGENERATIONSTEPS_H

#include "compiler/gpu/Pipeline.h"

namespace cufort::gpu {

/// Inserts \p pass after that pass of LLVM's code generator which its place
/// names, if it is one of the code generator's: with a pass before it that
/// starts a clock, and one behind it that adds to \p time, prints what \p
/// options want printed and verifies. \p problem gets the first error; all
/// three must live until the code is generated.
void addCodeGenerationStep(const GpuPass &pass, const PassOptions &options,
                           PassTime &time, std::string &problem,
                           llvm::TargetPassConfig &config);

} // namespace cufort::gpu

#endif // CUFORT_COMPILER_GPU_CODEGENERATIONSTEPS_H
