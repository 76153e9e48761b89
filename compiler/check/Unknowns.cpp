//===- Unknowns.cpp - values that are no sums -----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is no sum gets a symbol of its own, of which only a range is known: by
// its type, by what it is computed from, or by what stands in memory when the
// kernel is launched.
//
//===----------------------------------------------------------------------===//

#include "compiler/check/Forms.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::check {

using image::CheckSymbolKind;

/// Whether any part of \p form may be any number of its type.
bool Forms::isUnknown(const Form &form) const {
  return any_of(form.terms, [&](const auto &term) {
    return symbols[term.first].kind == CheckSymbolKind::Any;
  });
}

/// Whether any part of \p form may be negative for all that is known of
/// threads.
bool Forms::isFromData(const Form &form) const {
  return any_of(form.terms, [&](const auto &term) {
    const CheckSymbolKind kind = symbols[term.first].kind;
    return kind >= CheckSymbolKind::Either &&
           kind != CheckSymbolKind::ThreadHigh &&
           kind != CheckSymbolKind::ThreadLow;
  });
}

/// Whether \p form is one symbol, whose value was computed as it is.
bool Forms::isBare(const Form &form) const {
  return form.terms.size() == 1 && match(form.constant, m_Zero()) &&
         match(form.terms[0].second, m_One()) &&
         symbols[form.terms[0].first].kind >= CheckSymbolKind::Between;
}

/// Whether \p root is a variable that is there before the launch.
static bool isInGlobalMemory(const Value &root) {
  auto *variable = dyn_cast<GlobalVariable>(&root);
  return variable && variable->getAttributes()
                             .getAttribute("cufort-variable")
                             .getValueAsString() != "shared";
}

std::optional<Form> Forms::unknown(Value *value) {
  auto *type = dyn_cast<IntegerType>(value->getType());
  auto *instruction = dyn_cast<Instruction>(value);
  if (!type || type->getBitWidth() > 64 || type->getBitWidth() < 8 ||
      !instruction)
    return std::nullopt;
  const Form bits{b.getInt64(type->getBitWidth()), {}};
  auto *load = dyn_cast<LoadInst>(instruction);
  Value *root = nullptr;
  // Symbols that its address is made of come before it.
  const bool isLoaded = load && load->isSimple() &&
                        type->getBitWidth() % 8 == 0 &&
                        offsetOf(load->getPointerOperand(), root) &&
                        (isInGlobalMemory(*root) || launchNumber(root));
  symbols.push_back({isLoaded ? CheckSymbolKind::Loaded : CheckSymbolKind::Any,
                     nullptr, bits, std::nullopt, isLoaded ? load : nullptr});
  return Form{b.getInt64(0), {{unsigned(symbols.size() - 1), b.getInt64(1)}}};
}

/// Quotients and remainders; by shifts and masks, too. The index in x that is
/// divided by a constant, as for warps, becomes two digits.
std::optional<Form> Forms::divided(Instruction &division) {
  Value *by = division.getOperand(1);
  bool remains = false;
  ConstantInt *number = dyn_cast<ConstantInt>(by);
  switch (division.getOpcode()) {
  case Instruction::SRem:
  case Instruction::URem:
    remains = true;
    break;
  case Instruction::And:
    if (number->isNegative())
      return std::nullopt;
    remains = true;
    number = b.getInt64(number->getZExtValue() + 1);
    by = number;
    break;
  case Instruction::LShr:
  case Instruction::AShr:
    if (number->getValue().uge(62))
      return std::nullopt;
    number = b.getInt64(int64_t(1) << number->getZExtValue());
    by = number;
    break;
  default:
    break;
  }
  auto dividend = of(division.getOperand(0));
  Value *divisor = launchNumber(by);
  if (!dividend || !divisor ||
      (number && !number->getValue().isStrictlyPositive()))
    return std::nullopt;
  const unsigned bits = division.getType()->getIntegerBitWidth();
  if (number && dividend->terms.size() == 1 &&
      match(dividend->constant, m_Zero()) &&
      match(dividend->terms[0].second, m_One()) &&
      symbols[dividend->terms[0].first].kind == CheckSymbolKind::ThreadX &&
      (splitBy == 0 || splitBy == number->getZExtValue())) {
    splitBy = number->getZExtValue();
    const Form high = symbol(CheckSymbolKind::ThreadHigh, nullptr),
               low = symbol(CheckSymbolKind::ThreadLow, nullptr);
    for (const Form *each : {&high, &low})
      symbols[each->terms[0].first].low = {b.getInt64(splitBy), {}};
    return remains ? low : high;
  }
  if (isa<ConstantInt>(division.getOperand(1)) &&
      division.getOpcode() == Instruction::And)
    return std::nullopt; // whatever it is, the rest is small
  // Another number with the bits of a negative one.
  const bool isSigned = division.getOpcode() == Instruction::SRem ||
                        division.getOpcode() == Instruction::SDiv ||
                        division.getOpcode() == Instruction::AShr;
  if (division.getOpcode() == Instruction::AShr)
    return std::nullopt; // rounds down
  const Form zero{b.getInt64(0), {}};
  if (!isSigned && isFromData(*dividend)) {
    if (remains)
      return between(zero, {b.CreateSub(divisor, b.getInt64(1)), {}}, nullptr,
                     CheckSymbolKind::Between);
    if (!number || bits >= 64)
      return std::nullopt;
    const uint64_t most = (uint64_t(1) << bits) - 1;
    return between(zero, {b.getInt64(most / number->getZExtValue()), {}},
                   nullptr, CheckSymbolKind::Between);
  }
  limit(*dividend, bits, division);
  if (!isSigned)
    limit(*dividend, 0, division);
  return between(*dividend, {divisor, {}}, nullptr,
                 remains ? CheckSymbolKind::Remainder
                         : CheckSymbolKind::Quotient);
}

/// One of \p values, whichever path led there.
std::optional<Form> Forms::either(ArrayRef<Value *> values) {
  std::optional<Form> all;
  for (Value *value : values) {
    auto form = of(value);
    if (!form)
      return std::nullopt;
    if (auto *at = dyn_cast<Instruction>(value))
      limit(*form, value->getType()->getIntegerBitWidth(), *at);
    all = all ? between(*all, *form, nullptr, CheckSymbolKind::Either) : form;
  }
  return all;
}

} // namespace cufort::check
