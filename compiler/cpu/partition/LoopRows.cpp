//===- LoopRows.cpp - kernel loops go row by row --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops over a block's share of each axis have the same iterations in all
// threads, and between their iterations threads carry nothing but what they
// reduce. With the loop over threads in the innermost of them,
//
//   do z = ...
//     do y = ...
//       do x = ..., in steps of the block
//         do thread = 0, block - 1
//
// rows are read from end to end. The other way around, a vector of threads
// would go through all its planes alone and touch one line of each row.
//
// What a thread reduces is a chain of phis, one in each loop and one where the
// paths past the condition on its index meet. It is one variable in the arena,
// read and written where the loop's body has something to add: as phis each
// would be an array that is copied at every iteration, for all threads.
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/partition/LoopRows.h"
#include "compiler/cpu/analysis/BlockUniformity.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/Arena.h"
#include "compiler/cpu/block/BlockShapes.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "image/DeviceCode.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

void foldIndices(Function &entry) {
  SmallVector<Instruction *> reads;
  for (Instruction &instruction : instructions(entry))
    if (int dimension = threadIndexDimension(&instruction);
        dimension == 1 || dimension == 2)
      reads.push_back(&instruction);
  for (Instruction *read : reads)
    replaceAndRecursivelySimplify(read, ConstantInt::get(read->getType(), 0));
}

/// A value that threads carry through the loops of a nest: the phis that pass
/// it on, of which at each place one is the value.
class CarriedValue {
public:
  CarriedValue(Function &entry, LoopInfo &loops, Loop &innermost)
      : entry(entry), loops(loops), innermost(innermost) {}

  /// Finds the phis that belong to \p first; whether one variable can stand
  /// for all of them.
  bool find(PHINode &first);
  void keepIn(Arena &arena);

private:
  bool passesOn(PHINode &phi);
  bool isOverwritten(PHINode &phi, BasicBlock *at);
  static BasicBlock *blockOf(Use &use) {
    auto *phi = dyn_cast<PHINode>(use.getUser());
    return phi ? phi->getIncomingBlock(use)
               : cast<Instruction>(use.getUser())->getParent();
  }
  bool isMember(Value *value) {
    auto *phi = dyn_cast<PHINode>(value);
    return phi && phis.contains(phi);
  }

  Function &entry;
  LoopInfo &loops;
  Loop &innermost;
  SmallSetVector<PHINode *, 8> phis;
};

/// Whether \p phi stands in the nest, but in no loop of the body.
bool CarriedValue::passesOn(PHINode &phi) {
  Loop *loop = loops.getLoopFor(phi.getParent());
  return loop == &innermost || (loop && loop->contains(&innermost) &&
                                loop->getHeader() == phi.getParent());
}

bool CarriedValue::find(PHINode &first) {
  phis.insert(&first);
  for (unsigned i = 0; i < phis.size(); ++i) {
    SmallVector<Value *> near(phis[i]->incoming_values());
    append_range(near, phis[i]->users());
    for (Value *value : near)
      if (auto *phi = dyn_cast<PHINode>(value); phi && passesOn(*phi))
        phis.insert(phi);
  }
  SmallPtrSet<BasicBlock *, 8> blocks;
  for (PHINode *phi : phis) {
    if (!blocks.insert(phi->getParent()).second)
      return false;
    for (auto [value, before] : zip(phi->incoming_values(), phi->blocks()))
      if (!isMember(value) && !before->getSingleSuccessor())
        return false;
  }
  return all_of(phis, [&](PHINode *phi) {
    return none_of(phi->uses(),
                   [&](Use &use) { return isOverwritten(*phi, blockOf(use)); });
  });
}

