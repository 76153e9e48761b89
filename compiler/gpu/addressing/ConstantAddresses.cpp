//===- ConstantAddresses.cpp - counters of constant memory ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/addressing/ConstantAddresses.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;
using namespace cufort;

namespace {

/// How much of what an index is computed from is looked at: one that is a
/// choice of constants ends after a few phis and selects.
constexpr unsigned MostValues = 32;

struct Analyses {
  const DominatorTree &dominators;
  const LoopInfo &loops;
  const UniformityInfo &uniformity;
};

/// What an index becomes an address by.
struct Scale {
  Value *base;
  uint64_t size;
  bool isSigned;
  Type *type;

  auto asTuple() const { return std::tuple(base, size, isSigned, type); }
  bool operator<(const Scale &other) const {
    return asTuple() < other.asTuple();
  }
};

/// \p value as a sum with a number, which becomes wide before or after the
/// addition alike.
std::optional<std::pair<Value *, int64_t>> asSum(Value *value, bool isSigned) {
  auto *sum = dyn_cast<BinaryOperator>(value);
  auto *number = sum ? dyn_cast<ConstantInt>(sum->getOperand(1)) : nullptr;
  if (!number)
    return std::nullopt;
  auto *bits = dyn_cast<PossiblyDisjointInst>(sum);
  const bool isExact =
      (bits && bits->isDisjoint()) ||
      (sum->getOpcode() == Instruction::Add &&
       (sum->getType()->isIntegerTy(64) ||
        (isSigned ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap())));
  if (!isExact)
    return std::nullopt;
  return std::pair(sum->getOperand(0),
                   isSigned ? number->getSExtValue()
                            : static_cast<int64_t>(number->getZExtValue()));
}

/// The values from iteration to iteration that an index is one of.
class Counter {
public:
  Counter(Value *index, const Scale &scale, const Analyses &analyses) {
    bool isShared = false;
    SmallVector<Value *> left = {index};
    SmallPtrSet<Value *, MostValues> seen;
    while (!left.empty()) {
      Value *value = left.pop_back_val();
      if (isa<ConstantInt>(value) || !seen.insert(value).second)
        continue;
      if (seen.size() > MostValues)
        return;
      if (auto *phi = dyn_cast<PHINode>(value)) {
        if (analyses.loops.isLoopHeader(phi->getParent()))
          iterations.push_back(phi);
        for (auto [block, incoming] :
             zip(phi->blocks(), phi->incoming_values())) {
          if (isa<ConstantInt>(incoming) &&
              !analyses.dominators.dominates(scale.base,
                                             block->getTerminator()))
            return;
          left.push_back(incoming);
        }
      } else if (auto sum = asSum(value, scale.isSigned)) {
        left.push_back(sum->first);
      } else {
        return;
      }
      isShared |= any_of(value->users(), [&](const User *user) {
        return analyses.uniformity.isDivergent(user);
      });
    }
    isGood = isShared;
  }

