//===- Calls.h - calls of the checkers' runtime -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CHECK_CALLS_H
#define CUFORT_COMPILER_CHECK_CALLS_H

#include "compiler/check/Sites.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

namespace cufort::check {

/// The blocks that all threads of a kernel come to before any branch.
using Beginning = llvm::SmallPtrSet<llvm::BasicBlock *, 4>;

/// Calls function \p name of the runtime, which touches no memory that the
/// optimiser knows, except to compare what is written with what is there.
llvm::CallInst *call(llvm::IRBuilder<> &b, llvm::StringRef name,
                     llvm::ArrayRef<llvm::Value *> operands,
                     llvm::Type *result = nullptr);

/// Splits the block in front of \p at. Returns where what is done only if \p
/// condition is true goes.
llvm::Instruction *only(llvm::Value *condition, llvm::Instruction &at,
                        Beginning &beginning, bool likely = true);

/// Makes calls of the runtime of \p mark, by which Fortran's front end says
/// something of an array or a loop (compiler/lower/device/IndexChecks.cpp), and
/// removes it; \p name is its own without image::CheckPrefix.
void expandMark(llvm::CallInst &mark, llvm::StringRef name, Sites &sites,
                Beginning &beginning);

} // namespace cufort::check

#endif // CUFORT_COMPILER_CHECK_CALLS_H
