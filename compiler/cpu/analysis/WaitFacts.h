//===- WaitFacts.h - which threads come to a place, and when ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_ANALYSIS_WAITFACTS_H
#define CUFORT_COMPILER_CPU_ANALYSIS_WAITFACTS_H

#include "compiler/cpu/analysis/BlockUniformity.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Dominators.h"
#include <optional>

namespace cufort::cpu {

/// What is known of the threads that come to places of a block entry, for
/// cpu-wait-loops. Needs cpu-shared. Where it is not sure it says what makes
/// threads fibers, but for one thing: pointers that come from different places
/// are expected to point to different memory.
class WaitFacts {
public:
  WaitFacts(llvm::Function &entry, llvm::DominatorTree &dominators);

  /// Whether \p one and \p other may access one element of memory.
  bool mayBeOneElement(const llvm::Instruction &one,
                       const llvm::Instruction &other);
  /// Whether a thread of the block that accesses at \p one an element that one
  /// accesses at \p other is that thread itself: the thread's index tells
  /// elements apart whatever else is in their addresses.
  bool isOwnElement(const llvm::Instruction &one,
                    const llvm::Instruction &other);
  /// Whether the two addresses are computed in the same way.
  bool isOneAddress(const llvm::Value *one, const llvm::Value *other,
                    unsigned depth = 0);

  /// Whether there is a stretch between barriers in which one thread of the
  /// block may be at \p one and another at \p other.
  bool isInOneStretch(const llvm::Instruction &one,
                      const llvm::Instruction &other);
  /// Whether a thread may come from \p from to \p to without a barrier.
  bool comesTo(const llvm::Instruction &from, const llvm::Instruction &to);

  /// Whether only one thread of a block comes to \p one and \p other, the same
  /// one.
  bool isOneThread(const llvm::Instruction &one,
                   const llvm::Instruction &other);
  /// Whether only the first thread of a block comes to \p place.
  bool isFirstThread(const llvm::Instruction &place);
  /// Whether only threads of one warp come to \p one and \p other.
  bool isOneWarp(const llvm::Instruction &one, const llvm::Instruction &other);

private:
  /// A condition on the path to a place: \c value equals \c number, or is below
  /// it.
  struct Fact {
    llvm::Value *value;
    llvm::Value *number;
    bool equal;
    bool operator==(const Fact &) const = default;
  };
  using Facts = llvm::SmallVector<Fact, 4>;

  /// A distance in memory: \c perThread for each step of the thread's index, a
  /// multiple of \c step, and \c constant.
  struct Distance {
    int64_t constant = 0, perThread = 0;
    uint64_t step = 0;
  };
  bool addTerm(const llvm::Value *value, int64_t factor, Distance &distance,
               unsigned depth = 0);
  uint64_t threadsAt(const llvm::Instruction &place);

  Facts factsAt(const llvm::Instruction &place);
  void addFacts(llvm::Value *condition, bool isTrue, Facts &facts);
  unsigned dimensionsOf(const llvm::Value *value, unsigned depth = 0);
  bool coverThread(const Facts &facts);
  std::optional<uint64_t> warpAt(const llvm::Instruction &place);

  unsigned stretchPart(const llvm::Instruction &place);
  llvm::BitVector reachedFrom(unsigned part, bool itself);

  llvm::Function &entry;
  llvm::DominatorTree &dominators;
  BlockUniformity uniformity;
  /// The dimensions of the thread index that the kernel reads, as bits.
  unsigned dimensions = 0;
  /// The block entry's parts between barriers: where those of a basic block
  /// begin, the block of each, and which one of them begins at a barrier.
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> firstPart;
  llvm::SmallVector<const llvm::BasicBlock *> blockOfPart;
  llvm::SmallVector<llvm::BitVector> stretches;
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_ANALYSIS_WAITFACTS_H
