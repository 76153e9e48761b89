//===- PtxSharing.h - PTX's operations between threads ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PTX_PTXSHARING_H
#define CUFORT_COMPILER_CPU_PTX_PTXSHARING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace cufort::cpu {

/// What atom or red does to the \p type at \p address, and what was there
/// before. \p words are the instruction's name and its suffixes, separated by
/// dots. Null if it is not known.
llvm::Value *ptxAtomic(llvm::IRBuilder<> &b,
                       llvm::ArrayRef<llvm::StringRef> words, llvm::Type *type,
                       llvm::Value *address,
                       llvm::ArrayRef<llvm::Value *> values);

/// The order of an access with the words acquire, release or acq_rel.
llvm::AtomicOrdering ptxOrdering(llvm::ArrayRef<llvm::StringRef> words);

/// A shuffle, vote, match or reduction of a warp as NVVM's intrinsic; the
/// values stand as in PTX. \p wantsPredicate: the result is a pair, with a
/// predicate. Null if it is none of them.
llvm::Value *ptxWarpOperation(llvm::IRBuilder<> &b,
                              llvm::ArrayRef<llvm::StringRef> words,
                              llvm::ArrayRef<llvm::Value *> values,
                              bool wantsPredicate);

/// The type of operand \p operand of a warp operation, the first source being
/// 0; null: the instruction's own.
llvm::Type *ptxWarpOperandType(llvm::IRBuilder<> &b,
                               llvm::ArrayRef<llvm::StringRef> words,
                               unsigned operand);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PTX_PTXSHARING_H
