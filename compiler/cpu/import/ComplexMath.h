//===- ComplexMath.h - complex functions as the host has them ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_COMPLEXMATH_H
#define CUFORT_COMPILER_CPU_IMPORT_COMPLEXMATH_H

#include "llvm/IR/Module.h"

namespace cufort::cpu {

/// Needs the device library's complex functions not yet inlined, those of
/// single precision that device/cpu/functions.c has from there. Leaves calls of
/// libm in place of the other bodies: compositions of real functions lose
/// digits wherever parts cancel, more so with the real functions of vectors,
/// and what programs compare with is the host's libm. The exponential of double
/// precision is made of vectors' functions all the same with \p fastMath.
void takeComplexFunctionsFromLibm(llvm::Module &module, bool fastMath);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_COMPLEXMATH_H
