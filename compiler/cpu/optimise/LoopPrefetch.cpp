//===- LoopPrefetch.cpp - what a loop will read later ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/optimise/LoopPrefetch.h"
#include "compiler/cpu/fission/Recompute.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {
namespace {

/// How many iterations ahead: as many lines are then in flight at once.
constexpr unsigned IterationsAhead = 8;
/// Shorter steps, in bytes, are followed by the processor.
constexpr unsigned ShortStep = 256;
/// Instructions to compute an address.
constexpr unsigned MostInstructions = 24;

class LoopPrefetcher {
public:
  LoopPrefetcher(Loop &loop, LoadInst &load)
      : loop(loop), b(&load), load(load) {}

  void run() {
    Value *address = later(load.getPointerOperand());
    if (address && steps)
      b.CreateIntrinsic(Intrinsic::prefetch, {b.getPtrTy()},
                        {address, b.getInt32(0), b.getInt32(3), b.getInt32(1)});
    for (Instruction *instruction : reverse(copies))
      if (instruction->use_empty())
        instruction->eraseFromParent();
  }

private:
  /// What \p value will be IterationsAhead iterations later; null if that is
  /// not known.
  Value *later(Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop.contains(instruction))
      return value;
    Value *&known = made[value];
    if (known)
      return known;
    if (auto *phi = dyn_cast<PHINode>(instruction)) {
      Value *step = nullptr;
      if (phi->getParent() != loop.getHeader() || !loop.getLoopLatch() ||
          !match(phi->getIncomingValueForBlock(loop.getLoopLatch()),
                 m_c_Add(m_Specific(phi), m_Value(step))) ||
          !loop.isLoopInvariant(step))
        return nullptr;
      // A number of elements; shorter ones than this are not worth it.
      auto *constant = dyn_cast<ConstantInt>(step);
      steps |= !constant || constant->getValue().abs().ugt(ShortStep / 4);
      return known = b.CreateAdd(
                 phi, b.CreateMul(step, ConstantInt::get(step->getType(),
                                                         IterationsAhead)));
    }
    if (!isPureArithmetic(*instruction) || made.size() > MostInstructions)
      return nullptr;
    SmallVector<Value *> operands;
    for (Value *operand : instruction->operands()) {
      operands.push_back(later(operand));
      if (!operands.back())
        return nullptr;
    }
    Instruction *copy = instruction->clone();
    for (auto [use, operand] : zip(copy->operands(), operands))
      use.set(operand);
    copy->dropPoisonGeneratingFlags();
    b.Insert(copy);
    copies.push_back(copy);
    return made[value] = copy;
  }

  Loop &loop;
  IRBuilder<> b;
  LoadInst &load;
  DenseMap<Value *, Value *> made;
  SmallVector<Instruction *> copies; ///< in their order
  bool steps = false;
};

} // namespace

bool isDoneInEachIteration(const LoadInst &load, const Loop &loop,
                           const DominatorTree &dominators) {
  const BasicBlock *latch = loop.getLoopLatch();
  return latch && dominators.dominates(load.getParent(), latch);
}

void prefetchAhead(Function &body) {
  DominatorTree dominators(body);
  LoopInfo loops(dominators);
  SmallVector<LoadInst *> loads;
  for (Instruction &instruction : instructions(body))
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->isSimple())
      if (Loop *loop = loops.getLoopFor(load->getParent());
          loop && isDoneInEachIteration(*load, *loop, dominators))
        loads.push_back(load);
  for (LoadInst *load : loads)
    LoopPrefetcher(*loops.getLoopFor(load->getParent()), *load).run();
}

} // namespace cufort::cpu
