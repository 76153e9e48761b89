//===- MathCalls.h - math that is called more often than needed -*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_MATH_MATHCALLS_H
#define CUFORT_COMPILER_GPU_MATH_MATHCALLS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace cufort {

/// Eliminates common calls of math functions, as in `sin(y) * sin(y)`, hoists
/// calls out of loops that do not change their arguments, and folds those of
/// constants, as `pow(0.5, 23)`. Once the functions are inlined, with their
/// branches and tables, LLVM can do none of it, and its pipeline inlines first.
/// Needs: a module whose math functions are there and say that they only
/// compute (DeviceMath.h); to be called before LLVM's pipeline. Leaves: a
/// module without such functions as it was; of others the program's own
/// procedures inlined, loops rotated.
void shareMathCalls(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_MATH_MATHCALLS_H
