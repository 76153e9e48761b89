//===- KernelLoopConditions.cpp - what is known to hold -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/loops/KernelLoopConditions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cufort::lower {

/// How deep expressions are looked into.
static constexpr unsigned MostDepth = 40;

bool isSameExpression(Value a, Value b, unsigned depth) {
  if (a == b)
    return true;
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (!x || !y || depth > MostDepth || x->getName() != y->getName() ||
      x->getNumRegions() || x->getNumOperands() != y->getNumOperands() ||
      x->getRawDictionaryAttrs() != y->getRawDictionaryAttrs() ||
      x->getPropertiesAsAttribute() != y->getPropertiesAsAttribute() ||
      a.getType() != b.getType())
    return false;
  for (auto [p, q] : llvm::zip(x->getOperands(), y->getOperands()))
    if (!isSameExpression(p, q, depth + 1))
      return false;
  return true;
}

static Value withoutConversions(Value value) {
  while (auto convert = value.getDefiningOp<fir::ConvertOp>())
    value = convert.getValue();
  return value;
}

/// Whether the value is made of memory and numbers alone.
static bool isExpression(Value value, unsigned depth = 0) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<hlfir::DeclareOp>(op))
    return true;
  return depth < MostDepth && op->getNumRegions() == 0 &&
         (isa<fir::LoadOp>(op) || isMemoryEffectFree(op)) &&
         llvm::all_of(
             op->getOperands(),
             [&](Value operand) { return isExpression(operand, depth + 1); });
}

static void addTerms(Value value, bool holds,
                     SmallVectorImpl<Condition> &terms) {
  Operation *op = value.getDefiningOp();
  if (auto convert = dyn_cast_or_null<fir::ConvertOp>(op);
      convert &&
      isa<IntegerType, fir::LogicalType>(convert.getValue().getType()) &&
      !isa<IndexType>(convert.getValue().getType()))
    return addTerms(convert.getValue(), holds, terms);
  if (holds ? isa_and_nonnull<arith::AndIOp>(op)
            : isa_and_nonnull<arith::OrIOp>(op)) {
    addTerms(op->getOperand(0), holds, terms);
    addTerms(op->getOperand(1), holds, terms);
    return;
  }
  if (auto flip = dyn_cast_or_null<arith::XOrIOp>(op);
      flip && flip.getType().isInteger(1) &&
      constantValue(flip.getRhs()).value_or(0) != 0)
    return addTerms(flip.getLhs(), !holds, terms);
  terms.push_back({value, holds});
}

SmallVector<Condition> termsOf(Value value, bool holds) {
  SmallVector<Condition> terms;
  if (isExpression(value))
    addTerms(value, holds, terms);
  return terms;
}

namespace {

/// a < b, a == b and so on, of integers; which of the three orders of a and b
/// it allows.
struct Comparison {
  Value a, b;
  bool less = false, equal = false, greater = false;

  void swap() {
    std::swap(a, b);
    std::swap(less, greater);
  }
};

} // namespace

static std::optional<Comparison> comparisonOf(Condition condition) {
  auto compare = condition.value.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getLhs().getType().isInteger(1))
    return std::nullopt;
  Comparison result{compare.getLhs(), compare.getRhs()};
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::eq:
    result.equal = true;
    break;
  case arith::CmpIPredicate::ne:
    result.less = result.greater = true;
    break;
  case arith::CmpIPredicate::slt:
    result.less = true;
    break;
  case arith::CmpIPredicate::sle:
    result.less = result.equal = true;
    break;
  case arith::CmpIPredicate::sgt:
    result.greater = true;
    break;
  case arith::CmpIPredicate::sge:
    result.greater = result.equal = true;
    break;
  default:
    return std::nullopt;
  }
  if (!condition.holds) {
    result.less = !result.less;
    result.equal = !result.equal;
    result.greater = !result.greater;
  }
  return result;
}

