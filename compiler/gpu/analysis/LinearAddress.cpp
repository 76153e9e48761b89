//===- LinearAddress.cpp - what an address is the sum of ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/analysis/LinearAddress.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace cufort;

AddressSum::AddressSum(Value *pointer, const DataLayout &layout)
    : layout(layout) {
  while (auto *element = dyn_cast<GEPOperator>(pointer)) {
    if (!addElement(*element))
      break;
    pointer = element->getPointerOperand();
  }
  parts.emplace_back(pointer, 0);
  for (const auto &[value, factor] : terms)
    if (factor)
      parts.emplace_back(value.getOpaqueValue(), factor);
  // The pointer remains first.
  std::sort(parts.begin() + 1, parts.end());
}

bool AddressSum::addElement(const GEPOperator &element) {
  if (element.getType()->isVectorTy() ||
      layout.getIndexTypeSizeInBits(element.getType()) != 64)
    return false;
  for (auto type = gep_type_begin(element), end = gep_type_end(element);
       type != end; ++type)
    if (!type.getStructTypeOrNull() &&
        type.getSequentialElementStride(layout).isScalable())
      return false;
  for (auto type = gep_type_begin(element), end = gep_type_end(element);
       type != end; ++type) {
    Value *index = type.getOperand();
    if (StructType *structure = type.getStructTypeOrNull())
      constant += layout.getStructLayout(structure)->getElementOffset(
          cast<ConstantInt>(index)->getZExtValue());
    else
      add(index, type.getSequentialElementStride(layout).getFixedValue(),
          Wide::Signed, false, 0);
  }
  return true;
}

/// Adds \p factor times \p value, which becomes wide as \p wide says, and
/// would be poison if it were negative in spite of \p positive.
void AddressSum::add(Value *value, uint64_t factor, Wide wide, bool positive,
                     unsigned depth) {
  const unsigned width = value->getType()->getIntegerBitWidth();
  positive |= isKnownNonNegative(value, layout);
  if (positive)
    wide = Wide::Signed;
  if (auto *number = dyn_cast<ConstantInt>(value); number && width <= 64) {
    constant += factor * (wide == Wide::Signed
                              ? static_cast<uint64_t>(number->getSExtValue())
                              : number->getZExtValue());
    return;
  }
  auto *operation = dyn_cast<Instruction>(value);
  if (operation && depth < MostNested && width <= 64 &&
      addOperation(*operation, factor, wide, positive, depth + 1))
    return;
  terms[{value, wide == Wide::Signed}] += factor;
}

bool AddressSum::addOperation(Instruction &operation, uint64_t factor,
                              Wide wide, bool positive, unsigned depth) {
  if (auto *extension = dyn_cast<ZExtInst>(&operation)) {
    add(extension->getOperand(0), factor,
        extension->hasNonNeg() ? Wide::Signed : Wide::Unsigned,
        extension->hasNonNeg(), depth);
    return true;
  }
  if (isa<SExtInst>(operation)) {
    if (wide == Wide::Unsigned)
      return false;
    add(operation.getOperand(0), factor, Wide::Signed, positive, depth);
    return true;
  }
  if (!isExact(operation, wide, positive))
    return false;
  Value *left = operation.getOperand(0), *right = operation.getOperand(1);
  auto *number = dyn_cast<ConstantInt>(right);
  switch (operation.getOpcode()) {
  case Instruction::Add:
    add(left, factor, wide, false, depth);
    add(right, factor, wide, false, depth);
    return true;
  case Instruction::Sub:
    add(left, factor, wide, false, depth);
    add(right, -factor, wide, false, depth);
    return true;
  case Instruction::Mul:
    if (!number)
      return false;
    add(left,
        factor * (wide == Wide::Signed
                      ? static_cast<uint64_t>(number->getSExtValue())
                      : number->getZExtValue()),
        wide, false, depth);
    return true;
  case Instruction::Shl:
    // With the sign's own place it is no multiplication.
    if (!number ||
        number->getValue().uge(operation.getType()->getIntegerBitWidth() - 1))
      return false;
    add(left, factor << number->getZExtValue(), wide, false, depth);
    return true;
  default:
    return false;
  }
}

/// Whether the result of \p operation is that of whole numbers, or modulo
/// 2^64. A sum that is not negative is if one of the two is a number that is
/// not: from the least numbers it would have led to negative ones.
bool AddressSum::isExact(const Instruction &operation, Wide wide,
                         bool positive) {
  if (operation.getType()->isIntegerTy(64))
    return isa<BinaryOperator>(operation);
  if (positive && operation.getOpcode() == Instruction::Add)
    if (auto *number = dyn_cast<ConstantInt>(operation.getOperand(1));
        number && !number->isNegative())
      return true;
  auto *arithmetic = dyn_cast<OverflowingBinaryOperator>(&operation);
  return arithmetic && (wide == Wide::Signed ? arithmetic->hasNoSignedWrap()
                                             : arithmetic->hasNoUnsignedWrap());
}
