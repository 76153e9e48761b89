//===- InlinePtx.h - PTX written in C, on the host --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PTX_INLINEPTX_H
#define CUFORT_COMPILER_CPU_PTX_INLINEPTX_H

#include "llvm/IR/Function.h"

namespace cufort::cpu {

/// Needs device code with address spaces flattened. Leaves straight-line inline
/// PTX of integer and floating-point arithmetic, loads, stores, special
/// registers and barriers as LLVM's instructions and NVVM's intrinsics; what it
/// does not know stays as it is, and cpu-intrinsics refuses it.
void translateInlinePtx(llvm::Function &function);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PTX_INLINEPTX_H
