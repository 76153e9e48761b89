//===- VectorMath.h - vector functions of libmvec ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_VECTORMATH_H
#define CUFORT_COMPILER_CPU_VECTORMATH_H

#include "llvm/IR/Function.h"

namespace cufort::cpu {

/// Tells the vectorisers which functions of glibc's libmvec (2.35 and later)
/// compute several elements of the mathematical calls in \p entry, up to the
/// vector size of the image::CpuLevel \p level. LLVM's own table is not used:
/// it lacks half of them and would call AVX2 versions from code for x86-64-v2.
void nameVectorFunctions(llvm::Function &entry, unsigned level);

/// Drops the declarations that were not needed. To be called when all
/// vectorising is done.
void dropVectorFunctions(llvm::Module &module);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_VECTORMATH_H