/// Whether \p x, which \p known compares with the constant k, must compare with
/// the constant c as \p conclusion says.
static bool implies(const Comparison &known, int64_t k,
                    const Comparison &conclusion, int64_t c) {
  // Of the numbers on the line below, at and above k those that are possible,
  // against those that are allowed.
  if (!conclusion.less &&
      (known.less || (known.equal && k < c) || (known.greater && k + 1 < c)))
    return false;
  if (!conclusion.equal && ((known.less && c < k) || (known.equal && c == k) ||
                            (known.greater && c > k)))
    return false;
  return conclusion.greater || !(known.greater || (known.equal && k > c) ||
                                 (known.less && k - 1 > c));
}

bool implies(Condition known, Condition conclusion) {
  if (known.holds == conclusion.holds &&
      isSameExpression(known.value, conclusion.value))
    return true;
  std::optional<Comparison> given = comparisonOf(known),
                            asked = comparisonOf(conclusion);
  if (!given || !asked || given->a.getType() != asked->a.getType())
    return false;
  if (isSameExpression(given->a, asked->b) &&
      isSameExpression(given->b, asked->a))
    given->swap();
  if (isSameExpression(given->a, asked->a) &&
      isSameExpression(given->b, asked->b))
    return (!given->less || asked->less) && (!given->equal || asked->equal) &&
           (!given->greater || asked->greater);
  for (Comparison *each : {&*given, &*asked})
    if (constantValue(each->a))
      each->swap();
  std::optional<int64_t> k = constantValue(given->b),
                         c = constantValue(asked->b);
  return k && c && isSameExpression(given->a, asked->a) &&
         implies(*given, *k, *asked, *c);
}

/// The variable that each iteration of \p loop begins by setting.
static hlfir::DeclareOp variableOf(fir::DoLoopOp loop) {
  for (auto store : loop.getBody()->getOps<fir::StoreOp>())
    if (llvm::is_contained(loop.getBody()->getArguments(),
                           withoutConversions(store.getValue())))
      return store.getMemref().getDefiningOp<hlfir::DeclareOp>();
  return {};
}

/// \p condition as a comparison of the variable of \p loop with something.
static std::optional<Comparison> comparisonWithVariable(Condition condition,
                                                        fir::DoLoopOp loop) {
  std::optional<Comparison> compared = comparisonOf(condition);
  hlfir::DeclareOp variable = variableOf(loop);
  if (!compared || !variable)
    return std::nullopt;
  auto isVariable = [&](Value value) {
    auto load = withoutConversions(value).getDefiningOp<fir::LoadOp>();
    return load && load.getMemref().getDefiningOp() == variable;
  };
  if (!isVariable(compared->a))
    compared->swap();
  return isVariable(compared->a) ? compared : std::nullopt;
}

static bool isSameNumber(Value a, Value b) {
  std::optional<int64_t> x = constantValue(a), y = constantValue(b);
  return x && y
             ? *x == *y
             : isSameExpression(withoutConversions(a), withoutConversions(b));
}

bool isNotFirst(Condition known, fir::DoLoopOp loop) {
  std::optional<Comparison> compared = comparisonWithVariable(known, loop);
  if (!compared)
    return false;
  if (isSameNumber(compared->b, loop.getLowerBound()))
    return !compared->equal;
  std::optional<int64_t> b = constantValue(compared->b),
                         first = constantValue(loop.getLowerBound());
  return b && first &&
         ((*b > *first && !compared->less) ||
          (*b < *first && !compared->greater));
}

bool holdsBeforeLast(Condition conclusion, fir::DoLoopOp loop) {
  std::optional<Comparison> compared = comparisonWithVariable(conclusion, loop);
  std::optional<int64_t> step = constantValue(loop.getStep());
  return compared && step && *step != 0 &&
         isSameNumber(compared->b, loop.getUpperBound()) &&
         (*step > 0 ? compared->less : compared->greater);
}

bool haveSameLimits(fir::DoLoopOp a, fir::DoLoopOp b) {
  return isSameNumber(a.getLowerBound(), b.getLowerBound()) &&
         isSameNumber(a.getUpperBound(), b.getUpperBound()) &&
         isSameNumber(a.getStep(), b.getStep());
}

bool readsAny(Value value, llvm::function_ref<bool(fir::LoadOp)> reads) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<hlfir::DeclareOp>(op))
    return false;
  if (auto load = dyn_cast<fir::LoadOp>(op); load && reads(load))
    return true;
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return readsAny(operand, reads); });
}

} // namespace cufort::lower
