//===- ShortCases.cpp - short cases under predicates ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/ShortCases.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

/// More of them cost more comparisons than a branch.
constexpr unsigned MostCases = 4;
/// As many as ptxas takes for predicates, address arithmetic and all.
constexpr unsigned MostInstructions = 16;

/// Whether \p block does nothing but a few loads, stores and simple arithmetic
/// between \p from and \p next.
bool isShort(const BasicBlock &block, const BasicBlock &from,
             const BasicBlock &next) {
  if (block.getUniquePredecessor() != &from ||
      block.getSingleSuccessor() != &next || block.hasAddressTaken())
    return false;
  unsigned count = 0;
  for (const Instruction &instruction : block) {
    if (instruction.isDebugOrPseudoInst())
      continue;
    auto *call = dyn_cast<CallBase>(&instruction);
    bool isSimple = call ? isa<IntrinsicInst>(call) && !call->isConvergent()
                         : !instruction.isAtomic() && !instruction.isVolatile();
    if (isa<PHINode>(instruction) || !isSimple || ++count > MostInstructions)
      return false;
  }
  return true;
}

bool separate(SwitchInst &choice) {
  BasicBlock *from = choice.getParent();
  BasicBlock *next = choice.getDefaultDest();
  if (choice.getNumCases() < 2 || choice.getNumCases() > MostCases ||
      next == from)
    return false;
  SmallPtrSet<BasicBlock *, MostCases> blocks;
  for (auto &each : choice.cases())
    if (!blocks.insert(each.getCaseSuccessor()).second ||
        !isShort(*each.getCaseSuccessor(), *from, *next))
      return false;

  // What a phi of the next block gets where none of the cases so far applies.
  SmallVector<std::pair<PHINode *, Value *>> values;
  for (PHINode &phi : next->phis())
    values.push_back({&phi, phi.getIncomingValueForBlock(from)});
  IRBuilder<> builder(&choice);
  BasicBlock *test = from;
  for (auto &each : choice.cases()) {
    BasicBlock *block = each.getCaseSuccessor();
    Value *applies =
        builder.CreateICmpEQ(choice.getCondition(), each.getCaseValue());
    if (each.getCaseIndex() + 1 == choice.getNumCases()) {
      builder.CreateCondBr(applies, block, next);
      break;
    }
    auto *join = BasicBlock::Create(from->getContext(), "", from->getParent(),
                                    block->getNextNode());
    builder.CreateCondBr(applies, block, join);
    block->getTerminator()->setSuccessor(0, join);
    builder.SetInsertPoint(join);
    for (auto &[phi, value] : values) {
      PHINode *sofar = builder.CreatePHI(phi->getType(), 2);
      sofar->addIncoming(value, test);
      sofar->addIncoming(phi->removeIncomingValue(block, false), block);
      value = sofar;
    }
    test = join;
  }
  for (auto &[phi, value] : values) {
    phi->removeIncomingValue(from, false);
    phi->addIncoming(value, test);
  }
  choice.eraseFromParent();
  return true;
}

struct SeparateShortCases : PassInfoMixin<SeparateShortCases> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    SmallVector<SwitchInst *> choices;
    for (BasicBlock &block : function)
      if (auto *choice = dyn_cast<SwitchInst>(block.getTerminator()))
        choices.push_back(choice);
    bool changed = false;
    for (SwitchInst *choice : choices)
      changed |= separate(*choice);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

} // namespace

void cufort::separateShortCases(PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
        passes.addPass(createModuleToFunctionPassAdaptor(SeparateShortCases()));
      });
}
