//===- ShiftedLimits.cpp - comparisons with powers of two -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/ShiftedLimits.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace cufort;

namespace {

/// `1 << bits` where \p user can use it: as it is there, or before \p loop.
Value *limitFor(Value *bits, const Instruction &user, const Loop &loop,
                const DominatorTree &dominators) {
  for (User *each : bits->users())
    if (auto *limit = dyn_cast<Instruction>(each);
        limit && match(limit, m_Shl(m_One(), m_Specific(bits))) &&
        dominators.dominates(limit, &user)) {
      // The highest bit is a limit as well, which signed numbers do not have.
      limit->dropPoisonGeneratingFlags();
      return limit;
    }
  BasicBlock *before = loop.getLoopPreheader();
  return before ? IRBuilder<>(before->getTerminator())
                      .CreateShl(ConstantInt::get(bits->getType(), 1), bits)
                : nullptr;
}

} // namespace

PreservedAnalyses
cufort::restoreShiftedLimits(Function &function,
                             FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return PreservedAnalyses::all();
  auto &dominators = manager.getResult<DominatorTreeAnalysis>(function);
  bool changed = false;
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    Value *number, *bits;
    auto *comparison = dyn_cast<ICmpInst>(&instruction);
    if (!comparison || !comparison->isEquality() ||
        !match(comparison->getOperand(1), m_Zero()) ||
        !match(comparison->getOperand(0),
               m_OneUse(m_LShr(m_Value(number), m_Value(bits)))) ||
        isa<Constant>(bits))
      continue;
    Loop *loop = loops.getLoopFor(comparison->getParent());
    while (loop && loop->getParentLoop() &&
           loop->getParentLoop()->isLoopInvariant(bits))
      loop = loop->getParentLoop();
    if (!loop || !loop->isLoopInvariant(bits))
      continue;
    Value *limit = limitFor(bits, *comparison, *loop, dominators);
    if (!limit)
      continue;
    // Else InstCombine compares with the shift again before LoopUnroll.
    auto *frozen = new FreezeInst(limit, "limit");
    frozen->insertBefore(
        *cast<Instruction>(limit)->getInsertionPointAfterDef());
    auto *shift = cast<Instruction>(comparison->getOperand(0));
    comparison->setPredicate(comparison->getPredicate() == CmpInst::ICMP_EQ
                                 ? CmpInst::ICMP_ULT
                                 : CmpInst::ICMP_UGE);
    comparison->setOperand(0, number);
    comparison->setOperand(1, frozen);
    comparison->setSameSign(false);
    shift->eraseFromParent();
    changed = true;
  }
  return afterInstructions(changed);
}