/// Whether another value may have come to one of the phis since \p phi was
/// passed, when control is in \p at.
bool CarriedValue::isOverwritten(PHINode &phi, BasicBlock *at) {
  SmallPtrSet<BasicBlock *, 16> passed;
  SmallVector<BasicBlock *> work;
  for (PHINode *other : phis)
    if (other != &phi && any_of(other->incoming_values(),
                                [&](Value *value) { return !isMember(value); }))
      work.push_back(other->getParent());
  while (!work.empty()) {
    BasicBlock *block = work.pop_back_val();
    if (block == phi.getParent() || !passed.insert(block).second)
      continue;
    append_range(work, successors(block));
  }
  return passed.contains(at);
}

void CarriedValue::keepIn(Arena &arena) {
  Arena::Slot slot = arena.make(phis[0]->getType(), "carried");
  FunctionCallee rank = threadRankMark(*entry.getParent());
  for (PHINode *phi : phis) {
    for (auto [value, before] : zip(phi->incoming_values(), phi->blocks()))
      if (!isMember(value) && !isa<UndefValue>(value)) {
        IRBuilder<> b(before->getTerminator());
        arena.store(b, slot, b.CreateCall(rank), value);
      }
    for (Use &use : make_early_inc_range(phi->uses())) {
      auto *user = cast<Instruction>(use.getUser());
      if (isMember(user))
        continue;
      IRBuilder<> b(isa<PHINode>(user) ? blockOf(use)->getTerminator() : user);
      use.set(arena.load(b, slot, b.CreateCall(rank)));
    }
  }
  for (PHINode *phi : phis)
    phi->dropAllReferences();
  for (PHINode *phi : phis)
    phi->eraseFromParent();
}

/// Whether all uses of \p variable lie in one of \p loops: then each iteration
/// of a thread begins with it anew.
bool isOfOneIteration(const AllocaInst &variable, ArrayRef<Loop *> loops) {
  SmallVector<const Value *> work{&variable};
  SmallPtrSet<const Value *, 16> seen;
  while (!work.empty())
    for (const User *user : work.pop_back_val()->users()) {
      if (!seen.insert(user).second)
        continue;
      auto *instruction = cast<Instruction>(user);
      if (none_of(loops, [&](Loop *loop) {
            return loop->contains(instruction) &&
                   instruction->getParent() != loop->getHeader();
          }))
        return false;
      if (instruction->getType()->isPointerTy())
        work.push_back(instruction);
    }
  return true;
}

void markLoops(Function &entry, unsigned axes) {
  DominatorTree dominators(entry);
  LoopInfo loops(dominators);
  BlockUniformity uniformity(entry);
  SmallVector<Loop *> found;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->getLoopDepth() == axes) {
      if (loop->getExitingBlock() != loop->getHeader() ||
          !uniformity.branchesUniformly(*loop->getHeader()))
        return;
      found.push_back(loop);
    }
  for (Instruction &instruction : entry.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && !isOfOneIteration(*variable, found))
      return;
  BlockShape shape(entry);
  Arena arena(entry, shape);
  for (Loop *loop : found) {
    SmallVector<PHINode *> carried;
    for (PHINode &phi : loop->getHeader()->phis())
      if (!uniformity.isUniform(phi))
        carried.push_back(&phi);
    for (PHINode *phi : carried)
      if (CarriedValue value(entry, loops, *loop); value.find(*phi))
        value.keepIn(arena);
  }
  for (Loop *loop : found)
    loop->getHeader()->getTerminator()->setMetadata(
        LoopRowMetadata, MDNode::get(entry.getContext(), {}));
}

} // namespace

SmallVector<BasicBlock *> loopRows(Function &entry) {
  SmallVector<BasicBlock *> found;
  for (BasicBlock &block : entry)
    if (block.getTerminator()->hasMetadata(LoopRowMetadata))
      found.push_back(&block);
  return found;
}

Error goRowByRow(Module &module, const CpuOptions &options) {
  for (Function *entry : entries(module, "block")) {
    unsigned axes = attributeNumber(*entry, image::LoopAxesAttribute);
    if (!axes)
      continue;
    foldIndices(*entry);
    foldBlockShape(*entry, blockShape(*entry));
    if (options.optLevel >= 2)
      markLoops(*entry, axes);
  }
  return Error::success();
}

} // namespace cufort::cpu
