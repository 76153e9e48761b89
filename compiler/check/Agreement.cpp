//===- Agreement.cpp - what all threads come to ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/Agreement.h"
#include "compiler/common/LaunchShape.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace cufort::check {
namespace {

class Agreement {
public:
  Agreement(Function &kernel, const PostDominatorTree &postTree,
            const LoopInfo &loops, function_ref<Wait(Instruction &)> waits,
            SmallVectorImpl<BranchInst *> &divergent)
      : kernel(kernel), postTree(postTree), loops(loops), waits(waits),
        divergent(divergent) {}

  bool run() {
    for (Instruction &instruction : instructions(kernel))
      if (differsByItself(instruction))
        mark(instruction);
    while (!work.empty()) {
      Instruction *instruction = work.pop_back_val();
      if (instruction->isTerminator() && !visitBranch(*instruction))
        return false;
      for (User *user : instruction->users())
        mark(*cast<Instruction>(user));
    }
    return true;
  }

private:
  void mark(Instruction &instruction) {
    if (differing.insert(&instruction).second)
      work.push_back(&instruction);
  }

  /// Whether threads find different values there though all operands agree.
  bool differsByItself(Instruction &instruction) {
    // Who reads one place finds one value in all threads, or there is a race,
    // of which something is said in any case. What is the thread's own is not
    // one place.
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return !load->isSimple() ||
             !isa<Argument, GlobalVariable>(
                 getUnderlyingObject(load->getPointerOperand(), 0));
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call)
      return instruction.mayReadFromMemory();
    auto *intrinsic = dyn_cast<IntrinsicInst>(call);
    if (!intrinsic)
      return !call->doesNotAccessMemory();
    if (readsLaunchShape(*intrinsic) || readsBlockIndex(*intrinsic))
      return false;
    return intrinsic->mayReadFromMemory() ||
           intrinsic->getCalledFunction()->getName().starts_with(
               "llvm.nvvm.read.");
  }

  /// Threads part at \p branch. False: some of them wait before they meet.
  bool visitBranch(Instruction &branch) {
    BasicBlock *from = branch.getParent();
    auto *node = postTree.getNode(from);
    auto *next = node ? node->getIDom() : nullptr;
    BasicBlock *meet = next ? next->getBlock() : nullptr;
    SmallPtrSet<BasicBlock *, 16> parted;
    SmallVector<BasicBlock *> worklist;
    auto enter = [&](BasicBlock *block) {
      if (block != meet && parted.insert(block).second)
        worklist.push_back(block);
    };
    for (BasicBlock *each : successors(from))
      enter(each);
    // Warps may do so, each as a whole.
    auto *condition = dyn_cast<BranchInst>(&branch);
    const bool mayPart = condition && condition->isConditional() &&
                         isa<ICmpInst>(condition->getCondition());
    bool warpsWait = false;
    while (!worklist.empty()) {
      BasicBlock *block = worklist.pop_back_val();
      for (Instruction &each : *block) {
        const Wait wait = waits(each);
        if (wait != Wait::No && (wait != Wait::Warp || !mayPart))
          return false;
        warpsWait |= wait == Wait::Warp;
      }
      for (BasicBlock *each : successors(block))
        enter(each);
    }
    if (warpsWait) {
      // Edges that a warp takes as a whole diverge none of its threads.
      divergent.push_back(condition);
      parted.clear();
    }
    if (meet)
      parted.insert(meet);
    for (BasicBlock *block : parted)
      for (PHINode &phi : block->phis())
        mark(phi);
    // They leave a loop in different iterations.
    for (const Loop *loop = loops.getLoopFor(from); loop;
         loop = loop->getParentLoop()) {
      if (meet && loop->contains(meet))
        break;
      for (BasicBlock *block : loop->blocks())
        for (Instruction &each : *block)
          for (User *user : each.users())
            if (!loop->contains(cast<Instruction>(user)))
              mark(*cast<Instruction>(user));
    }
    return true;
  }

  Function &kernel;
  const PostDominatorTree &postTree;
  const LoopInfo &loops;
  function_ref<Wait(Instruction &)> waits;
  SmallVectorImpl<BranchInst *> &divergent;
  SmallPtrSet<Instruction *, 32> differing;
  SmallVector<Instruction *> work;
};

} // namespace

bool threadsAgree(Function &kernel, const DominatorTree &,
                  const PostDominatorTree &postTree, const LoopInfo &loops,
                  function_ref<Wait(Instruction &)> waits,
                  SmallVectorImpl<BranchInst *> &divergent) {
  return Agreement(kernel, postTree, loops, waits, divergent).run();
}

} // namespace cufort::check
