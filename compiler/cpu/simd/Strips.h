//===- Strips.h - loops over threads as vector code -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_STRIPS_H
#define CUFORT_COMPILER_CPU_SIMD_STRIPS_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-strips. Needs cpu-fission. Leaves the loops over threads in whose
/// iterations there are loops as loops over strips of threads, 8 or 16
/// neighbours whose work is vector code: the inner loops now stand outside, the
/// threads innermost. Where the neighbours in y do the same, a strip has
/// several rows; an entry with more of them than older processors have
/// registers for gets a sibling with fewer (LevelsAttribute). What remains of a
/// row takes the loop as it was, and so does everything where vectors are not
/// possible or would not be faster; VectorReport.h is told.
llvm::Error vectoriseStrips(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_SIMD_STRIPS_H
