//===- ChosenLoads.cpp - loads from one of two places ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/simd/ChosenLoads.h"
#include "compiler/cpu/analysis/LaneShapes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Of the instructions between a choice and the load.
constexpr unsigned MostSteps = 6;
/// Of loads that are taken apart; each is two branches.
constexpr unsigned MostLoads = 16;

bool isLimit(const Value *value) {
  auto *limit = dyn_cast<MinMaxIntrinsic>(value);
  return limit && limit->isSigned() && limit->getType()->isIntegerTy();
}

bool isChoice(const Value *value) {
  auto *select = dyn_cast<SelectInst>(value);
  return isLimit(value) ||
         (select && select->getCondition()->getType()->isIntegerTy(1));
}

/// What an address may be made of a choice by.
bool isStep(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::GetElementPtr:
    return true;
  default:
    return false;
  }
}

/// A load, the choice that its address follows from, and what lies between
/// them: users first.
class ChosenLoad {
public:
  ChosenLoad(LoadInst &load, const LaneShapes &shapes, bool limits)
      : load(load), shapes(shapes), limits(limits) {}
  /// Whether there is a choice, exactly one.
  bool find();
  /// Makes both addresses, where the load is.
  void makeAddresses();
  /// Whether vectors can be loaded from both.
  bool isWorthIt(const LaneShapes &later) const;
  void separate();
  /// Removes the addresses again.
  void giveUp();

private:
  bool findFrom(Value *value, unsigned steps);
  Value *copy(Value *value, SmallVectorImpl<Instruction *> &made);

  LoadInst &load;
  const LaneShapes &shapes;
  const bool limits;
  Instruction *choice = nullptr;
  SmallVector<Instruction *> path;
  struct Alternative {
    Value *address;
    SmallVector<Instruction *> made; ///< for the address
  } alternatives[2];
};

bool ChosenLoad::findFrom(Value *value, unsigned steps) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || shapes.stride(instruction))
    return false;
  if (isChoice(instruction) && (limits || !isLimit(instruction))) {
    choice = instruction;
    return true;
  }
  if (steps == 0 || !isStep(*instruction))
    return false;
  path.push_back(instruction);
  Value *unknown = nullptr;
  for (Value *operand : instruction->operands())
    if (!shapes.stride(operand)) {
      if (unknown && unknown != operand)
        return false;
      unknown = operand;
    }
  return unknown && findFrom(unknown, steps - 1);
}

bool ChosenLoad::find() {
  return load.isSimple() && findFrom(load.getPointerOperand(), MostSteps);
}

/// The address that follows if the choice is \p value.
Value *ChosenLoad::copy(Value *value, SmallVectorImpl<Instruction *> &made) {
  Value *before = choice, *now = value;
  for (Instruction *instruction : reverse(path)) {
    Instruction *again = instruction->clone();
    again->replaceUsesOfWith(before, now);
    again->insertBefore(load.getIterator());
    made.push_back(again);
    before = instruction;
    now = again;
  }
  return now;
}

void ChosenLoad::makeAddresses() {
  unsigned first = isa<SelectInst>(choice) ? 1 : 0;
  for (unsigned i = 0; i < 2; ++i)
    alternatives[i].address =
        copy(choice->getOperand(first + i), alternatives[i].made);
}

bool ChosenLoad::isWorthIt(const LaneShapes &later) const {
  const int64_t size =
      load.getDataLayout().getTypeAllocSize(load.getType()).getFixedValue();
  return all_of(alternatives, [&](const Alternative &alternative) {
    std::optional<int64_t> step = later.stride(alternative.address);
    return step == 0 || step == size;
  });
}

void ChosenLoad::giveUp() {
  for (Alternative &alternative : alternatives)
    for (Instruction *instruction : reverse(alternative.made))
      instruction->eraseFromParent();
}

void ChosenLoad::separate() {
  IRBuilder<> b(&load);
  Value *condition;
  if (auto *select = dyn_cast<SelectInst>(choice)) {
    condition = select->getCondition();
  } else {
    auto *limit = cast<MinMaxIntrinsic>(choice);
    condition =
        b.CreateICmp(limit->getPredicate(), limit->getLHS(), limit->getRHS());
  }
  // One behind the other and not one or the other: the value is chosen by the
  // condition alone, whichever threads come along.
  condition = b.CreateFreeze(condition);
  Value *conditions[] = {condition, b.CreateNot(condition)}, *values[2];
  for (unsigned i = 0; i < 2; ++i) {
    Instruction *end = SplitBlockAndInsertIfThen(conditions[i], &load, false);
    for (Instruction *instruction : alternatives[i].made)
      instruction->moveBefore(end->getIterator());
    auto *own = cast<LoadInst>(load.clone());
    own->setOperand(0, alternatives[i].address);
    own->insertBefore(end->getIterator());
    b.SetInsertPoint(&load);
    PHINode *one = b.CreatePHI(load.getType(), 2);
    one->addIncoming(own, end->getParent());
    one->addIncoming(
        PoisonValue::get(load.getType()),
        *find_if(predecessors(load.getParent()),
                 [&](BasicBlock *from) { return from != end->getParent(); }));
    values[i] = one;
  }
  Value *value = b.CreateSelect(condition, values[0], values[1]);
  value->takeName(&load);
  load.replaceAllUsesWith(value);
  load.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(path.empty() ? choice
                                                          : path.front());
}

} // namespace

/// Of an address: a choice comes within a few selects and phis of the load.
constexpr unsigned MostSources = 16;

bool mayHaveChosenLoads(Loop &loop) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      Value *value = load ? load->getPointerOperand() : nullptr;
      SmallVector<Value *> work{value};
      for (unsigned steps = 0; load && !work.empty() && steps < MostSources;
           ++steps) {
        auto *source = dyn_cast<Instruction>(work.pop_back_val());
        if (!source || !loop.contains(source))
          continue;
        if (isChoice(source))
          return true;
        if (isStep(*source))
          append_range(work, source->operands());
      }
    }
  return false;
}

bool separateChosenLoads(Function &body, BlockUniformity::Threads threads,
                         bool limits) {
  const LaneShapes shapes(body, threads);
  SmallVector<LoadInst *> loads;
  for (Instruction &instruction : instructions(body))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      loads.push_back(load);
  SmallVector<ChosenLoad> found;
  for (LoadInst *load : loads)
    if (ChosenLoad chosen(*load, shapes, limits); chosen.find())
      found.push_back(std::move(chosen));
  if (found.empty() || found.size() > MostLoads)
    return false;
  for (ChosenLoad &chosen : found)
    chosen.makeAddresses();
  const LaneShapes later(body, threads);
  bool any = false;
  for (ChosenLoad &chosen : found)
    if (chosen.isWorthIt(later)) {
      chosen.separate();
      any = true;
    } else {
      chosen.giveUp();
    }
  return any;
}

} // namespace cufort::cpu
