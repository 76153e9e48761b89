//===- AddressHoisting.cpp - an address is computed once ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/addressing/AddressHoisting.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;
using namespace cufort;

namespace {

/// Whether \p instruction may be part of an address. Constant distances are
/// part of the access.
bool isPartOfAddress(const Instruction &instruction) {
  if (auto *element = dyn_cast<GetElementPtrInst>(&instruction))
    return !element->hasAllConstantIndices();
  if (isa<ZExtInst, SExtInst>(instruction))
    return instruction.getType()->isIntegerTy(64);
  switch (instruction.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
    return instruction.getType()->isIntegerTy();
  default:
    return false;
  }
}

} // namespace

PreservedAnalyses cufort::hoistAddresses(Function &function,
                                         FunctionAnalysisManager &manager) {
  auto &dominators = manager.getResult<DominatorTreeAnalysis>(function);
  auto &postDominators = manager.getResult<PostDominatorTreeAnalysis>(function);
  auto &loops = manager.getResult<LoopAnalysis>(function);

  /// Whether \p first is computed for a loop that \p common may go past, and
  /// \p second behind it, perhaps under a condition. An address with its
  /// extension is one instruction, which is done while the threads find out
  /// whether the loop has an iteration. What \p second does under its condition
  /// is then short enough for ptxas to make it without a branch.
  auto isForLoop = [&](const Instruction &first, const Instruction &second,
                       const BasicBlock *common) {
    const BasicBlock *header = first.getParent()->getSingleSuccessor();
    const Loop *loop = loops.getLoopFor(common);
    return isa<GetElementPtrInst, CastInst>(first) && header &&
           loops.isLoopHeader(header) &&
           !loops.getLoopFor(header)->contains(first.getParent()) &&
           loops.getLoopFor(first.getParent()) == loop &&
           loops.getLoopFor(second.getParent()) == loop &&
           is_contained(predecessors(first.getParent()), common);
  };
  /// The end of a block that both \p first and \p second have behind them, if
  /// \p second is always computed when that is reached, or \p first is for a
  /// loop.
  auto before = [&](const Instruction &first,
                    const Instruction &second) -> Instruction * {
    BasicBlock *common = dominators.findNearestCommonDominator(
        const_cast<BasicBlock *>(first.getParent()),
        const_cast<BasicBlock *>(second.getParent()));
    const Loop *loop = loops.getLoopFor(common);
    if ((!postDominators.dominates(second.getParent(), common) ||
         (loop && !loop->contains(&second))) &&
        !isForLoop(first, second, common))
      return nullptr;
    Instruction *end = common->getTerminator();
    bool known = all_of(first.operands(), [&](const Use &operand) {
      return dominators.dominates(operand.get(), end);
    });
    return known ? end : nullptr;
  };

  bool changed = false;
  DenseMap<hash_code, SmallVector<Instruction *, 1>> seen;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &second : make_early_inc_range(*block)) {
      if (!isPartOfAddress(second))
        continue;
      auto &alike = seen[hash_combine(
          second.getOpcode(),
          hash_combine_range(second.value_op_begin(), second.value_op_end()))];
      bool kept = true;
      for (Instruction *first : alike) {
        if (!first->isIdenticalToWhenDefined(&second))
          continue;
        if (!dominators.dominates(first, &second)) {
          Instruction *end = before(*first, second);
          if (!end)
            continue;
          first->moveBefore(end->getIterator());
          first->updateLocationAfterHoist();
        }
        first->andIRFlags(&second);
        second.replaceAllUsesWith(first);
        second.eraseFromParent();
        changed = true;
        kept = false;
        break;
      }
      if (kept)
        alike.push_back(&second);
    }
  return afterInstructions(changed);
}
