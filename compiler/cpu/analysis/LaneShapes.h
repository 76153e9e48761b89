//===- LaneShapes.h - how values differ between neighbours ------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_ANALYSIS_LANESHAPES_H
#define CUFORT_COMPILER_CPU_ANALYSIS_LANESHAPES_H

#include "compiler/cpu/analysis/BlockUniformity.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace cufort::cpu {

/// What is known of a value in a thread body for threads whose x index grows by
/// one from lane to lane.
class LaneShapes {
public:
  /// With Threads::All the strips have several rows: a uniform value is one for
  /// all of them. With Threads::OfOneWarp the lanes are neighbours by number,
  /// not in x.
  LaneShapes(llvm::Function &body, BlockUniformity::Threads threads);

  /// One value for all threads.
  bool isUniform(const llvm::Value *value) const;
  /// The difference from lane to lane: 0 where the threads of a row agree, a
  /// constant number (for pointers, of bytes) where value grows evenly; nothing
  /// where neither is known. An index that passes through a sign extension is
  /// expected not to wrap around among neighbours, as Fortran requires of
  /// subscripts: a shape serves to form addresses, not values.
  std::optional<int64_t> stride(const llvm::Value *value) const;
  /// A positive number by which \p value grows at most from lane to lane, never
  /// falling, as an even value does that is cut off at ends which are the same
  /// for the row (min(max(i, 1), n)); nothing where that is not known. If the
  /// last lane's value is that of the first plus so much for each lane, every
  /// lane's is.
  std::optional<int64_t> bound(const llvm::Value *value) const;
  bool branchesUniformly(const llvm::BasicBlock &block) {
    return all.branchesUniformly(block);
  }

private:
  struct Shape {
    enum Kind { Unknown, Even, Bounded, Varying } kind = Unknown;
    int64_t step = 0;
    bool operator==(const Shape &other) const {
      return kind == other.kind &&
             ((kind != Even && kind != Bounded) || step == other.step);
    }
    bool isRowUniform() const { return kind == Even && step == 0; }
  };
  static Shape even(int64_t step) { return {Shape::Even, step}; }
  static Shape varying() { return {Shape::Varying, 0}; }
  Shape of(const llvm::Value *value) const;
  Shape compute(llvm::Instruction &instruction);
  Shape ofAddress(llvm::GetElementPtrInst &address);
  Shape meet(llvm::PHINode &phi);

  const BlockUniformity::Threads threads;
  BlockUniformity all;
  BlockUniformity row;
  llvm::DenseMap<const llvm::Value *, Shape> shapes;
  llvm::DenseMap<llvm::BasicBlock *, unsigned> numbers; ///< in that order
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_ANALYSIS_LANESHAPES_H
