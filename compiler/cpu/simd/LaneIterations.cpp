//===- LaneIterations.cpp - iterations whose masks are known --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/LaneIterations.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace {

/// At once: four independent chains keep the units of a processor busy.
constexpr unsigned MostIterations = 4;
constexpr unsigned MostInstructions = 400; ///< of all iterations

/// Goes through the iterations of a loop with what is known of its values.
class Iterations {
public:
  Iterations(const Loop &loop, const DataLayout &layout)
      : loop(loop), layout(layout), order(loop.getHeader()) {}

  /// How often the loop begins its body, if that is known and not more than
  /// \p most.
  std::optional<unsigned> count(unsigned most) {
    BasicBlock *before = loop.getLoopPreheader();
    BasicBlock *latch = loop.getLoopLatch();
    if (!before || !latch || loop.getExitingBlock() != latch)
      return std::nullopt;
    auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
    if (!branch)
      return std::nullopt;
    for (PHINode &phi : loop.getHeader()->phis())
      if (auto *start =
              dyn_cast<Constant>(phi.getIncomingValueForBlock(before)))
        known[&phi] = start;
    for (unsigned iteration = 1; iteration <= most; ++iteration) {
      follow();
      auto *condition =
          dyn_cast_or_null<ConstantInt>(valueOf(branch->getCondition()));
      if (!condition)
        return std::nullopt;
      if (!loop.contains(branch->getSuccessor(condition->isZero() ? 1 : 0)))
        return iteration;
      SmallVector<std::pair<PHINode *, Constant *>> next;
      for (PHINode &phi : loop.getHeader()->phis())
        if (Constant *value = valueOf(phi.getIncomingValueForBlock(latch)))
          next.push_back({&phi, value});
      known.clear();
      known.insert(next.begin(), next.end());
    }
    return std::nullopt;
  }

private:
  Constant *valueOf(Value *value) const {
    if (auto *constant = dyn_cast<Constant>(value))
      return constant;
    return known.lookup(value);
  }

  /// One iteration: what follows from the values of the header's phis.
  void follow() {
    for (BasicBlock *block : order) {
      if (!loop.contains(block))
        continue;
      for (Instruction &instruction : *block) {
        SmallVector<Constant *> operands;
        if (isa<PHINode>(instruction) || instruction.mayReadOrWriteMemory() ||
            instruction.isTerminator() || instruction.getNumOperands() == 0)
          continue;
        for (Value *operand : instruction.operands())
          operands.push_back(valueOf(operand));
        if (is_contained(operands, nullptr))
          continue;
        if (Constant *value =
                ConstantFoldInstOperands(&instruction, operands, layout))
          known[&instruction] = value;
      }
    }
  }

  const Loop &loop;
  const DataLayout &layout;
  ReversePostOrderTraversal<BasicBlock *> order;
  DenseMap<Value *, Constant *> known;
};

/// Whether lanes make \p loop together: LLVM looks at other loops itself.
bool isOfLanes(const Loop &loop) {
  return any_of(loop.getHeader()->phis(), [](PHINode &phi) {
    auto *type = dyn_cast<FixedVectorType>(phi.getType());
    return type && type->getElementType()->isIntegerTy();
  });
}

unsigned sizeOf(const Loop &loop) {
  unsigned size = 0;
  for (const BasicBlock *block : loop.blocks())
    size += block->sizeWithoutDebug();
  return size;
}

struct UnrollLaneIterations : PassInfoMixin<UnrollLaneIterations> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    auto &loops = manager.getResult<LoopAnalysis>(function);
    if (loops.empty())
      return PreservedAnalyses::all();
    auto &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
    auto &dominators = manager.getResult<DominatorTreeAnalysis>(function);
    auto &assumptions = manager.getResult<AssumptionAnalysis>(function);
    auto &target = manager.getResult<TargetIRAnalysis>(function);
    auto &remarks =
        manager.getResult<OptimizationRemarkEmitterAnalysis>(function);
    bool changed = false;
    auto order = loops.getLoopsInPreorder();
    for (Loop *loop : reverse(order)) {
      unsigned size = loop->isInnermost() ? sizeOf(*loop) : 0;
      if (!size || !isOfLanes(*loop))
        continue;
      unsigned most = std::min(MostIterations, MostInstructions / size);
      auto iterations = Iterations(*loop, function.getDataLayout()).count(most);
      if (!iterations)
        continue;
      changed |= simplifyLoop(loop, &dominators, &loops, &evolution,
                              &assumptions, nullptr, /*PreserveLCSSA=*/false);
      changed |= formLCSSA(*loop, dominators, &loops, &evolution);
      UnrollLoopOptions options = {};
      options.Count = *iterations;
      options.Force = true;
      LoopUnrollResult result =
          *iterations == 1
              ? LoopUnrollResult::PartiallyUnrolled
              : UnrollLoop(loop, options, &loops, &evolution, &dominators,
                           &assumptions, &target, &remarks,
                           /*PreserveLCSSA=*/true);
      // Where LLVM does not know the trip count itself, the last copy
      // still has a way back, which is never taken.
      if (result == LoopUnrollResult::PartiallyUnrolled)
        breakLoopBackedge(loop, dominators, evolution, loops, nullptr);
      changed |= result != LoopUnrollResult::Unmodified;
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

} // namespace

void cufort::cpu::unrollLaneIterations(PassBuilder &builder) {
  builder.registerScalarOptimizerLateEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(UnrollLaneIterations());
      });
}
