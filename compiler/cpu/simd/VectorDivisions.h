//===- VectorDivisions.h - divisions of integers in vectors -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_VECTORDIVISIONS_H
#define CUFORT_COMPILER_CPU_SIMD_VECTORDIVISIONS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-vector-divisions. Runs after cpu-strips. Leaves, in vectors and in loops
/// over threads that may become vectors, no quotients and remainders of
/// integers of 32 bits or less whose divisor is not a constant: processors have
/// no instruction for vectors of them, and LLVM would divide lane by lane, or
/// leave the whole loop to one thread at a time. They become quotients of
/// real(8), which are exact once cut off.
llvm::Error divideVectors(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_SIMD_VECTORDIVISIONS_H