  /// Whether all of it can be carried as addresses, and some of it leads to
  /// what is a thread's own.
  bool isGood = false;
  /// Those that loops begin with.
  SmallVector<PHINode *> iterations;
};

struct ConstantAddresses {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    SmallVector<LoadInst *> loads;
    for (Instruction &instruction : instructions(function))
      if (auto *load = dyn_cast<LoadInst>(&instruction);
          load &&
          load->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST)
        loads.push_back(load);
    if (loads.empty())
      return PreservedAnalyses::all();
    Analyses analyses{
        manager.getResult<DominatorTreeAnalysis>(function),
        manager.getResult<LoopAnalysis>(function),
        manager.getResult<UniformityInfoAnalysis>(function),
    };
    known.clear();
    bool changed = false;
    SmallVector<WeakTrackingVH> unused;
    for (LoadInst *load : loads) {
      auto *place = dyn_cast<GetElementPtrInst>(load->getPointerOperand());
      if (!place || analyses.uniformity.isDivergent(place))
        continue;
      Value *address = carry(*load, *place, analyses);
      if (!address)
        continue;
      load->setOperand(LoadInst::getPointerOperandIndex(), address);
      unused.push_back(place);
      changed = true;
    }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
    for (BasicBlock &block : function)
      changed |= loadBeforeBranch(block, analyses.dominators);
    return afterInstructions(changed);
  }

private:
  /// What both successors of \p block load is loaded once, at its end.
  static bool loadBeforeBranch(BasicBlock &block,
                               const DominatorTree &dominators) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() ||
        branch->getSuccessor(0) == branch->getSuccessor(1) ||
        branch->getSuccessor(0)->getSinglePredecessor() != &block ||
        branch->getSuccessor(1)->getSinglePredecessor() != &block)
      return false;
    // Of constant memory, and done whenever its branch is taken.
    auto isConstant = [](const LoadInst *load) {
      return load && load->isSimple() &&
             load->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST &&
             all_of(make_range(load->getParent()->begin(), load->getIterator()),
                    [](const Instruction &before) {
                      return isGuaranteedToTransferExecutionToSuccessor(
                          &before);
                    });
    };
    bool changed = false;
    for (Instruction &one : make_early_inc_range(*branch->getSuccessor(0))) {
      auto *first = dyn_cast<LoadInst>(&one);
      if (!isConstant(first) ||
          !dominators.dominates(first->getPointerOperand(), branch))
        continue;
      for (Instruction &other :
           make_early_inc_range(*branch->getSuccessor(1))) {
        auto *second = dyn_cast<LoadInst>(&other);
        if (!isConstant(second) || second->getType() != first->getType() ||
            second->getPointerOperand() != first->getPointerOperand())
          continue;
        if (first->getParent() != &block) {
          first->moveBefore(branch->getIterator());
          first->updateLocationAfterHoist();
        }
        combineMetadataForCSE(first, second, /*DoesKMove=*/true);
        second->replaceAllUsesWith(first);
        second->eraseFromParent();
        changed = true;
      }
    }
    return changed;
  }

  /// The address of \p place, from which \p load loads in each iteration;
  /// nothing if it has no counter, or one that is nothing of a thread's own.
  Value *carry(const LoadInst &load, GetElementPtrInst &place,
               const Analyses &analyses) {
    if (place.getNumIndices() != 1 || place.getType()->isVectorTy())
      return nullptr;
    Value *index = place.getOperand(1);
    bool isSigned = true;
    if (auto *wide = dyn_cast<CastInst>(index)) {
      if (!isa<SExtInst, ZExtInst>(wide))
        return nullptr;
      isSigned = isa<SExtInst>(wide) || wide->hasNonNeg();
      index = wide->getOperand(0);
    } else if (!index->getType()->isIntegerTy(64)) {
      return nullptr;
    }
    if (isa<Constant>(index))
      return nullptr;
    TypeSize size =
        place.getDataLayout().getTypeAllocSize(place.getSourceElementType());
    if (size.isScalable())
      return nullptr;
    Scale scale{place.getPointerOperand(), size.getFixedValue(), isSigned,
                index->getType()};
    Counter counter(index, scale, analyses);
    // What is left over behind a loop is as often as not done under predicates,
    // where ptxas takes no shared register.
    auto hasLoad = [&](PHINode *phi) {
      return analyses.loops.getLoopFor(phi->getParent())->contains(&load);
    };
    if (!counter.isGood || none_of(counter.iterations, hasLoad))
      return nullptr;
    return addressOf(index, scale, nullptr);
  }

  /// The address of element \p value, which is computed where \p value is, or
  /// before \p place if that is a number.
  Value *addressOf(Value *value, const Scale &scale, Instruction *place) {
    if (auto *number = dyn_cast<ConstantInt>(value)) {
      const uint64_t distance =
          scale.size * (scale.isSigned
                            ? static_cast<uint64_t>(number->getSExtValue())
                            : number->getZExtValue());
      IRBuilder<> b(place);
      return distance ? b.CreatePtrAdd(scale.base, b.getInt64(distance))
                      : scale.base;
    }
    Value *&address = known[scale][value];
    if (address)
      return address;
    if (auto *phi = dyn_cast<PHINode>(value)) {
      IRBuilder<> b(phi);
      PHINode *carried = b.CreatePHI(scale.base->getType(),
                                     phi->getNumIncomingValues(), "carried");
      address = carried;
      for (auto [block, incoming] :
           zip(phi->blocks(), phi->incoming_values())) {
        // There may be several edges from one block, by a switch.
        const int same = carried->getBasicBlockIndex(block);
        carried->addIncoming(
            same >= 0 ? carried->getIncomingValue(same)
                      : addressOf(incoming, scale, block->getTerminator()),
            block);
      }
      return carried;
    }
    auto [before, number] = *asSum(value, scale.isSigned);
    Value *first = addressOf(before, scale, nullptr);
    auto *sum = cast<Instruction>(value);
    IRBuilder<> b(sum->getParent(), std::next(sum->getIterator()));
    Value *last = b.CreatePtrAdd(
        first, b.getInt64(static_cast<uint64_t>(number) * scale.size));
    known[scale][value] = last;
    return last;
  }

  std::map<Scale, DenseMap<Value *, Value *>> known;
};

} // namespace

PreservedAnalyses
cufort::carryConstantAddresses(Function &function,
                               FunctionAnalysisManager &manager) {
  return ConstantAddresses().run(function, manager);
}
