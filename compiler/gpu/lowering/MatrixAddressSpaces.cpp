//===- MatrixAddressSpaces.cpp - where matrices lie -----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/MatrixAddressSpaces.h"
#include "compiler/gpu/GpuPass.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace {

/// The address space of what \p pointer points into; generic if it may be of
/// several.
unsigned spaceOf(const Value *pointer) {
  SmallVector<const Value *> objects;
  getUnderlyingObjects(pointer, objects);
  std::optional<unsigned> all;
  for (const Value *object : objects) {
    unsigned space = NVPTXAS::ADDRESS_SPACE_GENERIC;
    if (auto *variable = dyn_cast<GlobalVariable>(object))
      space = variable->getAddressSpace();
    else if (auto *argument = dyn_cast<Argument>(object);
             argument && !argument->hasByValAttr() &&
             argument->getParent()->getCallingConv() == CallingConv::PTX_Kernel)
      space = NVPTXAS::ADDRESS_SPACE_GLOBAL; // what the host passes
    if (all && *all != space)
      return NVPTXAS::ADDRESS_SPACE_GENERIC;
    all = space;
  }
  return all.value_or(NVPTXAS::ADDRESS_SPACE_GENERIC);
}

bool place(Instruction &instruction) {
  auto *access = dyn_cast<IntrinsicInst>(&instruction);
  if (!access ||
      !access->getCalledFunction()->getName().starts_with("llvm.nvvm.wmma."))
    return false;
  Value *pointer = access->getArgOperand(0);
  if (!pointer->getType()->isPointerTy() ||
      pointer->getType()->getPointerAddressSpace() !=
          NVPTXAS::ADDRESS_SPACE_GENERIC)
    return false;
  unsigned space = spaceOf(pointer);
  if (space != NVPTXAS::ADDRESS_SPACE_SHARED &&
      space != NVPTXAS::ADDRESS_SPACE_GLOBAL)
    return false;
  IRBuilder<> b(access);
  Type *placed = b.getPtrTy(space);
  access->setArgOperand(0, b.CreateAddrSpaceCast(pointer, placed));
  access->setCalledFunction(Intrinsic::getOrInsertDeclaration(
      access->getModule(), access->getIntrinsicID(), {placed}));
  return true;
}

} // namespace

PreservedAnalyses cufort::inferMatrixAddressSpaces(Function &function,
                                                   FunctionAnalysisManager &) {
  return changeInstructions(function, place);
}
