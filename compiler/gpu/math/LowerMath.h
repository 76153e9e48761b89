//===- LowerMath.h - LLVM's math intrinsics for the GPU ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_MATH_LOWERMATH_H
#define CUFORT_COMPILER_GPU_MATH_LOWERMATH_H

namespace llvm {
class Module;
}

namespace cufort {

/// Replaces calls of math intrinsics that the GPU has no instruction for, and
/// no C library to call: `llvm.sin.f64` becomes `__nv_sin`, `llvm.lround` a
/// rounding and a conversion. Needs nothing; leaves vector intrinsics alone.
/// Runs before linkDeviceMath.
void lowerMathIntrinsics(llvm::Module &module);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_MATH_LOWERMATH_H
