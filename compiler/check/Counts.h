//===- Counts.h - device code that counts its operations --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_COUNTS_H
#define CUFORT_COMPILER_CHECK_COUNTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"

namespace cufort::check {

/// Makes each thread of \p functions count its floating-point operations, of 64
/// bits and of fewer, and the bytes that it reads and writes in global memory,
/// and say the sums where it returns (image::CountFunction). Needs inlined
/// procedures, one address space, and scalars that are no longer in memory.
///
/// A multiply-add is two operations, a mathematical function one; comparisons,
/// conversions, changes of sign, roundings, minima and maxima are none.
void countOperations(llvm::Module &module,
                     llvm::ArrayRef<llvm::Function *> functions);

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_COUNTS_H
