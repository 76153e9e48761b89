//===- IndexReassociation.cpp - long indices that are added up ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/addressing/IndexReassociation.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace cufort;

/// The index of an address in steps of an element, if it has 64 bits that are
/// not known from fewer.
static Value *longIndex(GetElementPtrInst *address) {
  if (!address || address->getNumIndices() != 1)
    return nullptr;
  Value *index = *address->idx_begin();
  return index->getType()->isIntegerTy(64) && !isa<Constant>(index) &&
                 !isa<ZExtInst, SExtInst>(index)
             ? index
             : nullptr;
}

/// A product, which becomes one instruction with the sum, or a sum with one, of
/// which three terms are one instruction.
static bool hasProduct(Value *index) {
  auto product = m_OneUse(m_Mul(m_Value(), m_Value()));
  return match(index, product) ||
         match(index, m_OneUse(m_c_Add(product, m_Value())));
}

static bool sum(Instruction &instruction) {
  auto *address = dyn_cast<GetElementPtrInst>(&instruction);
  Value *index = longIndex(address);
  if (!index)
    return false;
  auto *inner = dyn_cast<GetElementPtrInst>(address->getPointerOperand());
  Value *first = longIndex(inner);
  if (!first || !inner->hasOneUse() ||
      inner->getParent() != address->getParent() ||
      inner->getSourceElementType() != address->getSourceElementType() ||
      !(hasProduct(first) || hasProduct(index)))
    return false;
  IRBuilder<> b(address);
  address->setOperand(1, b.CreateAdd(first, index));
  address->setOperand(0, inner->getPointerOperand());
  address->setNoWrapFlags(GEPNoWrapFlags::none());
  inner->eraseFromParent();
  return true;
}

PreservedAnalyses cufort::reassociateIndices(Function &function,
                                             FunctionAnalysisManager &) {
  return changeInstructions(function, sum);
}
