//===- PtxMatrices.h - tensor cores' instructions of PTX --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_PTX_PTXMATRICES_H
#define CUFORT_COMPILER_CPU_PTX_PTXMATRICES_H

#include "compiler/cpu/ptx/PtxMemory.h"

namespace cufort::cpu {

/// An inline assembly with ldmatrix, stmatrix, movmatrix and mma.sync: which
/// elements of a matrix a lane holds is what the PTX manual says, and what
/// others hold comes by shuffles. Sums of f16, bf16 and tf32 are in single
/// precision, in an order of their own, and rounded once for f16.
class PtxMatrices : public PtxMemory {
public:
  using PtxMemory::PtxMemory;

protected:
  bool loadMatrices(ArrayRef<StringRef> words, ArrayRef<StringRef> names);
  bool storeMatrices(ArrayRef<StringRef> words, ArrayRef<StringRef> names);
  bool transposeMatrix(ArrayRef<StringRef> words, ArrayRef<StringRef> names);
  bool multiply(ArrayRef<StringRef> words, ArrayRef<StringRef> names);

private:
  /// One of mma's shapes and what its matrices hold.
  struct Product {
    unsigned m, n, k;
    StringRef typeD, typeA, typeB, typeC;
    bool saturates = false; ///< integers stay at their limits
    bool isAnd = false;     ///< of single bits: those of both; else of one
    unsigned registerBits = 32, elements = 1; ///< of a and b: in a register
    Type *sumType = nullptr;
  };
  using Values = SmallVector<Value *, 8>;

  std::optional<Product> productOf(ArrayRef<StringRef> words);
  /// The elements of "{a, b}", each as a \p type; empty: unknown.
  Values listed(StringRef list, Type *type);
  /// The accumulators of a lane: "{...}" of \p type as sums.
  Values sumsOf(StringRef list, StringRef type, Type *sumType, unsigned count);
  bool setSums(StringRef list, const Product &product, ArrayRef<Value *> sums);
  Value *lane();
  /// The address at \p bytes in row \p number of matrix \p matrix; \p row is
  /// the lane's address, of which the lower half is enough if \p upper is
  /// known.
  Value *inRow(Value *row, Value *upper, unsigned matrix, Value *number,
               Value *bytes);
  Value *shuffle(Value *value, Value *from);
  /// Element \p i of a register of \p type as it is multiplied.
  Value *element(Value *word, StringRef type, unsigned i);
  Value *rounded(Value *sum, const Product &product);
  void addProducts(const Product &product, ArrayRef<Value *> a,
                   ArrayRef<Value *> b0, ArrayRef<Value *> b1, Values &sums);
  Values sumsOfRows(const Product &product, Values a, Values b, Values sums);
  bool multiplyOfQuads(const Product &product, ArrayRef<StringRef> words,
                       ArrayRef<StringRef> names);
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_PTX_PTXMATRICES_H
