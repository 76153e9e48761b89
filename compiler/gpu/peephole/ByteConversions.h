//===- ByteConversions.h - parts of integers to reals -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_PEEPHOLE_BYTECONVERSIONS_H
#define CUFORT_COMPILER_GPU_PEEPHOLE_BYTECONVERSIONS_H

#include "compiler/gpu/GpuPass.h"

namespace cufort {

/// Extracts an unsigned byte or half of a register that is converted to single
/// precision by a byte permutation, `prmt`. Of masks, shifts and bit fields
/// ptxas makes one instruction together with the conversion, which has a
/// quarter of the throughput that two have: the unit for it is the one of the
/// special functions. Where several parts of a register are converted, that
/// unit does those above the lowest one, so that both are busy. Needs nothing;
/// leaves the flow of control.
llvm::PreservedAnalyses
convertBytesByPermutation(llvm::Function &function,
                          llvm::FunctionAnalysisManager &manager);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_PEEPHOLE_BYTECONVERSIONS_H
