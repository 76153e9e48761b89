//===- Guards.cpp - conditions on the thread index as bounds --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The condition is taken apart into conjuncts. One that compares x plus
// something with something else, both the same for all x, bounds x from below
// or above; one in which x does not occur holds for all or for none. The rest
// stay where they are.
//
// Integers may wrap around: then the threads for which the condition holds are
// no interval. That is found out before the loop (x plus something must grow by
// as much as x does); if it happens, the loop runs for intervals of one thread
// each, for which the condition is asked.
//
//   interval:  first = ...; end = exact ? upper : first + holds(first)
//     x loop from first to end
//   interval.next:  if (!exact) again with first + 1
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/ThreadLoops.h"
#include "compiler/cpu/fission/Recompute.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {

class GuardedLoop {
public:
  explicit GuardedLoop(ThreadLoops &loops)
      : loops(loops), x(cast<PHINode>(loops.index[0])),
        b(loops.before->getContext()) {}
  void run();

private:
  struct Bound {
    Value *index; ///< grows with x
    Value *limit; ///< the same for all x
    CmpInst::Predicate predicate;
  };

  bool findGuard();
  bool leadsNowhere(BasicBlock *block);
  void takeApart(Value *condition, bool negated);
  void classify(Value *condition, bool negated);
  bool dependsOnX(Value *value);
  bool growsWithX(Value *value);
  Value *evaluate(Value *value, Value *at, DenseMap<Value *, Value *> &made);
  Value *evaluate(Value *value, Value *at) {
    DenseMap<Value *, Value *> made;
    return evaluate(value, at, made);
  }
  Value *widen(Value *value, bool isSigned) {
    return b.CreateIntCast(value, b.getInt64Ty(), isSigned);
  }
  void makeBounds();
  Value *holdsAt(Value *at);
  void makeIntervals();

  ThreadLoops &loops;
  PHINode *x;
  IRBuilder<> b;

  SmallPtrSet<BasicBlock *, 4> before; ///< the blocks up to the guard
  BranchInst *guard = nullptr;
  bool skipsIfTrue = false;
  DenseMap<Value *, bool> dependent; ///< on x
  SmallVector<Bound> bounds;
  SmallVector<std::pair<Value *, bool>> common; ///< x does not occur; negated?
  SmallVector<std::pair<Value *, bool>> rest;

  Value *lower = nullptr, *upper = nullptr; ///< i64, within 0 and the extent
  Value *exact = nullptr;                   ///< i1: nothing wraps around
};

/// Between a guard and the end of a thread's iteration: what is left of blocks
/// without instructions once LLVM has simplified them.
static constexpr unsigned MostBlocks = 8;

/// Whether nothing happens from \p block to the end of the thread's iteration.
bool GuardedLoop::leadsNowhere(BasicBlock *block) {
  for (unsigned steps = 0; steps < MostBlocks; ++steps) {
    if (block == loops.latch)
      return true;
    auto *branch = dyn_cast<BranchInst>(&block->front());
    if (!branch || branch->isConditional())
      return false;
    block = branch->getSuccessor(0);
  }
  return false;
}

bool GuardedLoop::findGuard() {
  BasicBlock *block = loops.begin;
  while (before.insert(block).second) {
    for (Instruction &instruction : *block)
      if (!instruction.isTerminator() && !isa<PHINode>(instruction) &&
          !isPureArithmetic(instruction))
        return false;
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch)
      return false;
    if (branch->isConditional()) {
      guard = branch;
      break;
    }
    block = branch->getSuccessor(0);
    if (!block->getSinglePredecessor() || !block->phis().empty())
      return false;
  }
  if (!guard)
    return false;
  skipsIfTrue = leadsNowhere(guard->getSuccessor(0));
  return skipsIfTrue != leadsNowhere(guard->getSuccessor(1));
}

void GuardedLoop::takeApart(Value *condition, bool negated) {
  Value *left, *right;
  if (match(condition, m_Not(m_Value(left))))
    return takeApart(left, !negated);
  if (negated ? match(condition, m_LogicalOr(m_Value(left), m_Value(right)))
              : match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))) {
    takeApart(left, negated);
    takeApart(right, negated);
    return;
  }
  classify(condition, negated);
}

bool GuardedLoop::dependsOnX(Value *value) {
  if (value == x)
    return true;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !before.contains(instruction->getParent()))
    return false;
  // Asked once per value: operands may be shared many times over.
  auto [known, isNew] = dependent.try_emplace(value, false);
  if (!isNew)
    return known->second;
  bool depends = any_of(instruction->operands(), [&](Use &operand) {
    return dependsOnX(operand.get());
  });
  return dependent[value] = depends;
}

