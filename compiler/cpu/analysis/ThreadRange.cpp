//===- ThreadRange.cpp - bounds of what threads compute -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/analysis/ThreadRange.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/fission/Recompute.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cufort::cpu {

Value *ThreadRange::checked(Intrinsic::ID operation, Value *left,
                            Value *right) {
  Value *both = b.CreateBinaryIntrinsic(operation, left, right);
  require(b.CreateNot(b.CreateExtractValue(both, 1)));
  return b.CreateExtractValue(both, 0);
}

Value *ThreadRange::add(Value *left, Value *right) {
  return checked(Intrinsic::sadd_with_overflow, left, right);
}

Value *ThreadRange::subtract(Value *left, Value *right) {
  return checked(Intrinsic::ssub_with_overflow, left, right);
}

Value *ThreadRange::multiply(Value *left, Value *right) {
  return checked(Intrinsic::smul_with_overflow, left, right);
}

ThreadRange::Bounds ThreadRange::multiply(Bounds number, Value *factor) {
  Value *low = multiply(number.low, factor);
  Value *high = multiply(number.high, factor);
  return {b.CreateBinaryIntrinsic(Intrinsic::smin, low, high),
          b.CreateBinaryIntrinsic(Intrinsic::smax, low, high)};
}

/// By what is the same for all threads. A quotient grows or falls with the
/// number. The bounds need not be values of threads, so that the program does
/// not promise that they can be divided.
std::optional<ThreadRange::Bounds>
ThreadRange::divide(Instruction &instruction, Bounds number, Bounds divisor) {
  if (!divisor.isOne())
    return std::nullopt;
  Type *type = instruction.getType();
  Value *by = divisor.low;
  bool isSigned = instruction.getOpcode() == Instruction::SDiv;
  if (!isSigned) {
    requireNonNegative(number.low);
    requireNonNegative(by);
  }
  Value *isSafe = b.CreateICmpUGT(b.CreateAdd(by, ConstantInt::get(type, 1)),
                                  ConstantInt::get(type, 1));
  require(isSafe);
  by = b.CreateSelect(isSafe, by, ConstantInt::get(type, 1));
  if (number.isOne()) {
    Value *quotient = b.CreateSDiv(number.low, by);
    return Bounds{quotient, quotient};
  }
  Value *low = b.CreateSDiv(number.low, by),
        *high = b.CreateSDiv(number.high, by);
  return Bounds{b.CreateBinaryIntrinsic(Intrinsic::smin, low, high),
                b.CreateBinaryIntrinsic(Intrinsic::smax, low, high)};
}

/// The same computation of the operands' values, which all threads share.
Value *ThreadRange::copyUniform(Instruction &instruction,
                                ArrayRef<Bounds> parts) {
  Instruction *copy = instruction.clone();
  for (auto [use, part] : zip(copy->operands(), parts))
    use.set(part.low);
  copy->dropPoisonGeneratingFlags();
  b.Insert(copy, instruction.getName());
  return copy;
}

std::optional<ThreadRange::Bounds>
ThreadRange::compute(Instruction &instruction) {
  bool isDivision = instruction.getOpcode() == Instruction::SDiv ||
                    instruction.getOpcode() == Instruction::UDiv;
  if (!isDivision && !isPureArithmetic(instruction))
    return std::nullopt;
  SmallVector<Bounds> parts;
  for (Value *operand : instruction.operands()) {
    if (!operand->getType()->isIntegerTy())
      return std::nullopt;
    std::optional<Bounds> part = of(operand);
    if (!part)
      return std::nullopt;
    parts.push_back(*part);
  }
  bool isSame = all_of(parts, [](const Bounds &part) { return part.isOne(); });
  if (isSame && !isDivision) {
    Value *copy = copyUniform(instruction, parts);
    return Bounds{copy, copy};
  }
  opened.insert(&instruction);
  if (isDivision)
    return divide(instruction, parts[0], parts[1]);
  if (isa<CastInst>(instruction))
    return converted(instruction, parts[0]);
  if (isa<FreezeInst>(instruction))
    return parts[0];
  if (isa<BinaryOperator>(instruction))
    return binary(instruction, parts[0], parts[1]);
  if (auto *either = dyn_cast<MinMaxIntrinsic>(&instruction);
      either && either->isSigned()) {
    Intrinsic::ID id = either->getIntrinsicID();
    return Bounds{b.CreateBinaryIntrinsic(id, parts[0].low, parts[1].low),
                  b.CreateBinaryIntrinsic(id, parts[0].high, parts[1].high)};
  }
  return std::nullopt;
}

