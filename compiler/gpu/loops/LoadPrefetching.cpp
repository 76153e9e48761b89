//===- LoadPrefetching.cpp - loads one iteration ahead --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/LoadPrefetching.h"
#include "compiler/gpu/loops/BarrierUnrolling.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

/// With one barrier several iterations at a time do better (BarrierLoops).
constexpr unsigned FewestBarriers = 2;
/// What a thread may hold from iteration to iteration.
constexpr uint64_t MostBytes = 32;
constexpr unsigned MostNested = 16;

/// When a load is executed: in each iteration, or where a condition has one
/// value.
using Guard = PointerIntPair<Value *, 1, bool>;

class TurnsWithBarriers {
public:
  TurnsWithBarriers(Loop &loop, LoopInfo &loops, DominatorTree &dominators,
                    const DataLayout &layout)
      : loop(loop), loops(loops), dominators(dominators), layout(layout) {}

  bool prefetch() {
    if (!findBarrier() || !findLoads())
      return false;
    for (auto &[guard, group] : loads)
      carry(guard, group);
    return true;
  }

private:
  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  const DataLayout &layout;
  Instruction *barrier = nullptr; // the first one of each iteration
  Value *goesOn = nullptr;        // the condition of another iteration
  bool goesOnIf = true;
  MapVector<Guard, SmallVector<LoadInst *>> loads;

  bool findBarrier() {
    BasicBlock *latch = loop.getLoopLatch();
    auto *end = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
    if (!end || !end->isConditional() || !loop.getLoopPreheader() ||
        loop.getExitingBlock() != latch)
      return false;
    unsigned count = 0;
    for (BasicBlock *block :
         ReversePostOrderTraversal<Function *>(latch->getParent()))
      if (loop.contains(block))
        for (Instruction &instruction : *block) {
          auto *call = dyn_cast<CallBase>(&instruction);
          if (!call || isa<DbgInfoIntrinsic>(call) ||
              (!call->isConvergent() && call->willReturn()))
            continue;
          if (!cufort::isBarrier(instruction))
            return false;
          if (!count++)
            barrier = &instruction;
        }
    goesOn = end->getCondition();
    goesOnIf = end->getSuccessor(0) == loop.getHeader();
    return count >= FewestBarriers &&
           loops.getLoopFor(barrier->getParent()) == &loop &&
           dominators.dominates(barrier->getParent(), latch) && isKnown(goesOn);
  }

  bool findLoads() {
    uint64_t bytes = 0;
    for (BasicBlock *block : loop.blocks()) {
      if (loops.getLoopFor(block) != &loop)
        continue;
      auto guard = guardOf(block);
      if (!guard || (guard->getPointer() && !isNextKnown(guard->getPointer())))
        continue;
      for (Instruction &instruction : *block) {
        if (&instruction == barrier)
          break;
        auto *load = dyn_cast<LoadInst>(&instruction);
        if (!load || !isOnlyRead(*load) ||
            !isNextKnown(load->getPointerOperand()) ||
            loop.isLoopInvariant(load->getPointerOperand()))
          continue;
        loads[*guard].push_back(load);
        bytes += layout.getTypeStoreSize(load->getType());
      }
    }
    return !loads.empty() && bytes <= MostBytes;
  }

  /// When \p block is executed, if that is before the barrier and no more than
  /// one condition decides it.
  std::optional<Guard> guardOf(BasicBlock *block) const {
    if (dominators.dominates(block, barrier->getParent()))
      return Guard(nullptr, true);
    BasicBlock *before = block->getSinglePredecessor();
    auto *branch =
        before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    if (!branch || !branch->isConditional() || before == barrier->getParent() ||
        !dominators.dominates(before, barrier->getParent()) ||
        branch->getSuccessor(0) == branch->getSuccessor(1))
      return std::nullopt;
    return Guard(branch->getCondition(), branch->getSuccessor(0) == block);
  }

  static bool isOnlyRead(const LoadInst &load) {
    if (!load.isSimple() || load.getType()->isPointerTy())
      return false;
    if (load.hasMetadata(LLVMContext::MD_invariant_load))
      return true;
    auto *argument =
        dyn_cast<Argument>(getUnderlyingObject(load.getPointerOperand()));
    return argument && argument->hasNoAliasAttr() &&
           argument->onlyReadsMemory() && !argument->hasByValAttr();
  }

  bool isFree(const Instruction &instruction) const {
    return !isa<PHINode>(instruction) && !instruction.mayReadOrWriteMemory() &&
           isSafeToSpeculativelyExecute(&instruction);
  }

  bool isOfIteration(const Value *value) const {
    auto *instruction = dyn_cast<Instruction>(value);
    return instruction && loop.contains(instruction);
  }

  /// Whether \p value of this iteration can be had before the barrier.
  bool isKnown(const Value *value, unsigned depth = 0) const {
    if (!isOfIteration(value))
      return true;
    auto *instruction = cast<Instruction>(value);
    if (dominators.dominates(instruction, barrier))
      return true;
    return depth < MostNested && isFree(*instruction) &&
           all_of(
               instruction->operands(),
               [&](const Value *operand) {
                 return isKnown(operand, depth + 1);
               });
  }