/// Whether \p value is x plus something in which x does not occur.
bool GuardedLoop::growsWithX(Value *value) {
  while (value != x) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !before.contains(instruction->getParent()))
      return false;
    Value *left, *right;
    if (match(value, m_ZExtOrSExt(m_Value(left)))) {
      value = left;
    } else if (match(value, m_Add(m_Value(left), m_Value(right)))) {
      if (dependsOnX(left) == dependsOnX(right))
        return false;
      value = dependsOnX(left) ? left : right;
    } else if (match(value, m_Sub(m_Value(left), m_Value(right)))) {
      if (dependsOnX(right))
        return false;
      value = left;
    } else {
      return false;
    }
  }
  return true;
}

void GuardedLoop::classify(Value *condition, bool negated) {
  if (!dependsOnX(condition)) {
    common.push_back({condition, negated});
    return;
  }
  if (auto *compare = dyn_cast<ICmpInst>(condition)) {
    Value *left = compare->getOperand(0), *right = compare->getOperand(1);
    CmpInst::Predicate predicate = compare->getPredicate();
    if (negated)
      predicate = CmpInst::getInversePredicate(predicate);
    if (dependsOnX(right)) {
      std::swap(left, right);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    if (left->getType()->isIntegerTy() &&
        left->getType()->getIntegerBitWidth() <= 64 && growsWithX(left) &&
        !dependsOnX(right) && predicate != CmpInst::ICMP_NE) {
      bounds.push_back({left, right, predicate});
      return;
    }
  }
  rest.push_back({condition, negated});
}

/// Computes \p value, which consists of pure arithmetic before the guard, for
/// the x index \p at.
Value *GuardedLoop::evaluate(Value *value, Value *at,
                             DenseMap<Value *, Value *> &made) {
  if (value == x)
    return at;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !before.contains(instruction->getParent()))
    return value;
  if (Value *known = made.lookup(value))
    return known;
  // The threads of an interval need not all go here.
  Instruction *copy = cloneForAnyThread(*instruction);
  for (Use &operand : copy->operands())
    operand.set(evaluate(operand.get(), at, made));
  b.Insert(copy, value->getName());
  return made[value] = copy;
}

/// Computes lower, upper and exact at the end of the y loop's head.
void GuardedLoop::makeBounds() {
  Value *extent = b.CreateZExt(loops.extentOfX, b.getInt64Ty());
  Value *zero = b.getInt64(0), *one = b.getInt64(1);
  Value *last = b.CreateSub(loops.extentOfX, b.getInt32(1));
  lower = zero;
  upper = extent;
  exact = b.getTrue();
  auto raise = [&](Value *to) {
    lower = b.CreateBinaryIntrinsic(Intrinsic::smax, lower, to);
  };
  auto reduce = [&](Value *to) {
    upper = b.CreateBinaryIntrinsic(Intrinsic::smin, upper, to);
  };
  auto plus = [&](Value *left, Value *right) {
    return b.CreateBinaryIntrinsic(Intrinsic::sadd_sat, left, right);
  };
  for (const Bound &bound : bounds) {
    bool isSigned = CmpInst::isSigned(bound.predicate);
    Value *first = evaluate(bound.index, b.getInt32(0));
    Value *final = evaluate(bound.index, last);
    Value *limit = widen(evaluate(bound.limit, b.getInt32(0)), isSigned);
    exact =
        b.CreateAnd(exact, b.CreateICmpEQ(b.CreateSub(widen(final, isSigned),
                                                      widen(first, isSigned)),
                                          b.CreateZExt(last, b.getInt64Ty())));
    if (isSigned) // for 64 bits, whose difference wraps around with them
      exact = b.CreateAnd(exact, b.CreateICmpSGE(final, first));
    first = widen(first, isSigned);
    if (!isSigned && bound.index->getType()->getIntegerBitWidth() == 64) {
      // Beyond what the signed arithmetic below can tell apart.
      exact = b.CreateAnd(exact, b.CreateICmpSGE(limit, zero));
      exact = b.CreateAnd(exact, b.CreateICmpSGE(widen(final, false), zero));
      exact = b.CreateAnd(exact, b.CreateICmpSGE(first, zero));
    }
    Value *reached = b.CreateBinaryIntrinsic(Intrinsic::ssub_sat, limit, first);
    switch (bound.predicate) {
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_ULT:
      reduce(reached);
      break;
    case CmpInst::ICMP_SLE:
    case CmpInst::ICMP_ULE:
      reduce(plus(reached, one));
      break;
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_UGT:
      raise(plus(reached, one));
      break;
    case CmpInst::ICMP_SGE:
    case CmpInst::ICMP_UGE:
      raise(reached);
      break;
    default: // equal
      raise(reached);
      reduce(plus(reached, one));
      break;
    }
  }
  for (auto &[condition, negated] : common) {
    Value *holds = evaluate(condition, b.getInt32(0));
    upper = b.CreateSelect(negated ? b.CreateNot(holds) : holds, upper, zero);
  }
  lower = b.CreateBinaryIntrinsic(Intrinsic::smin, lower, extent);
  upper = b.CreateBinaryIntrinsic(Intrinsic::smax, upper, zero);
}