std::optional<ThreadRange::Bounds>
ThreadRange::converted(Instruction &conversion, const Bounds &number) {
  Type *type = conversion.getType();
  auto each = [&](auto make) {
    return Bounds{make(number.low), make(number.high)};
  };
  switch (conversion.getOpcode()) {
  case Instruction::SExt:
    return each([&](Value *end) { return b.CreateSExt(end, type); });
  case Instruction::ZExt:
    if (conversion.getOperand(0)->getType()->isIntegerTy(1))
      return std::nullopt;
    requireNonNegative(number.low);
    return each([&](Value *end) { return b.CreateZExt(end, type); });
  case Instruction::Trunc:
    return each([&](Value *end) {
      Value *narrow = b.CreateTrunc(end, type);
      require(b.CreateICmpEQ(b.CreateSExt(narrow, end->getType()), end));
      return narrow;
    });
  default:
    return std::nullopt;
  }
}

std::optional<ThreadRange::Bounds>
ThreadRange::binary(Instruction &operation, const Bounds &x, const Bounds &y) {
  Type *type = operation.getType();
  const APInt *number = nullptr;
  const bool isByNumber = match(operation.getOperand(1), m_APInt(number));
  switch (operation.getOpcode()) {
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(operation).isDisjoint())
      return std::nullopt;
    [[fallthrough]];
  case Instruction::Add:
    return Bounds{add(x.low, y.low), add(x.high, y.high)};
  case Instruction::Sub:
    return Bounds{subtract(x.low, y.high), subtract(x.high, y.low)};
  case Instruction::Mul:
    if (y.isOne())
      return multiply(x, y.low);
    if (x.isOne())
      return multiply(y, x.low);
    return std::nullopt;
  case Instruction::Shl:
    if (!isByNumber || number->uge(type->getIntegerBitWidth() - 1))
      return std::nullopt;
    return multiply(x, ConstantInt::get(
                           type, APInt::getOneBitSet(type->getIntegerBitWidth(),
                                                     number->getZExtValue())));
  case Instruction::LShr:
    if (!isByNumber)
      return std::nullopt;
    requireNonNegative(x.low);
    return Bounds{b.CreateLShr(x.low, operation.getOperand(1)),
                  b.CreateLShr(x.high, operation.getOperand(1))};
  case Instruction::And:
    if (!isByNumber || number->isNegative())
      return std::nullopt;
    return Bounds{Constant::getNullValue(type), operation.getOperand(1)};
  default:
    return std::nullopt;
  }
}

std::optional<ThreadRange::Bounds> ThreadRange::of(Value *value) {
  if (isa<ConstantInt>(value))
    return Bounds{value, value};
  if (auto already = found.find(value); already != found.end())
    return already->second;
  std::optional<Bounds> bounds = known(value);
  auto *instruction = dyn_cast<Instruction>(value);
  if (!bounds && instruction && !isa<PHINode>(instruction) && budget > 0) {
    --budget;
    bounds = compute(*instruction);
  }
  found[value] = bounds;
  return bounds;
}

Value *ThreadRange::compareAll(CmpInst::Predicate predicate, Value *left,
                               Value *right) {
  std::optional<Bounds> a = of(left), c = of(right);
  if (!a || !c)
    return nullptr;
  if (a->isOne() && c->isOne())
    return b.CreateICmp(predicate, a->low, c->low);
  if (!CmpInst::isRelational(predicate))
    return nullptr;
  if (CmpInst::isUnsigned(predicate)) { // then signed arithmetic is right
    requireNonNegative(a->low);
    requireNonNegative(c->low);
  }
  bool isLess = CmpInst::getStrictPredicate(predicate) == CmpInst::ICMP_SLT ||
                CmpInst::getStrictPredicate(predicate) == CmpInst::ICMP_ULT;
  return b.CreateICmp(ICmpInst::getSignedPredicate(predicate),
                      isLess ? a->high : a->low, isLess ? c->low : c->high);
}

Value *ThreadRange::copyExact(Value *value, IRBuilder<> &at) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !opened.contains(value))
    return value;
  switch (instruction->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Or:
    break;
  default:
    return value;
  }
  Instruction *copy = cloneForAnyThread(*instruction);
  for (Use &operand : copy->operands())
    operand.set(copyExact(operand.get(), at));
  if (isa<ZExtInst>(copy))
    copy->setNonNeg();
  else if (isa<OverflowingBinaryOperator>(copy))
    copy->setHasNoSignedWrap();
  at.Insert(copy, instruction->getName());
  return copy;
}

} // namespace cufort::cpu
