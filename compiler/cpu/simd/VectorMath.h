//===- VectorMath.h - vector functions of libmvec ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_VECTORMATH_H
#define CUFORT_COMPILER_CPU_SIMD_VECTORMATH_H

#include "llvm/IR/Function.h"

namespace cufort::cpu {

/// Tells the vectorisers which functions of glibc's libmvec (2.35 and later)
/// compute several elements of the mathematical calls in \p entry, up to the
/// vector size of the image::CpuLevel \p level. LLVM's own table is not used:
/// it lacks half of them and would call AVX2 versions from code for x86-64-v2.
void nameVectorFunctions(llvm::Function &entry, unsigned level);

/// Whether libmvec has vectors of what \p call computes.
bool isVectorMath(const llvm::CallInst &call);

/// A function that computes \p lanes results of \p call at once, for call
/// sites that are the same for all levels, and what becomes of it (and of
/// LLVM's own mathematical intrinsics on vectors) at \p level: calls of libmvec
/// on as many vectors as that level needs.
llvm::Function *vectorMathMark(const llvm::CallInst &call, unsigned lanes,
                               llvm::Module &module);
void lowerVectorMath(llvm::Function &entry, unsigned level);

/// Drops the declarations that were not needed. To be called when all
/// vectorising is done.
void dropVectorFunctions(llvm::Module &module);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_SIMD_VECTORMATH_H
