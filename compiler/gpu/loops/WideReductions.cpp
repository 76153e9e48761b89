//===- WideReductions.cpp - sums of 8 and 16 bits -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/loops/WideReductions.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace cufort;

namespace {

/// Of a reduction whose width changes: a search over it is quadratic.
constexpr unsigned MostInstructions = 128;

/// Whether the low bits of \p value need no more than those of its operands.
bool isOfLowBits(const Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return false;
  switch (instruction->getOpcode()) {
  case Instruction::PHI:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    return true;
  default:
    return false;
  }
}

using Sums = SmallSetVector<Instruction *, 16>;

/// \p phi and the sums that it is one of; nothing if no loop carries them on,
/// or one needs them for anything else.
Sums sumsOf(PHINode &phi, const LoopInfo &loops) {
  SmallPtrSet<Value *, 16> others;
  auto isNeededElsewhere = [&](Instruction *each, const Sums &sums) {
    return any_of(each->users(), [&](User *user) {
      auto *instruction = cast<Instruction>(user);
      const Loop *loop = loops.getLoopFor(instruction->getParent());
      return loop && loop->contains(each) && !sums.contains(instruction);
    });
  };
  while (true) {
    Sums sums;
    sums.insert(&phi);
    for (unsigned i = 0; i != sums.size() && i != MostInstructions; ++i)
      for (Value *operand : sums[i]->operands())
        if (isOfLowBits(operand) && !others.contains(operand))
          sums.insert(cast<Instruction>(operand));
    if (sums.size() > MostInstructions)
      return {};
    const size_t known = others.size();
    bool isCarried = false, adds = false;
    for (Instruction *each : sums) {
      isCarried |= isa<PHINode>(each) && loops.isLoopHeader(each->getParent());
      adds |= each->getOpcode() == Instruction::Add;
      if (!isNeededElsewhere(each, sums))
        continue;
      if (isa<PHINode>(each))
        return {};
      others.insert(each);
    }
    if (!isCarried || !adds)
      return {};
    if (known == others.size())
      return sums;
  }
}

/// The place behind \p value, or at the beginning of \p function.
void setBehind(IRBuilder<> &b, Value *value, Function &function) {
  auto *instruction = dyn_cast<Instruction>(value);
  BasicBlock::iterator place =
      instruction ? *instruction->getInsertionPointAfterDef()
                  : function.getEntryBlock().getFirstInsertionPt();
  b.SetInsertPoint(place->getParent(), place);
}

void widen(const Sums &sums) {
  Function &function = *sums[0]->getFunction();
  IRBuilder<> b(function.getContext());
  Type *narrow = sums[0]->getType(), *whole = b.getInt32Ty();
  DenseMap<Value *, Value *> wide;
  for (Instruction *each : sums) {
    b.SetInsertPoint(each);
    if (auto *phi = dyn_cast<PHINode>(each))
      wide[each] = b.CreatePHI(whole, phi->getNumIncomingValues());
    else
      wide[each] = BinaryOperator::Create(
          cast<BinaryOperator>(each)->getOpcode(), PoisonValue::get(whole),
          PoisonValue::get(whole), "", each->getIterator());
  }
  auto widened = [&](Value *value) -> Value * {
    if (auto *number = dyn_cast<ConstantInt>(value))
      return ConstantInt::get(whole, number->getZExtValue());
    Value *&found = wide[value];
    if (!found) {
      setBehind(b, value, function);
      found = b.CreateZExt(value, whole);
    }
    return found;
  };
  for (Instruction *each : sums) {
    auto *sum = cast<Instruction>(wide[each]);
    if (auto *phi = dyn_cast<PHINode>(each))
      for (auto [block, value] : zip(phi->blocks(), phi->incoming_values()))
        cast<PHINode>(sum)->addIncoming(widened(value), block);
    else
      for (unsigned i = 0; i != 2; ++i)
        sum->setOperand(i, widened(each->getOperand(i)));
  }
  for (Instruction *each : sums) {
    if (any_of(each->users(), [&](User *user) {
          return !sums.contains(cast<Instruction>(user));
        })) {
      setBehind(b, wide[each], function);
      Value *low = b.CreateTrunc(wide[each], narrow);
      each->replaceUsesWithIf(low, [&](const Use &use) {
        return !sums.contains(cast<Instruction>(use.getUser()));
      });
    }
  }
  for (Instruction *each : sums)
    each->replaceAllUsesWith(PoisonValue::get(narrow));
  for (Instruction *each : sums)
    each->eraseFromParent();
}

bool widenOne(Function &function, const LoopInfo &loops) {
  // What is left over behind a loop belongs to its sums.
  for (BasicBlock *block : post_order(&function))
    for (PHINode &phi : block->phis()) {
      if (!phi.getType()->isIntegerTy(8) && !phi.getType()->isIntegerTy(16))
        continue;
      if (Sums sums = sumsOf(phi, loops); !sums.empty()) {
        widen(sums);
        return true;
      }
    }
  return false;
}

} // namespace

PreservedAnalyses cufort::widenReductions(Function &function,
                                          FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<LoopAnalysis>(function);
  bool changed = false;
  while (widenOne(function, loops))
    changed = true;
  return afterInstructions(changed);
}
