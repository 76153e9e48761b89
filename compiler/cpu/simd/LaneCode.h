//===- LaneCode.h - vector code for many threads ----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the body of one thread, code for a strip of threads: neighbours in x are
// the lanes of vectors, rows (neighbours in y) are copies of each instruction.
// What all threads share is computed once, what a row shares once per row. The
// control flow stays as it is where all threads agree; where they do not it is
// nested (BodyPasses::structure), so that each block has a mask of the lanes
// that come along, and is jumped over when there are none:
//
//   if: a divergent branch leads to its join, or to a block before that; the
//   lanes
//       that take it are its mask, by which the join chooses
//   loop: lanes leave at the end; it goes on while some lane does. What is used
//       afterwards is kept as it was when a lane left
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_SIMD_LANECODE_H
#define CUFORT_COMPILER_CPU_SIMD_LANECODE_H

#include "compiler/cpu/analysis/LaneShapes.h"
#include "compiler/cpu/block/ThreadBody.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IRBuilder.h"

namespace cufort::cpu {

/// Which threads a strip consists of.
struct StripIndex {
  llvm::Value *x = nullptr; ///< i32: that of lane 0, if lanes follow x
  llvm::Value *y = nullptr; ///< i32: that of the first row, if there are rows
  llvm::Value *rank = nullptr; ///< i64: that of lane 0, if lanes follow it
  /// <lanes x i32>: x, y and z, if lanes follow the rank.
  llvm::Value *index[3] = {};
  llvm::Value *mask = nullptr; ///< <lanes x i1>: those that exist; null: all
};

class LaneCode {
public:
  /// \p into is where the code shall be.
  LaneCode(ThreadBody &body, LaneShapes &shapes, unsigned lanes, unsigned rows,
           llvm::Function &into);

  /// Says why there can be no such code for the body; empty if there can.
  std::string obstacle();

  /// Makes the code. It begins in the returned block; its last block, from
  /// which everything dominating the end is known, branches to \p after.
  llvm::BasicBlock *emit(const StripIndex &strip, llvm::BasicBlock *after);

private:
  using Rows = llvm::SmallVector<llvm::Value *, 4>;

  // Control flow.
  std::string checkBranch(llvm::BasicBlock &block);
  void emitPhis(llvm::BasicBlock &block);
  void emitMask(llvm::BasicBlock &block);
  void emitBranch(llvm::BasicBlock &block);
  void fillPhis();
  llvm::Value *anyOf(llvm::Value *mask);
  llvm::Value *lanesTaking(llvm::BasicBlock &from, llvm::BasicBlock *to);
  bool isLatchOfDivergentLoop(llvm::BasicBlock &block);
  /// The divergent branch whose lanes meet again in \p block, if any.
  llvm::BasicBlock *branchJoinedBy(llvm::BasicBlock &block);

  // Values.
  bool isUniform(llvm::Value *value) { return shapes.isUniform(value); }
  llvm::Value *scalar(llvm::Value *value, unsigned row);
  llvm::Value *vector(llvm::Value *value, unsigned row);
  llvm::Value *splat(llvm::Value *value);
  llvm::Value *lanesFrom(llvm::Value *first, int64_t step);
  llvm::Type *vectorType(llvm::Type *type);
  llvm::Constant *allLanes();

  // Instructions (LaneInstructions.cpp).
  std::string checkInstruction(llvm::Instruction &instruction);
  void emitInstruction(llvm::Instruction &instruction);
  llvm::Instruction *cloneScalar(llvm::Instruction &instruction, unsigned row);
  llvm::Value *emitVector(llvm::Instruction &instruction, unsigned row);
  llvm::Value *emitCall(llvm::CallInst &call, unsigned row);
  void emitCount(llvm::CallInst &count, unsigned row);
  void emitThreadIndex(llvm::Instruction &read, int dimension);
  void emitWarp(llvm::CallInst &operation);

  // One lane after the other (LaneLoops.cpp).
  void countLaneCopies();
  void emitUpdates(llvm::AtomicRMWInst &update, unsigned row);
  llvm::Value *emitLaneByLane(llvm::Instruction &instruction, unsigned row);
  bool mayShareLaneLoop(llvm::Instruction &instruction);
  llvm::BasicBlock::iterator emitInOneLoop(llvm::BasicBlock::iterator first);
  struct LaneLoop;
  void emitLaneLoop(llvm::ArrayRef<llvm::Instruction *> instructions,
                    unsigned row);
  llvm::AllocaInst *newPlace(LaneLoop &loop, llvm::Type *type);
  void storeInputs(LaneLoop &loop);
  void findOutputs(LaneLoop &loop);
  void beginLane(LaneLoop &loop);
  void emitLane(LaneLoop &loop);
  void endLane(LaneLoop &loop);
  void loadOutputs(const LaneLoop &loop);
  llvm::Value *operandInLane(llvm::Value *operand, unsigned row,
                             llvm::Value *lane, llvm::AllocaInst *place);
  llvm::AllocaInst *placeFor(llvm::Type *type, unsigned number);

  // Memory (LaneMemory.cpp).
  llvm::Value *emitLoad(llvm::LoadInst &load, unsigned row);
  bool isOfWorkspace(const llvm::LoadInst &load) const;
  llvm::Value *emitMaskedLoad(llvm::LoadInst &load, llvm::Value *first);
  llvm::Value *emitBoundedLoad(llvm::LoadInst &load, unsigned row);
  llvm::Value *emitGather(llvm::LoadInst &load, unsigned row);
  void emitStore(llvm::StoreInst &store, unsigned row);
  llvm::Value *lastLaneOf(llvm::Value *vector);

  ThreadBody &body;
  LaneShapes &shapes;
  const unsigned lanes, rows;
  llvm::Function &into;
  const llvm::DataLayout &layout;
  llvm::DominatorTree dominators;
  llvm::PostDominatorTree postDominators;
  llvm::LoopInfo loops;

  /// Whether instructions that are taken apart have a copy for each lane: not
  /// where there are many of them.
  bool hasLaneCopies = true;
  /// Where loops over lanes keep the elements of vectors, by type and number.
  llvm::DenseMap<std::pair<llvm::Type *, unsigned>, llvm::AllocaInst *> places;

  // While emitting:
  llvm::IRBuilder<> b;
  StripIndex strip;
  llvm::BasicBlock *after = nullptr;
  llvm::Value *mask = nullptr; ///< of the block; null: all lanes
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> begins, ends;
  llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> masks;
  llvm::DenseMap<llvm::BasicBlock *, llvm::Value *>
      takers; ///< of divergent ifs
  llvm::DenseMap<llvm::Value *, Rows> scalars, vectors;
  struct Made {
    llvm::PHINode *phi;
    llvm::PHINode *source;
    unsigned row;
    bool isVector;
  };
  llvm::SmallVector<Made> made;
  struct Kept { ///< a value of a divergent loop that is used outside
    llvm::PHINode *phi;
    llvm::Value *value;
    llvm::Value *latest = nullptr;
  };
  llvm::DenseMap<llvm::BasicBlock *, llvm::SmallVector<Kept>>
      kept; ///< by latch
  llvm::DenseMap<llvm::BasicBlock *, llvm::PHINode *> live;
};

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_SIMD_LANECODE_H