/// i1: whether the conjuncts that became bounds hold for the x index \p at.
Value *GuardedLoop::holdsAt(Value *at) {
  Value *holds = b.getTrue();
  DenseMap<Value *, Value *> made;
  for (const Bound &bound : bounds)
    holds = b.CreateAnd(holds, b.CreateICmp(bound.predicate,
                                            evaluate(bound.index, at, made),
                                            evaluate(bound.limit, at, made)));
  for (auto &[condition, negated] : common) {
    Value *one = evaluate(condition, at, made);
    holds = b.CreateAnd(holds, negated ? b.CreateNot(one) : one);
  }
  return holds;
}

void GuardedLoop::makeIntervals() {
  Function *entry = loops.before->getParent();
  LLVMContext &context = entry->getContext();
  auto block = [&](const Twine &name) {
    return BasicBlock::Create(context, name, entry);
  };
  BasicBlock *interval = block("interval"), *enter = block("interval.x"),
             *next = block("interval.next");
  Type *i32 = b.getInt32Ty();

  Instruction *toX = loops.headOfY->getTerminator();
  b.SetInsertPoint(toX);
  makeBounds();
  Value *start =
      b.CreateSelect(exact, b.CreateTrunc(lower, i32), b.getInt32(0));
  toX->setSuccessor(0, interval);

  b.SetInsertPoint(interval);
  PHINode *first = b.CreatePHI(i32, 2, "first");
  first->addIncoming(start, loops.headOfY);
  Value *single = b.CreateNUWAdd(first, b.CreateZExt(holdsAt(first), i32));
  Value *end = b.CreateSelect(exact, b.CreateTrunc(upper, i32), single, "end");
  // Within the interval the index does not wrap around, by exactness or since
  // there is but one thread.
  SmallVector<Value *> starts;
  DenseMap<Value *, Value *> made;
  for (const Bound &bound : bounds)
    starts.push_back(evaluate(bound.index, first, made));
  b.CreateCondBr(b.CreateICmpULT(first, end), enter, next);

  b.SetInsertPoint(enter);
  b.CreateBr(loops.begin);
  x->setIncomingBlock(x->getBasicBlockIndex(loops.headOfY), enter);
  x->setIncomingValueForBlock(enter, first);

  auto *again = cast<BranchInst>(loops.latch->getTerminator());
  b.SetInsertPoint(again);
  again->setCondition(
      b.CreateICmpULT(x->getIncomingValueForBlock(loops.latch), end));
  again->setSuccessor(1, next);

  b.SetInsertPoint(next);
  Value *following = b.CreateNUWAdd(first, b.getInt32(1));
  first->addIncoming(following, next);
  Value *more = b.CreateAnd(b.CreateNot(exact),
                            b.CreateICmpULT(following, loops.extentOfX));
  b.CreateCondBr(more, interval, loops.nextOfY);

  // The guard itself: what has become bounds is known.
  b.SetInsertPoint(guard);
  Value *remains = nullptr;
  for (auto &[condition, negated] : rest) {
    Value *holds = negated ? b.CreateNot(condition) : condition;
    remains = remains ? b.CreateLogicalAnd(remains, holds) : holds;
  }
  if (!remains)
    remains = b.getTrue();
  guard->setCondition(skipsIfTrue ? b.CreateNot(remains) : remains);

  // And the loop may count on the index not wrapping around.
  SmallPtrSet<Value *, 4> replaced;
  for (auto [bound, value] : zip(bounds, starts)) {
    if (bound.index == x || !replaced.insert(bound.index).second)
      continue;
    auto *index = cast<Instruction>(bound.index);
    bool isSigned = CmpInst::isSigned(bound.predicate);
    b.SetInsertPoint(index->getNextNode());
    Value *distance = b.CreateIntCast(b.CreateNUWSub(x, first),
                                      index->getType(), /*isSigned=*/false);
    Value *sum = b.CreateAdd(value, distance, index->getName(),
                             /*HasNUW=*/!isSigned, /*HasNSW=*/isSigned);
    index->replaceUsesWithIf(sum, [&](Use &use) {
      // Bounds have been computed from the index as it was.
      auto *user = dyn_cast<Instruction>(use.getUser());
      return user != sum;
    });
  }
}

void GuardedLoop::run() {
  if (!findGuard())
    return;
  takeApart(guard->getCondition(), skipsIfTrue);
  if (!bounds.empty())
    makeIntervals();
}

void ThreadLoops::boundByGuard() { GuardedLoop(*this).run(); }

} // namespace cufort::cpu
