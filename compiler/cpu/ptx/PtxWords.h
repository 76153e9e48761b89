//===- PtxWords.h - PTX's operations on bits --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PTX_PTXWORDS_H
#define CUFORT_COMPILER_CPU_PTX_PTXWORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace cufort::cpu {

/// The result of prmt, bfe, bfi, bfind, shf, mul24, mad24, mad.wide, mad.hi,
/// slct, copysign or dp2a; \p words are its name and its suffixes,
/// separated by dots. Null if it is none of them.
llvm::Value *ptxWordOperation(llvm::IRBuilder<> &b,
                              llvm::ArrayRef<llvm::StringRef> words,
                              llvm::Type *type,
                              llvm::ArrayRef<llvm::Value *> values);

/// An addition, subtraction or multiplication and addition of integers that
/// reads (addc, subc, madc) or writes (.cc) the \p carry, a bit that is null
/// where nothing has written it. Null if it is none.
llvm::Value *ptxWithCarry(llvm::IRBuilder<> &b,
                          llvm::ArrayRef<llvm::StringRef> words,
                          llvm::Type *type,
                          llvm::ArrayRef<llvm::Value *> values,
                          llvm::Value *&carry);

/// Whether the operand of that number has 32 bits whatever the type is.
bool isPtxCount(llvm::StringRef name, unsigned operand);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PTX_PTXWORDS_H
