//===- Conditions.cpp - what is true where a block is executed ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/Forms.h"
#include "image/Image.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::check {

using image::CheckSymbolKind;

/// Whether \p left counts the iterations of a loop down from a quotient, as
/// Fortran's loops do: there are iterations left if the divisor times the
/// iterations with this one, \p less, is not more than the dividend, \p more.
bool Forms::iterationsWithin(Value *left, std::optional<Form> &more,
                             std::optional<Form> &less) {
  auto *phi = dyn_cast<PHINode>(left);
  const Loop *loop = phi ? loops.getLoopFor(phi->getParent()) : nullptr;
  if (!loop || loop->getHeader() != phi->getParent() || !loop->getLoopLatch() ||
      phi->getNumIncomingValues() != 2)
    return false;
  BasicBlock *latch = loop->getLoopLatch();
  Value *first = phi->getIncomingValue(phi->getIncomingBlock(0) == latch);
  Value *next = phi->getIncomingValueForBlock(latch);
  Value *dividend, *divisor;
  if (!(match(next, m_Sub(m_Specific(phi), m_One())) ||
        match(next, m_Add(m_Specific(phi), m_AllOnes()))) ||
      !match(first, m_SDiv(m_Value(dividend), m_Value(divisor))))
    return false;
  Value *each = launchNumber(divisor);
  auto whole = of(dividend);
  if (!each || !whole)
    return false;
  more = whole;
  // Where a loop counts down, both are negative.
  if (auto *known = dyn_cast<ConstantInt>(each); known && known->isNegative()) {
    more = scaled(*whole, b.getInt64(-1));
    each = b.CreateNeg(each);
  }
  const Form times{each, {}};
  limits.push_back({times, 0, std::nullopt, nullptr, {}, 0, 0});
  less = scaled(plus(symbol(CheckSymbolKind::Iterations, loop), 1), each);
  return true;
}

/// \p counter, which counts the iterations of a loop, is less than \p bound. If
/// that is one more than a quotient, or nothing where the dividend is negative,
/// the divisor times the iterations is not more than the dividend.
void Forms::iterationsBelow(Value *bound, Value *counter,
                            std::vector<Condition> &all) {
  Value *none, *quotient, *dividend, *divisor, *x;
  if (!counter->getType()->isIntegerTy(64) ||
      !match(bound, m_Select(m_Value(none), m_Zero(),
                             m_Add(m_Value(quotient), m_One()))) ||
      !(match(quotient, m_UDiv(m_Value(dividend), m_Value(divisor))) ||
        match(quotient, m_SDiv(m_Value(dividend), m_Value(divisor)))))
    return;
  CmpPredicate predicate;
  if (!match(dividend, m_SMax(m_Value(x), m_Zero())) ||
      !match(none, m_ICmp(predicate, m_Specific(x), m_Zero())) ||
      predicate != CmpInst::ICMP_SLT)
    return;
  Value *each = launchNumber(divisor);
  if (auto *known = dyn_cast_or_null<ConstantInt>(each);
      known && known->isNegative())
    return;
  auto whole = of(x), count = of(counter);
  if (!each || !whole || !count || count->terms.size() != 1 ||
      !match(count->constant, m_Zero()) ||
      !match(count->terms[0].second, m_One()) ||
      symbols[count->terms[0].first].kind != CheckSymbolKind::Iterations)
    return;
  limits.push_back({Form{each, {}}, 0, std::nullopt, nullptr, {}, 0, 0});
  all.push_back(add(*whole, scaled(*count, each), -1));
}

