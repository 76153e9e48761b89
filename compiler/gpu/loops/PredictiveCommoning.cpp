//===- PredictiveCommoning.cpp - loads of the iteration before ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load may be left out if every iteration executes it, the iteration before
// has loaded from the same address, and nothing that may write there stands
// between the two: not behind the one in its iteration, nor before the other in
// the next.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/PredictiveCommoning.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

/// In a loop. Each takes a register from one iteration to the next.
constexpr unsigned MostCarried = 8;

/// An address in the first iteration of a loop, or in the next one.
class InOtherIteration : public SCEVRewriteVisitor<InOtherIteration> {
public:
  enum Turn : bool { First, Next };

  InOtherIteration(Turn iteration, const Loop &loop, ScalarEvolution &evolution)
      : SCEVRewriteVisitor(evolution), iteration(iteration), loop(loop) {}

  /// Null where that is not known.
  const SCEV *of(const SCEV *address) {
    const SCEV *other = visit(address);
    return isKnown ? other : nullptr;
  }

  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *value) {
    if (value->getLoop() == &loop)
      return iteration == First ? value->getStart() : value->getPostIncExpr(SE);
    isKnown &= SE.isLoopInvariant(value, &loop);
    return value;
  }

  const SCEV *visitUnknown(const SCEVUnknown *value) {
    isKnown &= SE.isLoopInvariant(value, &loop);
    return value;
  }

private:
  Turn iteration;
  const Loop &loop;
  bool isKnown = true;
};

class LoadCarrier {
public:
  LoadCarrier(Loop &loop, LoopInfo &loops, AAResults &aliases,
              DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), loops(loops), aliases(aliases), dominators(dominators),
        evolution(evolution) {}

  bool run() {
    // Otherwise a block might come again behind one that it dominates.
    LoopBlocksRPO blocks(&loop);
    blocks.perform(&loops);
    if (containsIrreducibleCFG<const BasicBlock *>(blocks, loops))
      return false;
    collect();
    unsigned carried = 0;
    for (LoadInst *load : loads) {
      if (carried == MostCarried || load->getParent() != loop.getHeader())
        continue;
      if (LoadInst *before = loadedBefore(*load)) {
        carry(*load, *before);
        ++carried;
      }
    }
    for (auto &[load, value] : carriedValues)
      RecursivelyDeleteTriviallyDeadInstructions(load);
    if (carried)
      evolution.forgetLoop(&loop);
    return carried;
  }

private:
  void collect() {
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block) {
        if (instruction.mayWriteToMemory())
          writes.push_back(&instruction);
        auto *load = dyn_cast<LoadInst>(&instruction);
        if (load && load->isSimple() && !load->getType()->isVectorTy() &&
            isGlobal(*load) &&
            evolution.isSCEVable(load->getPointerOperandType()) &&
            dominators.dominates(block, loop.getLoopLatch()))
          loads.push_back(load);
      }
  }

  /// Shared memory answers at once, and neighbours there may be one access.
  static bool isGlobal(const LoadInst &load) {
    const Value *object = getUnderlyingObject(load.getPointerOperand());
    const unsigned space = object->getType()->getPointerAddressSpace();
    return !isa<AllocaInst>(object) &&
           (space == NVPTXAS::ADDRESS_SPACE_GENERIC ||
            space == NVPTXAS::ADDRESS_SPACE_GLOBAL);
  }

  /// What the iteration before has loaded of what \p load loads, or null.
  LoadInst *loadedBefore(LoadInst &load) {
    const SCEV *address = evolution.getSCEV(load.getPointerOperand());
    if (evolution.isLoopInvariant(address, &loop) || !isInEachIteration(load))
      return nullptr;
    const SCEV *next =
        InOtherIteration(InOtherIteration::Next, loop, evolution).of(address);
    const SCEV *first =
        InOtherIteration(InOtherIteration::First, loop, evolution).of(address);
    SCEVExpander expander(evolution, "first");
    if (!next || !first ||
        !expander.isSafeToExpandAt(first,
                                   loop.getLoopPreheader()->getTerminator()))
      return nullptr;
    for (LoadInst *before : loads)
      if (before != &load && before->getType() == load.getType() &&
          evolution.getSCEV(before->getPointerOperand()) == next &&
          remains(*before, load))
        return before;
    return nullptr;
  }

  /// Whether the loop's first block comes to \p load in any case.
  static bool isInEachIteration(LoadInst &load) {
    const BasicBlock &block = *load.getParent();
    return isGuaranteedToTransferExecutionToSuccessor(
        block.begin(), load.getIterator(), block.size());
  }

  /// Whether what \p before loads is there when the next iteration comes to \p
  /// load.
  bool remains(const LoadInst &before, const LoadInst &load) {
    return none_of(writes, [&](Instruction *write) {
      auto mayChange = [&](const LoadInst &each) {
        return isModSet(
            aliases.getModRefInfo(write, MemoryLocation::get(&each)));
      };
      // All are in one loop, so what dominates comes first in each iteration.
      return (!dominators.dominates(write, &before) && mayChange(before)) ||
             (!dominators.dominates(&load, write) && mayChange(load));
    });
  }

  void carry(LoadInst &load, LoadInst &before) {
    BasicBlock *preheader = loop.getLoopPreheader();
    Instruction *end = preheader->getTerminator();
    SCEVExpander expander(evolution, "first");
    const SCEV *address =
        InOtherIteration(InOtherIteration::First, loop, evolution)
            .of(evolution.getSCEV(load.getPointerOperand()));
    auto *first = cast<LoadInst>(load.clone());
    first->setOperand(
        0, expander.expandCodeFor(address, load.getPointerOperandType(), end));
    first->insertBefore(end->getIterator());
    IRBuilder<> b(loop.getHeader(), loop.getHeader()->begin());
    PHINode *carried = b.CreatePHI(load.getType(), 2, "carried");
    carried->addIncoming(first, preheader);
    auto known = carriedValues.find(&before);
    carried->addIncoming(known == carriedValues.end() ? &before : known->second,
                         loop.getLoopLatch());
    evolution.forgetValue(&load);
    load.replaceAllUsesWith(carried);
    carriedValues.insert({&load, carried});
  }

  Loop &loop;
  LoopInfo &loops;
  AAResults &aliases;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  SmallVector<LoadInst *> loads;
  SmallVector<Instruction *> writes;
  MapVector<LoadInst *, Value *> carriedValues;
};

} // namespace

PreservedAnalyses cufort::carryLoads(Function &function,
                                     FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<LoopAnalysis>(function);
  auto &dominators = manager.getResult<DominatorTreeAnalysis>(function);
  auto &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
  auto &aliases = manager.getResult<AAManager>(function);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopPreheader() && loop->getLoopLatch())
      changed |=
          LoadCarrier(*loop, loops, aliases, dominators, evolution).run();
  return cufort::afterInstructions(changed);
}
