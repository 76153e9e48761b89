//===- IterationConditions.cpp - what an iteration decides ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/analysis/IterationConditions.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

/// Whether \p phi, at the header of \p loop, goes from a constant in constant
/// steps.
bool isCounter(PHINode &phi, const Loop &loop, ScalarEvolution &evolution) {
  if (!evolution.isSCEVable(phi.getType()))
    return false;
  auto *steps = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
  return steps && steps->getLoop() == &loop &&
         all_of(steps->operands(),
                [](const SCEV *part) { return isa<SCEVConstant>(part); });
}

/// Follows a value of an iteration back to what it is made of.
struct Origin {
  const Loop &loop;
  ScalarEvolution &evolution;
  bool hasCounter = false;
  SmallPtrSet<Instruction *, 16> followed = {};

  /// Whether \p value is made of counters and constants alone.
  bool isKnown(Value *value) {
    if (isa<Constant>(value))
      return true;
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop.contains(instruction) ||
        isa<CallBase>(instruction) || instruction->mayReadOrWriteMemory())
      return false;
    if (!followed.insert(instruction).second)
      return true;
    if (auto *phi = dyn_cast<PHINode>(instruction)) {
      if (phi->getParent() == loop.getHeader()) {
        const bool counts = isCounter(*phi, loop, evolution);
        hasCounter |= counts;
        return counts;
      }
      if (phi->getNumIncomingValues() > 1 && !isWithin(phi->getParent()))
        return false;
    }
    return all_of(instruction->operands(),
                  [&](Value *operand) { return isKnown(operand); });
  }

  /// Whether \p block begins a loop within the loop.
  bool isWithin(const BasicBlock *block) const {
    return any_of(loop.getSubLoops(), [&](const Loop *inner) {
      return inner->getHeader() == block;
    });
  }
};

} // namespace

bool cufort::isDecidedByIteration(const Loop &loop,
                                  ScalarEvolution &evolution) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      if (!isa<ICmpInst>(instruction) ||
          (loop.isLoopExiting(block) &&
           is_contained(block->getTerminator()->operands(), &instruction)))
        continue;
      Origin origin{loop, evolution};
      if (origin.isKnown(&instruction) && origin.hasCounter)
        return true;
    }
  return false;
}
