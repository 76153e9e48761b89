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

namespace {

/// Makes the function that ThreadBody::copy returns.
class BodyCloner {
public:
  BodyCloner(Loop &loop, ArrayRef<Loop *> around);
  /// Why the body cannot be a function of its own; null: it can.
  const char *obstacle() const;
  std::unique_ptr<ThreadBody> run();

private:
  bool isControl(const Instruction &instruction) const;
  void findLiveIns();
  void createFunction();
  void copyVariables();
  void limitOuterIndices();
  void cloneBlocks();
  void readIndices();
  void remapBlocks();
  void enterInnermostLoop();
  void markRanks();

  SmallVector<Loop *, 3> loops;       ///< over x, then those around it
  SmallVector<PHINode *, 3> counters; ///< of the loops
  BasicBlock *latch;                  ///< of the loop over x
  Function &entry;
  IRBuilder<> b;
  SmallSetVector<BasicBlock *, 16> blocks;
  SmallSetVector<AllocaInst *, 8> privates;
  std::unique_ptr<ThreadBody> body = std::make_unique<ThreadBody>();
  ValueToValueMapTy values; ///< what there is in the function for the entry's
};

} // namespace

BodyCloner::BodyCloner(Loop &loop, ArrayRef<Loop *> around)
    : loops({&loop}), latch(loop.getLoopLatch()),
      entry(*loop.getHeader()->getParent()), b(entry.getContext()) {
  append_range(loops, around);
  for (Loop *each : loops)
    counters.push_back(threadCounter(*each));
  for (Loop *outer : reverse(around))
    blocks.insert(outer->getHeader());
  blocks.insert_range(loop.blocks());
}

/// Whether \p instruction tells the next iteration, which is the caller's.
bool BodyCloner::isControl(const Instruction &instruction) const {
  const Instruction *end = latch->getTerminator();
  return &instruction == counters[0] ||
         &instruction == counters[0]->getIncomingValueForBlock(latch) ||
         &instruction == end ||
         (end->getNumOperands() > 0 && &instruction == end->getOperand(0));
}

const char *BodyCloner::obstacle() const {
  if (!all_of(loops, [](Loop *each) { return threadExtent(*each); }))
    return "the loop over the threads has been changed";
  for (BasicBlock *block : loops[0]->blocks())
    for (Instruction &instruction : *block)
      for (User *user : instruction.users())
        if (!loops[0]->contains(cast<Instruction>(user)) &&
            !isControl(instruction))
          return "a value is used after the loop over the threads";
  return nullptr;
}

void BodyCloner::findLiveIns() {
  SmallSetVector<Value *, 16> liveIns;
  privates = privateVariables(blocks.getArrayRef());
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block) {
      if (isControl(instruction))
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
  append_range(body->liveIns, liveIns);
}

/// The function, without blocks, and its arguments.
void BodyCloner::createFunction() {
  LLVMContext &context = entry.getContext();
  SmallVector<Type *> types;
  for (Value *value : body->liveIns)
    types.push_back(value->getType());
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
  for (auto [value, argument] : zip(body->liveIns, function->args())) {
    values[value] = &argument;
    argument.setName(value->getName());
  }
}

void BodyCloner::copyVariables() {
  for (AllocaInst *variable : privates) {
    auto *copy = cast<AllocaInst>(b.Insert(variable->clone()));
    copy->setName(variable->getName());
    values[variable] = copy;
    body->variables.push_back(copy);
  }
}

/// The values of the thread index that \p along goes through.
static ConstantRange indexRange(Loop &along) {
  auto *extent = dyn_cast_or_null<ConstantInt>(threadExtent(along));
  return ConstantRange(APInt(32, 0),
                       APInt(32, extent ? extent->getZExtValue() : 1024));
}

/// The indices along the loops that stay are as small: else a thread's rank in
/// the block, in 32 bits, might wrap around within a row.
void BodyCloner::limitOuterIndices() {
  auto isOuterThreadLoop = [](Loop &outer) {
    BasicBlock *end = outer.getLoopLatch();
    return end && (isThreadLoop(*end->getTerminator(), 1) ||
                   isThreadLoop(*end->getTerminator(), 2));
  };
  for (Loop *outer = loops.back()->getParentLoop();
       outer && isOuterThreadLoop(*outer); outer = outer->getParentLoop())
    if (PHINode *phi = threadCounter(*outer))
      if (auto *argument = dyn_cast_or_null<Argument>(values.lookup(phi)))
        argument->addAttr(Attribute::get(entry.getContext(), Attribute::Range,
                                         indexRange(*outer)));
}

void BodyCloner::cloneBlocks() {
  for (BasicBlock *block : blocks) {
    BasicBlock *copy = CloneBasicBlock(block, values, "", body->function);
    values[block] = copy;
  }
}

/// The loops' counters become reads of the thread index.
void BodyCloner::readIndices() {
  static constexpr Intrinsic::ID reads[] = {
      Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
      Intrinsic::nvvm_read_ptx_sreg_tid_z};
  for (auto [loop, counter, read] : zip(loops, counters, reads)) {
    cast<Instruction>(values[counter])->eraseFromParent();
    CallInst *index =
        b.CreateIntrinsic(read, ArrayRef<Type *>(), ArrayRef<Value *>());
    index->addRangeRetAttr(indexRange(*loop));
    values[counter] = index;
  }
}

void BodyCloner::remapBlocks() {
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
}

/// Of the outer loops only the path to the loop inside counts.
void BodyCloner::enterInnermostLoop() {
  b.CreateBr(cast<BasicBlock>(values[blocks.front()]));
  for (size_t i = 1; i < loops.size(); ++i) {
    auto *head = cast<BasicBlock>(values[loops[i]->getHeader()]);
    head->getTerminator()->eraseFromParent();
    b.SetInsertPoint(head);
    b.CreateBr(cast<BasicBlock>(values[loops[i - 1]->getHeader()]));
  }
}

/// The thread's number goes up by one from lane to lane, however it is made of
/// the indices.
void BodyCloner::markRanks() {
  Function &function = *body->function;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (instruction.hasMetadata(RankMetadata)) {
      b.SetInsertPoint(&instruction);
      instruction.replaceAllUsesWith(
          b.CreateCall(threadRankMark(*function.getParent())));
      instruction.eraseFromParent();
    }
}

std::unique_ptr<ThreadBody> BodyCloner::run() {
  findLiveIns();
  createFunction();
  BasicBlock *start =
      BasicBlock::Create(entry.getContext(), "start", body->function);
  b.SetInsertPoint(start);
  copyVariables();
  limitOuterIndices();
  cloneBlocks();
  readIndices();
  BasicBlock *last = cast<BasicBlock>(values[latch]);
  last->getTerminator()->eraseFromParent();
  ReturnInst::Create(entry.getContext(), last);
  remapBlocks();
  enterInnermostLoop();
  if (loops.size() == 3)
    markRanks();
  for (Instruction &instruction : make_early_inc_range(*last))
    if (isInstructionTriviallyDead(&instruction))
      instruction.eraseFromParent();
  return std::move(body);
}

std::unique_ptr<ThreadBody>
ThreadBody::copy(Loop &loop, ArrayRef<Loop *> around, std::string &why) {
  BodyCloner cloner(loop, around);
  if (const char *obstacle = cloner.obstacle()) {
    why = obstacle;
    return nullptr;
  }
  return cloner.run();
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
