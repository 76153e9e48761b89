//===- UniformUnswitching.cpp - unswitch uniform loops --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/UniformUnswitching.h"
#include "compiler/common/LaunchShape.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Of a chain of operations.
constexpr unsigned MostSteps = 6;

/// Whether \p value is the same in all threads of a kernel, because it comes
/// from parameters and the grid's shape alone.
bool isUniform(const Value *value, unsigned steps = 0) {
  if (isa<Constant>(value))
    return true;
  if (auto *parameter = dyn_cast<Argument>(value))
    return parameter->getParent()->getCallingConv() == CallingConv::PTX_Kernel;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || steps == MostSteps)
    return false;
  if (auto *load = dyn_cast<LoadInst>(instruction)) {
    auto *object = dyn_cast<Argument>(
        load->getPointerOperand()->stripInBoundsConstantOffsets());
    return load->isSimple() && object && object->hasByValAttr() &&
           isUniform(object);
  }
  if (auto *call = dyn_cast<IntrinsicInst>(instruction))
    return cufort::readsLaunchShape(*call);
  return isa<BinaryOperator, CmpInst, CastInst, SelectInst, FreezeInst>(
             instruction) &&
         all_of(instruction->operands(), [&](const Value *operand) {
           return isUniform(operand, steps + 1);
         });
}

/// The conditions by which LLVM would make two loops of \p loop.
SmallVector<Use *> conditionsOf(const Loop &loop, const LoopInfo &loops) {
  SmallVector<Use *> conditions;
  auto take = [&](Use &condition) {
    Value *value = condition.get();
    if (!isa<Constant>(value) &&
        (loop.isLoopInvariant(value) ||
         match(value, m_CombineOr(m_LogicalAnd(), m_LogicalOr()))))
      conditions.push_back(&condition);
  };
  for (BasicBlock *block : loop.blocks()) {
    if (loops.getLoopFor(block) != &loop)
      continue;
    for (Instruction &instruction : *block)
      if (auto *choice = dyn_cast<SelectInst>(&instruction);
          choice && choice->getCondition()->getType()->isIntegerTy(1) &&
          !choice->getType()->isIntegerTy(1))
        take(choice->getOperandUse(0));
    Instruction *end = block->getTerminator();
    if (isa<SwitchInst>(end) ||
        (isa<BranchInst>(end) && cast<BranchInst>(end)->isConditional()))
      take(end->getOperandUse(0));
  }
  return conditions;
}

/// A condition that LLVM is not to see as one which does not change in a loop,
/// nor as one of several parts, for as long as this lives.
class HiddenConditions {
public:
  explicit HiddenConditions(Function &function) : function(function) {}
  void add(Use &condition) {
    auto *user = cast<Instruction>(condition.getUser());
    auto *own = new FreezeInst(condition.get(), "", user->getIterator());
    own->setMetadata(Mark, MDNode::get(function.getContext(), {}));
    condition.set(own);
  }
  ~HiddenConditions() {
    for (BasicBlock &block : function)
      for (Instruction &instruction : make_early_inc_range(block))
        if (instruction.hasMetadata(Mark)) {
          instruction.replaceAllUsesWith(instruction.getOperand(0));
          instruction.eraseFromParent();
        }
  }
  HiddenConditions(const HiddenConditions &) = delete;
  HiddenConditions &operator=(const HiddenConditions &) = delete;

private:
  // LLVM copies it with the loop.
  static constexpr char Mark[] = "cufort.hidden";
  Function &function;
};

bool isOurs(const Use *condition, const Loop &loop) {
  return loop.isLoopInvariant(condition->get()) && isUniform(condition->get());
}

struct SeparateLoop : PassInfoMixin<SeparateLoop> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &manager,
                        LoopStandardAnalysisResults &analyses,
                        LPMUpdater &updater) {
    Function &function = *loop.getHeader()->getParent();
    SmallVector<Use *> conditions = conditionsOf(loop, analyses.LI);
    if (none_of(conditions, [&](Use *each) { return isOurs(each, loop); }))
      return PreservedAnalyses::all();
    HiddenConditions hidden(function);
    for (Use *each : conditions)
      if (!isOurs(each, loop))
        hidden.add(*each);
    // Of a target whose threads do not part.
    TargetTransformInfo target(function.getDataLayout());
    LoopStandardAnalysisResults forTarget = {
        analyses.AA, analyses.AC,  analyses.DT, analyses.LI,
        analyses.SE, analyses.TLI, target,      analyses.MSSA};
    return SimpleLoopUnswitchPass(/*NonTrivial=*/true, /*Trivial=*/false)
        .run(loop, manager, forTarget, updater);
  }
};

} // namespace

PreservedAnalyses
cufort::unswitchUniformLoops(Function &function,
                             FunctionAnalysisManager &manager) {
  if (function.getCallingConv() != CallingConv::PTX_Kernel)
    return PreservedAnalyses::all();
  auto &loops = manager.getResult<LoopAnalysis>(function);
  if (none_of(loops.getLoopsInPreorder(), [&](Loop *loop) {
        return any_of(conditionsOf(*loop, loops),
                      [&](Use *each) { return isOurs(each, *loop); });
      }))
    return PreservedAnalyses::all();
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(SeparateLoop()));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                 /*UseMemorySSA=*/true));
  return passes.run(function, manager);
}
