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

/// Makes one call of several of a math function with the same arguments, as in
/// `sin(y) * sin(y)`, takes those out of a loop whose arguments it does not
/// change, and computes those of constants, as `pow(0.5, 23)`. Once the
/// functions' bodies, with their branches and tables, have taken the calls'
/// places, LLVM can do none of it, and its pipeline puts them there first.
/// Needs: a module whose math functions are there and say that they only
/// compute (DeviceMath.h); to be called before LLVM's pipeline. Leaves: a
/// module without such functions as it was; of others the program's own
/// procedures where they are called, loops that test at their end.
void shareMathCalls(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_MATH_MATHCALLS_H
