//===- PtxArithmetic.h - PTX's arithmetic as LLVM's -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PTX_PTXARITHMETIC_H
#define CUFORT_COMPILER_CPU_PTX_PTXARITHMETIC_H

#include "llvm/IR/IRBuilder.h"

namespace cufort::cpu {

/// Whether \p name is that of a shift, by an integer of 32 bits.
bool isPtxShift(llvm::StringRef name);

/// The result of an instruction on \p values of type \p type; \p words are its
/// name and its suffixes, separated by dots. Null if it is not known.
llvm::Value *ptxArithmetic(llvm::IRBuilder<> &b,
                           llvm::ArrayRef<llvm::StringRef> words,
                           llvm::Type *type,
                           llvm::ArrayRef<llvm::Value *> values);

/// The same for operations on two or four parts of a word, as C's header has
/// them: all parts, and a third operand that only a sum of the parts (.add)
/// looks at. The three \p values have 32 bits.
llvm::Value *ptxArithmeticOnParts(llvm::IRBuilder<> &b,
                                  llvm::ArrayRef<llvm::StringRef> words,
                                  llvm::ArrayRef<llvm::Value *> values);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PTX_PTXARITHMETIC_H
