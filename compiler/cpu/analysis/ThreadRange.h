//===- ThreadRange.h - bounds of what threads compute -----------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_ANALYSIS_THREADRANGE_H
#define CUFORT_COMPILER_CPU_ANALYSIS_THREADRANGE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include <functional>
#include <optional>

namespace cufort::cpu {

/// Makes code that computes, once for all threads of a block, between which
/// bounds a value lies that each thread computes for itself: interval
/// arithmetic on integers taken as signed ones. The bounds hold if exact() does
/// at run time, and then nothing that led to the value has wrapped around in
/// any thread.
class ThreadRange {
public:
  struct Bounds {
    llvm::Value *low = nullptr, *high = nullptr;
    bool isOne() const { return low == high; }
  };
  /// What is known without looking into a value; nothing if it has to be
  /// looked into.
  using Known = std::function<std::optional<Bounds>(llvm::Value *value)>;

  /// The code is made where \p b stands.
  ThreadRange(llvm::IRBuilder<> &b, Known known)
      : b(b), known(std::move(known)), holds(b.getTrue()) {}

  /// The bounds of \p value, an integer; nothing if they cannot be computed,
  /// though code may have been made that nobody uses.
  std::optional<Bounds> of(llvm::Value *value);

  /// i1: see above.
  llvm::Value *exact() const { return holds; }
  void require(llvm::Value *condition) {
    holds = b.CreateAnd(holds, condition);
  }

  /// Arithmetic of which exact() notes whether it wraps around.
  llvm::Value *add(llvm::Value *left, llvm::Value *right);
  llvm::Value *subtract(llvm::Value *left, llvm::Value *right);
  llvm::Value *multiply(llvm::Value *left, llvm::Value *right);

  /// i1: whether, if exact() holds, \p left and \p right compare so in every
  /// thread; null if that cannot be computed.
  llvm::Value *compareAll(llvm::CmpInst::Predicate predicate, llvm::Value *left,
                          llvm::Value *right);

  /// A copy of \p value, which of() has seen, that says what is known where
  /// exact() holds: no sum wraps around, no index is negative. It is made at
  /// \p at, where only threads come for which that is so.
  llvm::Value *copyExact(llvm::Value *value, llvm::IRBuilder<> &at);

private:
  std::optional<Bounds> compute(llvm::Instruction &instruction);
  llvm::Value *copyUniform(llvm::Instruction &instruction,
                           llvm::ArrayRef<Bounds> parts);
  std::optional<Bounds> converted(llvm::Instruction &conversion,
                                  const Bounds &number);
  std::optional<Bounds> binary(llvm::Instruction &operation, const Bounds &x,
                               const Bounds &y);
  std::optional<Bounds> divide(llvm::Instruction &instruction, Bounds number,
                               Bounds divisor);
  Bounds multiply(Bounds number, llvm::Value *factor);
  llvm::Value *checked(llvm::Intrinsic::ID operation, llvm::Value *left,
                       llvm::Value *right);
  void requireNonNegative(llvm::Value *value) {
    require(
        b.CreateICmpSGE(value, llvm::Constant::getNullValue(value->getType())));
  }

  llvm::IRBuilder<> &b;
  Known known;
  llvm::Value *holds;
  llvm::DenseMap<llvm::Value *, std::optional<Bounds>> found;
  llvm::SmallPtrSet<llvm::Value *, 16> opened; ///< looked into, and differing
  unsigned budget = 48; ///< instructions that may be looked into
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_ANALYSIS_THREADRANGE_H
