//===- PtxConversion.h - PTX's conversions ----------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PTX_PTXCONVERSION_H
#define CUFORT_COMPILER_CPU_PTX_PTXCONVERSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace cufort::cpu {

/// The type that PTX calls \p suffix: "u32", "f16x2", "pred". Null if it is
/// not known.
llvm::Type *ptxType(llvm::IRBuilder<> &b, llvm::StringRef suffix);

/// The bits of \p value as a \p type, cut or filled with zeros.
llvm::Value *ptxBits(llvm::IRBuilder<> &b, llvm::Value *value,
                     llvm::Type *type);

/// The bits of \p value, a float or a vector of them, rounded to bfloat16, to
/// the even one of two that are equally near. LLVM's truncation calls a
/// function for it that older compilers' libraries do not have, and may do so
/// for any value of the type bfloat.
llvm::Value *roundToBFloat(llvm::IRBuilder<> &b, llvm::Value *value);

/// The result of cvt; \p words are its name and its suffixes,
/// separated by dots. Two values are the halves of a pair, the high one first.
/// Null if it is not known.
llvm::Value *ptxConversion(llvm::IRBuilder<> &b,
                           llvm::ArrayRef<llvm::StringRef> words,
                           llvm::ArrayRef<llvm::Value *> values);

/// The result of setp or set, a bit; \p how is PTX's word for the comparison
/// and \p isSigned that of integers. Null if it is not known.
llvm::Value *ptxComparison(llvm::IRBuilder<> &b, llvm::StringRef how,
                           bool isSigned, llvm::Value *x, llvm::Value *y);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PTX_PTXCONVERSION_H
