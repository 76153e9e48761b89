//===- ThreadBody.cpp - one thread's work as a function -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/ThreadBody.h"
#include "compiler/cpu/analysis/BlockUniformity.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/Arena.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/StructurizeCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyLoopExits.h"

using namespace llvm;

namespace cufort::cpu {

ThreadBody::~ThreadBody() {
  if (function)
    function->eraseFromParent();
}

std::unique_ptr<ThreadBody>
ThreadBody::copy(Loop &loop, ArrayRef<Loop *> around, std::string &why) {
  BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  PHINode *counters[3] = {threadCounter(loop), nullptr, nullptr};
  PHINode *counter = counters[0];
  bool isKnown = threadExtent(loop);
  for (unsigned i = 0; i < around.size(); ++i) {
    counters[i + 1] = threadCounter(*around[i]);
    isKnown &= threadExtent(*around[i]) != nullptr;
  }
  if (!isKnown) {
    why = "the loop over the threads has been changed";
    return nullptr;
  }
  SmallSetVector<BasicBlock *, 16> blocks;
  for (Loop *outer : reverse(around))
    blocks.insert(outer->getHeader());
  blocks.insert_range(loop.blocks());
  // What tells the next iteration is the caller's.
  auto isControl = [&](Instruction *instruction) {
    return instruction == counter ||
           instruction == counter->getIncomingValueForBlock(latch) ||
           instruction == latch->getTerminator() ||
           (latch->getTerminator()->getNumOperands() > 0 &&
            instruction == latch->getTerminator()->getOperand(0));
  };
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      for (User *user : instruction.users())
        if (!loop.contains(cast<Instruction>(user)) &&
            !isControl(&instruction)) {
          why = "a value is used after the loop over the threads";
          return nullptr;
        }

  auto body = std::make_unique<ThreadBody>();
  SmallSetVector<Value *, 16> liveIns;
  SmallSetVector<AllocaInst *, 8> privates =
      privateVariables(blocks.getArrayRef());
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block) {
      if (isControl(&instruction))
        continue;
      for (Value *operand : instruction.operands()) {
        auto *other = dyn_cast<Instruction>(operand);
        if (isa<Argument>(operand))
          liveIns.insert(operand);
        if (!other || blocks.contains(other->getParent()))
          continue;
        auto *variable = dyn_cast<AllocaInst>(other);
        if (!variable || !privates.contains(variable))
          liveIns.insert(other);
      }
    }
  for (PHINode *phi : counters)
    liveIns.remove(phi);

  Function &entry = *header->getParent();
  LLVMContext &context = entry.getContext();
  SmallVector<Type *> types;
  for (Value *value : liveIns) {
    types.push_back(value->getType());
    body->liveIns.push_back(value);
  }
  Function *function = Function::Create(
      FunctionType::get(Type::getVoidTy(context), types, false),
      GlobalValue::InternalLinkage, entry.getName() + ".body",
      entry.getParent());
  body->function = function;
  function->setAttributes(AttributeList::get(
      context, AttributeList::FunctionIndex,
      AttrBuilder(context, entry.getAttributes().getFnAttrs())));
  function->removeFnAttr(KernelAttribute);
  function->removeFnAttr(EntryAttribute);

