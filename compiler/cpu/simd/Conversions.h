//===- Conversions.h - numbers to integers in vector code -------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_CONVERSIONS_H
#define CUFORT_COMPILER_CPU_SIMD_CONVERSIONS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-conversions. Runs on any code. Leaves conversions of real numbers to
/// integers that saturate, which are Fortran's INT and a GPU's instruction, as
/// comparisons and a plain conversion. LLVM takes a vector of the former apart
/// into lanes; the latter are vector instructions.
llvm::Error expandConversions(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_SIMD_CONVERSIONS_H
