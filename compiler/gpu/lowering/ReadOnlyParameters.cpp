//===- ReadOnlyParameters.cpp - what a kernel cannot write to -------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/ReadOnlyParameters.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace {

/// Whether no parameter but \p object itself leads to it.
bool isAlone(const Value *object) {
  if (isa<AllocaInst>(object))
    return true;
  if (auto *parameter = dyn_cast<Argument>(object))
    return parameter->hasNoAliasAttr();
  auto *variable = dyn_cast<GlobalVariable>(object);
  return variable &&
         variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
}

/// Where \p instruction writes, or null if that is not known.
const Value *destinationOf(const Instruction &instruction) {
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return store->getPointerOperand();
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  if (auto *copy = dyn_cast<MemIntrinsic>(&instruction))
    return copy->getRawDest();
  return nullptr;
}

/// Whether \p instruction writes nothing that a parameter may lead to: it makes
/// threads wait, or says something to the compiler.
bool isHarmless(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
  case Intrinsic::nvvm_barrier_cta_sync_aligned_count:
  case Intrinsic::nvvm_bar_warp_sync:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::assume:
    return true;
  default:
    return call && call->onlyAccessesInaccessibleMemory();
  }
}

bool writesAlone(const Function &kernel) {
  return all_of(instructions(kernel), [](const Instruction &instruction) {
    if (!instruction.mayWriteToMemory() || isHarmless(instruction))
      return true;
    const Value *to = destinationOf(instruction);
    if (!to)
      return false;
    SmallVector<const Value *, 4> objects;
    getUnderlyingObjects(to, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
    return all_of(objects, isAlone);
  });
}

} // namespace

PreservedAnalyses cufort::inferReadOnlyParameters(Function &function,
                                                  FunctionAnalysisManager &) {
  if (function.getCallingConv() != CallingConv::PTX_Kernel)
    return PreservedAnalyses::all();
  SmallVector<Argument *> parameters;
  for (Argument &parameter : function.args())
    if (parameter.getType()->isPointerTy() && !parameter.hasByValAttr() &&
        !parameter.hasNoAliasAttr() && parameter.onlyReadsMemory())
      parameters.push_back(&parameter);
  if (parameters.empty() || !writesAlone(function))
    return PreservedAnalyses::all();
  for (Argument *parameter : parameters)
    parameter->addAttr(Attribute::NoAlias);
  return PreservedAnalyses::none();
}
