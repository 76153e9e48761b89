//===- Tidy.cpp - registers instead of memory -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/import/Tidy.h"
#include "compiler/common/RegisteredAnalyses.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/fission/Barriers.h"
#include "compiler/cpu/fission/Recompute.h"
#include "compiler/cpu/optimise/HostTarget.h"
#include "compiler/cpu/simd/WarpOperations.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace cufort::cpu {

/// A default that cannot happen is an exit of every loop around its switch;
/// it goes where one of the cases goes. Only where warp operations leave no
/// choice: other loops with such an exit stay scalar, and with them the
/// complex functions, whose parts in vectors are less exact than the whole may
/// be.
static void closeImpossibleDefaults(Function &function) {
  if (none_of(instructions(function), isWarpOperation))
    return;
  for (BasicBlock &block : function) {
    auto *select = dyn_cast<SwitchInst>(block.getTerminator());
    if (!select || !select->defaultDestUnreachable() ||
        select->getNumCases() == 0)
      continue;
    SwitchInst::CaseIt last = std::prev(select->case_end());
    BasicBlock *target = last->getCaseSuccessor();
    select->getDefaultDest()->removePredecessor(&block);
    select->setDefaultDest(target);
    select->removeCase(last);
  }
  EliminateUnreachableBlocks(function);
}

/// Marks loads from constant variables: C++ takes their addresses as addresses
/// of any memory, so that nothing is left of the space by which cpu-flatten
/// knows other loads. Those from known places are read first, once each. Under
/// a condition in a loop LLVM would move them in front of that loop, forget
/// what they are and which loop over threads they belong to, and then think
/// that threads might depend on each other.
static void readConstantsFirst(Function &function) {
  BasicBlock &first = function.getEntryBlock();
  MDNode *always = MDNode::get(function.getContext(), {});
  DenseMap<std::pair<Value *, Type *>, LoadInst *> known;
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->isSimple())
      continue;
    Value *address = load->getPointerOperand();
    auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(address));
    if (!variable || !variable->hasAttribute(ConstantAttribute))
      continue;
    load->setMetadata(LLVMContext::MD_invariant_load, always);
    if (!isa<Constant>(address) || !isSafeToSpeculativelyExecute(load))
      continue;
    LoadInst *&read = known[{address, load->getType()}];
    if (read) {
      load->replaceAllUsesWith(read);
      load->eraseFromParent();
      continue;
    }
    read = load;
    read->dropUBImplyingAttrsAndMetadata();
    read->setMetadata(LLVMContext::MD_invariant_load, always);
    read->moveBefore(first.getFirstNonPHIOrDbgOrAlloca());
  }
}

/// Of what is computed on both paths and needed on one.
static constexpr unsigned MostChosen = 4;

/// Whether \p instruction reads a variable that is there in any case (of shared
/// memory, most often one that a thread has told the others something by).
static bool readsKnownVariable(const Instruction &instruction) {
  auto *load = dyn_cast<LoadInst>(&instruction);
  return load && load->isSimple() &&
         isa<GlobalVariable>(getUnderlyingObject(load->getPointerOperand())) &&
         isSafeToSpeculativelyExecute(load);
}

/// Whether \p block computes a few numbers at most.
static bool isCheap(const BasicBlock &block) {
  return block.size() <= MostChosen + 1 &&
         all_of(block, [](const Instruction &instruction) {
           return isa<BranchInst>(instruction) ||
                  ((isPureArithmetic(instruction) ||
                    readsKnownVariable(instruction)) &&
                   !instruction.getType()->isFPOrFPVectorTy());
         });
}

/// Where two paths meet again at once and have computed a few integers on them,
/// computes both and chooses. An index that is cut off at the ends of an array
/// is then arithmetic, which other regions can do again; as a join of paths it
/// would be an array of the block.
static bool chooseValue(BasicBlock &join) {
  if (join.phis().empty() || !join.hasNPredecessors(2) ||
      !all_of(join.phis(), [](const PHINode &phi) {
        return phi.getType()->isIntegerTy() && !phi.getType()->isIntegerTy(1);
      }))
    return false;
  BasicBlock *yes = nullptr, *no = nullptr;
  BranchInst *branch = GetIfCondition(&join, yes, no);
  if (!branch)
    return false;
  BasicBlock *before = branch->getParent();
  for (BasicBlock *block : {yes, no})
    if (block != before && !isCheap(*block))
      return false;
  for (BasicBlock *block : {yes, no})
    if (block != before) {
      for (Instruction &instruction : *block)
        if (isa<LoadInst>(instruction))
          instruction.dropUBImplyingAttrsAndMetadata();
      before->splice(branch->getIterator(), block, block->begin(),
                     block->getTerminator()->getIterator());
    }
  IRBuilder<> b(branch);
  for (PHINode &phi : make_early_inc_range(join.phis())) {
    Value *value = b.CreateSelect(branch->getCondition(),
                                  phi.getIncomingValueForBlock(yes),
                                  phi.getIncomingValueForBlock(no));
    value->takeName(&phi);
    phi.replaceAllUsesWith(value);
    phi.eraseFromParent();
  }
  b.CreateBr(&join);
  branch->eraseFromParent();
  for (BasicBlock *block : {yes, no})
    if (block != before)
      DeleteDeadBlock(block);
  return true;
}