  ValueToValueMapTy values;
  for (auto [value, argument] : zip(body->liveIns, function->args())) {
    values[value] = &argument;
    argument.setName(value->getName());
  }
  BasicBlock *start = BasicBlock::Create(context, "start", function);
  IRBuilder<> b(start);
  for (AllocaInst *variable : privates) {
    auto *copy = cast<AllocaInst>(b.Insert(variable->clone()));
    copy->setName(variable->getName());
    values[variable] = copy;
    body->variables.push_back(copy);
  }
  auto rangeOf = [](Loop &along) {
    auto *extent = dyn_cast_or_null<ConstantInt>(threadExtent(along));
    return ConstantRange(APInt(32, 0),
                         APInt(32, extent ? extent->getZExtValue() : 1024));
  };
  auto index = [&](Intrinsic::ID id, Loop &along) {
    CallInst *call =
        b.CreateIntrinsic(id, ArrayRef<Type *>(), ArrayRef<Value *>());
    call->addRangeRetAttr(rangeOf(along));
    return call;
  };
  // The indices along the loops that stay are as small: else a thread's rank in
  // the block, in 32 bits, might wrap around within a row.
  Loop &outermost = around.empty() ? loop : *around.back();
  for (Loop *outer = outermost.getParentLoop();
       outer && outer->getLoopLatch() &&
       (isThreadLoop(*outer->getLoopLatch()->getTerminator(), 1) ||
        isThreadLoop(*outer->getLoopLatch()->getTerminator(), 2));
       outer = outer->getParentLoop())
    if (PHINode *phi = threadCounter(*outer))
      if (auto *argument = dyn_cast_or_null<Argument>(values.lookup(phi)))
        argument->addAttr(
            Attribute::get(context, Attribute::Range, rangeOf(*outer)));
  static constexpr Intrinsic::ID reads[] = {
      Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
      Intrinsic::nvvm_read_ptx_sreg_tid_z};
  for (BasicBlock *block : blocks) {
    BasicBlock *copy = CloneBasicBlock(block, values, "", function);
    values[block] = copy;
  }
  for (unsigned i = 0; i <= around.size(); ++i) {
    cast<Instruction>(values[counters[i]])->eraseFromParent();
    values[counters[i]] = index(reads[i], i ? *around[i - 1] : loop);
  }
  BasicBlock *last = cast<BasicBlock>(values[latch]);
  last->getTerminator()->eraseFromParent();
  ReturnInst::Create(context, last);
  for (BasicBlock *block : blocks) {
    auto *copy = cast<BasicBlock>(values[block]);
    for (Instruction &instruction : make_early_inc_range(*copy)) {
      RemapInstruction(&instruction, values,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      if (isa<LifetimeIntrinsic>(instruction))
        instruction.eraseFromParent();
      else
        instruction.setMetadata(LLVMContext::MD_access_group, nullptr);
    }
  }
  // Of the outer loops only the path to the loop inside counts.
  b.SetInsertPoint(start);
  b.CreateBr(cast<BasicBlock>(values[blocks.front()]));
  for (unsigned i = 0; i < around.size(); ++i) {
    auto *head = cast<BasicBlock>(values[around[i]->getHeader()]);
    head->getTerminator()->eraseFromParent();
    b.SetInsertPoint(head);
    b.CreateBr(
        cast<BasicBlock>(values[i ? around[i - 1]->getHeader() : header]));
  }
  // The thread's number goes up by one from lane to lane, however it is made of
  // the indices.
  if (around.size() == 2)
    for (Instruction &instruction :
         make_early_inc_range(instructions(*function)))
      if (instruction.hasMetadata(RankMetadata)) {
        b.SetInsertPoint(&instruction);
        instruction.replaceAllUsesWith(
            b.CreateCall(threadRankMark(*function->getParent())));
        instruction.eraseFromParent();
      }
  for (Instruction &instruction : make_early_inc_range(*last))
    if (isInstructionTriviallyDead(&instruction))
      instruction.eraseFromParent();
  return body;
}

BodyPasses::BodyPasses() {
  functionAnalyses.registerPass(
      [] { return blockTargetAnalysis(BlockUniformity::Threads::All); });
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(callGraphAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses,
                               callGraphAnalyses, moduleAnalyses);
}

void BodyPasses::simplify(Function &body) {
  // Nothing here copies a path around something else but whole loop iterations.
  SimplifyCFGOptions mild;
  mild.needCanonicalLoops(true).hoistCommonInsts(true);
  FunctionPassManager passes;
  passes.addPass(SimplifyCFGPass(mild));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  LoopPassManager loops;
  loops.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/true,
                               /*PrepareForLTO=*/false));
  loops.addPass(LICMPass(LICMOptions()));
  passes.addPass(
      createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
  LoopPassManager unrolling;
  unrolling.addPass(LoopFullUnrollPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(unrolling)));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass(mild));
  passes.addPass(ADCEPass());
  passes.run(body, functionAnalyses);
  functionAnalyses.invalidate(body, PreservedAnalyses::none());
}

/// Gives the divergent region of a branch one edge into the join.
static void mergeEdgesToJoin(Function &body) {
  BlockUniformity uniformity(body);
  DominatorTree dominators(body);
  PostDominatorTree postDominators(body);
  LoopInfo loops(dominators);
  SmallVector<std::pair<BasicBlock *, BasicBlock *>> branches;
  for (BasicBlock &block : body) {
    Loop *loop = loops.getLoopFor(&block);
    auto *node = postDominators.getNode(&block)->getIDom();
    if (!uniformity.branchesUniformly(block) && node && node->getBlock() &&
        !(loop && loop->isLoopExiting(&block)))
      branches.push_back({&block, node->getBlock()});
  }
  for (auto [branch, join] : branches) {
    SmallVector<BasicBlock *> incoming;
    for (BasicBlock *before : predecessors(join))
      if (before != branch && dominators.dominates(branch, before))
        incoming.push_back(before);
    if (incoming.size() > 1)
      SplitBlockPredecessors(join, incoming, ".edges", &dominators, &loops,
                             nullptr,
                             /*PreserveLCSSA=*/true);
  }
}

void BodyPasses::structure(Function &body) {
  FunctionPassManager branches;
  branches.addPass(LowerSwitchPass());
  branches.run(body, functionAnalyses);
  // The block of a case that cannot be has lost its entrance.
  removeUnreachableBlocks(body);
  functionAnalyses.invalidate(body, PreservedAnalyses::none());
  FunctionPassManager passes;
  passes.addPass(FixIrreduciblePass());
  passes.addPass(UnifyLoopExitsPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(StructurizeCFGPass(/*SkipUniformRegions=*/true));
  passes.addPass(LoopSimplifyPass());
  passes.addPass(EarlyCSEPass());
  passes.addPass(LCSSAPass());
  passes.run(body, functionAnalyses);
  mergeEdgesToJoin(body);
  functionAnalyses.invalidate(body, PreservedAnalyses::none());
}

} // namespace cufort::cpu
