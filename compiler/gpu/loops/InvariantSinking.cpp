//===- InvariantSinking.cpp - what single inner loops need ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/InvariantSinking.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;
using namespace cufort;

namespace {

/// The outermost loop around \p block that \p outside is not in.
Loop *outermostWithout(BasicBlock *block, const BasicBlock *outside,
                       const LoopInfo &loops) {
  Loop *found = nullptr;
  for (Loop *loop = loops.getLoopFor(block); loop && !loop->contains(outside);
       loop = loop->getParentLoop())
    found = loop;
  return found;
}

/// Where the value of \p use is needed.
BasicBlock *blockOf(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  auto *phi = dyn_cast<PHINode>(user);
  return phi ? phi->getIncomingBlock(use) : user->getParent();
}

/// One operation on integers, or comparison, with a constant.
bool isCheap(const Instruction &instruction) {
  return (isa<ICmpInst>(instruction) ||
          (isa<BinaryOperator>(instruction) && !instruction.isIntDivRem() &&
           instruction.getOpcode() != Instruction::Mul)) &&
         instruction.getOperand(0)->getType()->isIntegerTy(32) &&
         isa<ConstantInt>(instruction.getOperand(1));
}

/// Whether one iteration of \p around can get from \p from to \p to.
bool comesLater(BasicBlock *to, BasicBlock *from, const Loop &around) {
  SmallPtrSet<BasicBlock *, 16> seen;
  SmallVector<BasicBlock *> left = {from};
  while (!left.empty()) {
    BasicBlock *block = left.pop_back_val();
    if (block == to)
      return true;
    if (!seen.insert(block).second)
      continue;
    for (BasicBlock *next : successors(block))
      if (around.contains(next) && next != around.getHeader())
        left.push_back(next);
  }
  return false;
}

bool hasSeveralLoops(const Loop &loop) { return loop.getSubLoops().size() > 1; }

/// The block that comes before all that needs \p instruction, if that is one
/// part of the outermost loop around it, another loop in that one comes
/// earlier, and the operand is needed in it anyway.
BasicBlock *latestPlace(Instruction &instruction, const LoopInfo &loops,
                        const DominatorTree &dominators) {
  BasicBlock *place = nullptr;
  Loop *around = nullptr;
  for (const Use &use : instruction.uses()) {
    BasicBlock *block = blockOf(use);
    Loop *loop = outermostWithout(block, instruction.getParent(), loops);
    if (!loop || (around && loop != around) || !hasSeveralLoops(*loop))
      return nullptr;
    around = loop;
    place = place ? dominators.findNearestCommonDominator(place, block) : block;
  }
  while (Loop *inner = loops.getLoopFor(place)) {
    if (inner == around)
      break;
    place = dominators.getNode(inner->getHeader())->getIDom()->getBlock();
  }
  bool comesAfterLoop = any_of(*around, [&](Loop *earlier) {
    return !earlier->contains(place) &&
           comesLater(place, earlier->getHeader(), *around);
  });
  bool isOperandNeeded =
      any_of(instruction.getOperand(0)->users(), [&](User *user) {
        return user != &instruction &&
               around->contains(cast<Instruction>(user));
      });
  return comesAfterLoop && isOperandNeeded ? place : nullptr;
}

} // namespace

PreservedAnalyses cufort::sinkInvariants(Function &function,
                                         FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<LoopAnalysis>(function);
  if (none_of(loops.getLoopsInPreorder(),
              [](Loop *loop) { return hasSeveralLoops(*loop); }))
    return PreservedAnalyses::all();
  auto &dominators = manager.getResult<DominatorTreeAnalysis>(function);
  SmallVector<Instruction *> candidates;
  for (Instruction &instruction : instructions(function))
    if (isCheap(instruction) && !instruction.use_empty())
      candidates.push_back(&instruction);
  bool changed = false;
  for (Instruction *instruction : reverse(candidates))
    if (BasicBlock *place = latestPlace(*instruction, loops, dominators)) {
      auto needs = [&](Instruction &each) {
        return !isa<PHINode>(each) &&
               is_contained(each.operands(), instruction);
      };
      auto user = find_if(*place, needs);
      instruction->moveBefore(
          user == place->end() ? place->getTerminator()->getIterator() : user);
      changed = true;
    }
  return afterInstructions(changed);
}