/// Of the paths to a load.
static constexpr unsigned MostPaths = 3;

/// Whether \p value is an address made of \p start.
static bool follows(const Value *value, const Value *start) {
  while (auto *address = dyn_cast<GEPOperator>(value))
    value = address->getPointerOperand();
  return value == start;
}

/// Loads from an address that depends on the path to them, at the beginning of
/// \p block: LLVM makes one of those that stood on each path. Where there are
/// barriers the addresses of all threads would have to be kept instead of what
/// they read, and vectors would gather. Each path loads for itself again.
static void loadOnEachPath(BasicBlock &block) {
  SmallVector<BasicBlock *> befores(predecessors(&block));
  if (befores.size() < 2 || befores.size() > MostPaths ||
      any_of(befores,
             [](BasicBlock *before) { return !before->getSingleSuccessor(); }))
    return;
  SmallVector<LoadInst *> loads;
  for (Instruction &instruction : block) {
    if (instruction.mayWriteToMemory() ||
        !isGuaranteedToTransferExecutionToSuccessor(&instruction))
      break;
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *address =
        load ? dyn_cast<PHINode>(load->getPointerOperand()) : nullptr;
    // One that steps along is better left in one place.
    if (address && load->isSimple() && address->getParent() == &block &&
        none_of(address->incoming_values(),
                [&](Value *value) { return follows(value, address); }))
      loads.push_back(load);
  }
  for (LoadInst *load : loads) {
    auto *address = cast<PHINode>(load->getPointerOperand());
    IRBuilder<> b(&block, block.begin());
    PHINode *value = b.CreatePHI(load->getType(), befores.size());
    value->takeName(load);
    for (BasicBlock *before : befores) {
      Instruction *own = load->clone();
      own->setOperand(0, address->getIncomingValueForBlock(before));
      own->insertBefore(before->getTerminator()->getIterator());
      value->addIncoming(own, before);
    }
    load->replaceAllUsesWith(value);
    load->eraseFromParent();
    if (address->use_empty())
      address->eraseFromParent();
  }
}

void tidy(Module &module, ArrayRef<Function *> functions) {
  if (functions.empty())
    return;
  auto machine = makeHostMachine(cpuOfLevel(0));
  RegisteredAnalyses analyses;
  PassBuilder builder(machine.get());
  analyses.registerAnalyses(builder);
  SimplifyCFGOptions mild;
  mild.NeedCanonicalLoop = true;
  mild.SpeculateBlocks = false;
  FunctionPassManager passes;
  passes.addPass(SimplifyCFGPass(mild));
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass(mild));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FunctionPassManager blocks;
  blocks.addPass(SimplifyCFGPass(mild));
  blocks.addPass(EarlyCSEPass());
  for (Function *function : functions) {
    passes.run(*function, analyses.functions);
    SmallVector<BasicBlock *> joins;
    for (BasicBlock &block : *function)
      if (!block.phis().empty())
        joins.push_back(&block);
    bool hasChosen = false;
    for (BasicBlock *join : joins)
      hasChosen |= chooseValue(*join);
    if (hasChosen) {
      analyses.functions.invalidate(*function, PreservedAnalyses::none());
      blocks.run(*function, analyses.functions);
    }
    if (!barriersOf(*function).empty())
      for (BasicBlock &block : *function)
        loadOnEachPath(block);
    closeImpossibleDefaults(*function);
    readConstantsFirst(*function);
  }
}

Error tidyKernels(Module &module, const CpuOptions &) {
  tidy(module, deviceFunctions(module));
  return Error::success();
}

} // namespace cufort::cpu
