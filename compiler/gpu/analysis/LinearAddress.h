//===- LinearAddress.h - what an address is the sum of ----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_ANALYSIS_LINEARADDRESS_H
#define CUFORT_COMPILER_GPU_ANALYSIS_LINEARADDRESS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PointerIntPair.h"
#include <vector>

namespace llvm {
class DataLayout;
class GEPOperator;
class Instruction;
class Value;
} // namespace llvm

namespace cufort {

/// An address as a pointer and a sum of multiples of values, modulo 2^64, in
/// whatever order the program adds them up and wherever it extends them to 64
/// bits. Within an index of 32 bits the sum is exact as well: where it would
/// not be, the program's arithmetic would have overflowed, which an access
/// behind it says that it has not.
class AddressSum {
public:
  /// Of different values; of operations around one.
  static constexpr unsigned MostTerms = 8;
  static constexpr unsigned MostNested = 16;

  /// A value, and whether it is extended with its sign.
  using Term = llvm::PointerIntPair<llvm::Value *, 1, bool>;
  /// The pointer first, then the terms with their factors, in one order.
  using Parts = std::vector<std::pair<const void *, uint64_t>>;

  AddressSum(llvm::Value *pointer, const llvm::DataLayout &layout);

  bool hasIndex() const { return parts.size() > 1 && parts.size() < MostTerms; }

  /// All but the constant.
  Parts parts;
  uint64_t constant = 0;

private:
  /// How a value becomes 64 bits wide.
  enum class Wide : bool { Unsigned, Signed };

  bool addElement(const llvm::GEPOperator &element);
  void add(llvm::Value *value, uint64_t factor, Wide wide, bool positive,
           unsigned depth);
  bool addOperation(llvm::Instruction &operation, uint64_t factor, Wide wide,
                    bool positive, unsigned depth);
  static bool isExact(const llvm::Instruction &operation, Wide wide,
                      bool positive);

  const llvm::DataLayout &layout;
  llvm::DenseMap<Term, uint64_t> terms;
};

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_ANALYSIS_LINEARADDRESS_H