void Forms::compare(CmpInst::Predicate predicate, Value *left, Value *right,
                    const Comparison &comparison, std::vector<Condition> &all,
                    bool &whole) {
  Instruction &at = comparison.at;
  // Left not less than right.
  if (predicate == CmpInst::ICMP_SLT || predicate == CmpInst::ICMP_SLE ||
      predicate == CmpInst::ICMP_ULT || predicate == CmpInst::ICMP_ULE) {
    std::swap(left, right);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  const bool isUnsigned = CmpInst::isUnsigned(predicate);
  const bool isStrict =
      predicate == CmpInst::ICMP_SGT || predicate == CmpInst::ICMP_UGT;
  if (isStrict && !isUnsigned)
    iterationsBelow(left, right, all);
  Value *x, *y;
  // Less than the least of two is less than both.
  if (!isUnsigned && match(left, m_SMin(m_Value(x), m_Value(y)))) {
    compare(predicate, x, right, comparison, all, whole);
    compare(predicate, y, right, comparison, all, whole);
    return;
  }
  if (!isUnsigned && match(right, m_SMax(m_Value(x), m_Value(y)))) {
    compare(predicate, left, x, comparison, all, whole);
    compare(predicate, left, y, comparison, all, whole);
    return;
  }
  auto more = of(left), less = of(right);
  if (less && isStrict && !isUnsigned && less->terms.empty() &&
      match(less->constant, m_Zero()) && iterationsWithin(left, more, less))
    more = plus(*more, 1);
  if (!more || !less) {
    whole = false;
    return;
  }
  const unsigned bits = left->getType()->getIntegerBitWidth();
  const unsigned number = ++comparisons;
  for (const Form *each : {&*more, &*less}) {
    if (bits < 64 && !each->terms.empty() && !isBare(*each)) {
      std::optional<unsigned> counter;
      Value *step = nullptr;
      for (auto [symbol, value] : each->terms)
        if (symbols[symbol].kind == CheckSymbolKind::Iterations &&
            symbols[symbol].loop->getHeader() == at.getParent() &&
            (comparison.decides ||
             symbols[symbol].loop->contains(comparison.to))) {
          counter = symbol;
          step = value;
        }
      limits.push_back({*each, bits, counter, step,
                        conditionsOf(at.getParent()), 0, number});
      if (counter) {
        // In the iterations in which the loop goes on; of the rest, one step
        // more.
        Form inside = plus(add(*more, *less, -1), isStrict ? -1 : 0);
        if (!symbols[*counter].loop->contains(comparison.to))
          inside = plus(scaled(inside, b.getInt64(-1)), -1);
        limits.back().conditions.push_back(std::move(inside));
        limits.back().inner = 1;
      }
    }
    if (isUnsigned)
      limits.push_back({*each, 0, std::nullopt, nullptr,
                        conditionsOf(at.getParent()), 0, number});
  }
  all.push_back(plus(add(*more, *less, -1), isStrict ? -1 : 0));
  all.back().comparison = number;
}

bool Forms::add(Value *condition, bool truth, const BasicBlock *to,
                std::vector<Condition> &all) {
  Value *x, *y;
  if (match(condition, m_Not(m_Value(x))))
    return add(x, !truth, to, all);
  if (truth ? match(condition, m_LogicalAnd(m_Value(x), m_Value(y)))
            : match(condition, m_LogicalOr(m_Value(x), m_Value(y)))) {
    const bool first = add(x, truth, to, all), second = add(y, truth, to, all);
    return first && second;
  }
  auto *comparison = dyn_cast<ICmpInst>(condition);
  if (!comparison || !comparison->getOperand(0)->getType()->isIntegerTy())
    return false;
  CmpInst::Predicate predicate =
      truth ? comparison->getPredicate() : comparison->getInversePredicate();
  bool whole = true;
  Value *left = comparison->getOperand(0), *right = comparison->getOperand(1);
  auto *branch = dyn_cast<BranchInst>(comparison->getParent()->getTerminator());
  const bool decides =
      predicate != CmpInst::ICMP_EQ && branch && branch->isConditional() &&
      (branch->getCondition() == comparison ||
       match(branch->getCondition(), m_Not(m_Specific(comparison))));
  if (predicate == CmpInst::ICMP_EQ) {
    compare(CmpInst::ICMP_SGE, left, right, {*comparison, to, decides}, all,
            whole);
    compare(CmpInst::ICMP_SLE, left, right, {*comparison, to, decides}, all,
            whole);
  } else if (predicate != CmpInst::ICMP_NE) {
    compare(predicate, left, right, {*comparison, to, decides}, all, whole);
  } else {
    whole = false;
  }
  return whole;
}

const std::vector<Condition> &Forms::conditionsOf(BasicBlock *block) {
  if (auto found = conditions.find(block); found != conditions.end())
    return *found->second;
  std::vector<Condition> all;
  for (auto *node = tree.getNode(block)->getIDom(); node;
       node = node->getIDom()) {
    auto *branch = dyn_cast<BranchInst>(node->getBlock()->getTerminator());
    if (!branch || !branch->isConditional() ||
        branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    for (unsigned i = 0; i < 2; ++i)
      if (tree.dominates(
              BasicBlockEdge(node->getBlock(), branch->getSuccessor(i)), block))
        add(branch->getCondition(), i == 0, branch->getSuccessor(i), all);
  }
  std::unique_ptr<std::vector<Condition>> &kept = conditions[block];
  kept = std::make_unique<std::vector<Condition>>(std::move(all));
  return *kept;
}

} // namespace cufort::check