  /// Whether \p value of the next iteration, and of the first one, can be had.
  bool isNextKnown(const Value *value, unsigned depth = 0) const {
    if (!isOfIteration(value))
      return true;
    if (auto *phi = dyn_cast<PHINode>(value))
      return phi->getParent() == loop.getHeader() &&
             isKnown(phi->getIncomingValueForBlock(loop.getLoopLatch()));
    auto *instruction = cast<Instruction>(value);
    return depth < MostNested && isFree(*instruction) &&
           all_of(
               instruction->operands(),
               [&](const Value *operand) {
                 return isNextKnown(operand, depth + 1);
               });
  }

  /// Moves what \p value of this iteration needs before \p place.
  Value *known(Value *value, Instruction *place) {
    if (!isOfIteration(value) ||
        dominators.dominates(cast<Instruction>(value), place))
      return value;
    auto *instruction = cast<Instruction>(value);
    for (Value *operand : instruction->operands())
      known(operand, place);
    instruction->moveBefore(place->getIterator());
    return instruction;
  }

  using Copies = DenseMap<Value *, Value *>;

  /// \p value of the iteration that \p ofCounter has the counters of, before
  /// \p place.
  Value *copy(Value *value, Instruction *place, Copies &copies,
              function_ref<Value *(PHINode *)> ofCounter) {
    if (!isOfIteration(value))
      return value;
    if (Value *before = copies.lookup(value))
      return before;
    Value *result;
    if (auto *phi = dyn_cast<PHINode>(value)) {
      result = ofCounter(phi);
    } else {
      Instruction *made = cast<Instruction>(value)->clone();
      for (Use &operand : made->operands())
        operand.set(copy(operand, place, copies, ofCounter));
      made->insertBefore(place->getIterator());
      result = made;
    }
    copies[value] = result;
    return result;
  }

  /// The values of \p group, loaded before \p place if \p condition, or in any
  /// case if that is null.
  SmallVector<Value *> loadBefore(Instruction *place, Value *condition,
                                  ArrayRef<LoadInst *> group, Copies &copies,
                                  function_ref<Value *(PHINode *)> ofCounter) {
    Instruction *within = place;
    if (condition) {
      DomTreeUpdater updater(dominators, DomTreeUpdater::UpdateStrategy::Eager);
      within = SplitBlockAndInsertIfThen(condition, place->getIterator(),
                                         /*Unreachable=*/false, nullptr,
                                         &updater, &loops);
    }
    // What is computed under a condition is not known elsewhere.
    Copies own = copies;
    SmallVector<Value *> values;
    for (LoadInst *load : group) {
      copy(load->getPointerOperand(), within, own, ofCounter);
      auto *made = cast<LoadInst>(load->clone());
      made->setOperand(LoadInst::getPointerOperandIndex(),
                       copy(load->getPointerOperand(), within, own, ofCounter));
      made->insertBefore(within->getIterator());
      values.push_back(made);
    }
    if (condition)
      for (Value *&value : values) {
        PHINode *phi = PHINode::Create(value->getType(), 2, "",
                                       place->getParent()->begin());
        for (BasicBlock *before : predecessors(place->getParent()))
          phi->addIncoming(before == within->getParent()
                               ? value
                               : PoisonValue::get(value->getType()),
                           before);
        value = phi;
      }
    return values;
  }

  void carry(const Guard &guard, ArrayRef<LoadInst *> group) {
    Instruction *entry = loop.getLoopPreheader()->getTerminator();
    auto first = [&](PHINode *counter) {
      return counter->getIncomingValueForBlock(loop.getLoopPreheader());
    };
    Copies ofFirst, ofNext;
    Value *condition = nullptr;
    if (guard.getPointer()) {
      condition = copy(guard.getPointer(), entry, ofFirst, first);
      if (!guard.getInt())
        condition = IRBuilder<>(entry).CreateNot(condition);
    }
    SmallVector<Value *> firstValues =
        loadBefore(entry, condition, group, ofFirst, first);

    auto next = [&](PHINode *counter) {
      return known(counter->getIncomingValueForBlock(loop.getLoopLatch()),
                   barrier);
    };
    condition = known(goesOn, barrier);
    IRBuilder<> builder(barrier);
    if (!goesOnIf)
      condition = builder.CreateNot(condition);
    if (guard.getPointer()) {
      Value *also = copy(guard.getPointer(), barrier, ofNext, next);
      if (!guard.getInt())
        also = builder.CreateNot(also);
      condition = builder.CreateLogicalAnd(condition, also);
    }
    // Counters have to be had before the branch that the loads are under.
    for (LoadInst *load : group)
      copy(load->getPointerOperand(), barrier, ofNext, next);
    SmallVector<Value *> nextValues =
        loadBefore(barrier, condition, group, ofNext, next);

    for (auto [load, firstValue, nextValue] :
         zip(group, firstValues, nextValues)) {
      PHINode *value =
          PHINode::Create(load->getType(), 2, "", loop.getHeader()->begin());
      value->addIncoming(firstValue, loop.getLoopPreheader());
      value->addIncoming(nextValue, loop.getLoopLatch());
      load->replaceAllUsesWith(value);
      load->eraseFromParent();
    }
  }
};

} // namespace

PreservedAnalyses cufort::prefetchLoads(Function &function,
                                        FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    changed |=
        TurnsWithBarriers(*loop, loops, dominators, function.getDataLayout())
            .prefetch();
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
