//===- SharedVariables.cpp - where shared variables lie -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/SharedVariables.h"
#include "compiler/common/SymbolName.h"
#include "compiler/cpu/analysis/Kernel.h"
#include "compiler/cpu/block/DebugVariables.h"
#include "image/Image.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

/// Whether \p index is an unsigned number of 32 bits that is meant to be below
/// zero: the complement of another, or a difference that may wrap around.
bool mayBeBelowZero(const Value *index, unsigned depth = 4) {
  if (!depth || !index->getType()->isIntegerTy(32))
    return false;
  const auto may = [&](const Value *value) {
    return mayBeBelowZero(value, depth - 1);
  };
  if (const auto *phi = dyn_cast<PHINode>(index))
    return any_of(phi->incoming_values(), may);
  if (const auto *select = dyn_cast<SelectInst>(index))
    return may(select->getTrueValue()) || may(select->getFalseValue());
  const auto *source = dyn_cast<BinaryOperator>(index);
  if (!source)
    return false;
  const auto *constant = dyn_cast<ConstantInt>(source->getOperand(1));
  switch (source->getOpcode()) {
  case Instruction::Xor:
    return constant && constant->isMinusOne();
  case Instruction::Sub:
    return !source->hasNoUnsignedWrap();
  case Instruction::Add:
    return constant && constant->isNegative();
  default:
    return false;
  }
}

/// An address of shared memory has 32 bits on a GPU, so that an unsigned index
/// below zero leads back as a signed one does; programs rely on it
/// (a[~i], a[n - i] before the beginning of a part).
void wrapIndices(GlobalVariable &variable) {
  SmallVector<Value *> addresses{&variable};
  SmallPtrSet<Value *, 16> visited;
  while (!addresses.empty()) {
    Value *address = addresses.pop_back_val();
    for (User *user : address->users()) {
      if (!isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst>(user))
        continue;
      if (!visited.insert(user).second)
        continue;
      addresses.push_back(user);
      auto *place = dyn_cast<GetElementPtrInst>(user);
      if (!place)
        continue;
      for (Use &index : place->indices())
        if (auto *wide = dyn_cast<ZExtInst>(index);
            wide && !wide->hasNonNeg() && mayBeBelowZero(wide->getOperand(0))) {
          index.set(IRBuilder<>(place).CreateSExt(wide->getOperand(0),
                                                  wide->getType()));
          place->setNoWrapFlags(GEPNoWrapFlags::none());
        }
    }
  }
}

/// Where a row of vectors may start; the dynamic part starts at such a place.
constexpr uint64_t SharedAlignment = 128;
constexpr uint64_t VariableAlignment = 64;
constexpr uint64_t SmallVariable = 16; ///< bytes; aligned as its type asks

void placeIn(Function &entry, ArrayRef<GlobalVariable *> shared,
             bool describe) {
  SetVector<GlobalVariable *> used;
  for (Instruction &instruction : instructions(entry))
    for (Value *operand : instruction.operands())
      if (auto *variable = dyn_cast<GlobalVariable>(operand))
        if (is_contained(shared, variable))
          used.insert(variable);
  bool votes = any_of(instructions(entry), [](Instruction &instruction) {
    return asMark(&instruction, VoteMark);
  });
  if (used.empty() && !votes)
    return;

  const DataLayout &layout = entry.getDataLayout();
  LLVMContext &context = entry.getContext();
  uint64_t end = 0;
  DenseMap<GlobalVariable *, uint64_t> offsets;
  for (GlobalVariable *variable : used) {
    if (variable->isDeclaration())
      continue;
    uint64_t size = layout.getTypeAllocSize(variable->getValueType());
    uint64_t alignment =
        std::max<uint64_t>(layout.getPreferredAlign(variable).value(),
                           size > SmallVariable ? VariableAlignment : 1);
    end = alignTo(end, alignment);
    offsets[variable] = end;
    end += size;
  }
  if (votes) {
    end = alignTo(end, 8);
    setAttributeNumber(entry, VoteCountersAttribute, end);
    end += VoteCounterBytes;
  }
  end = alignTo(end, SharedAlignment);
  setAttributeNumber(entry, StaticSharedAttribute, end);
  if (used.empty())
    return;

  IRBuilder<> b(endOfPrologue(entry));
  LoadInst *base =
      b.CreateAlignedLoad(b.getPtrTy(),
                          b.CreateConstInBoundsGEP1_64(
                              b.getInt8Ty(), entry.getArg(WorkspaceArgument),
                              offsetof(image::CpuWorkspace, shared)),
                          Align(8), "shared");
  MDNode *empty = MDNode::get(context, {});
  base->setMetadata(LLVMContext::MD_invariant_load, empty);
  base->setMetadata(LLVMContext::MD_noundef, empty);
  base->setMetadata(LLVMContext::MD_align,
                    MDNode::get(context, ConstantAsMetadata::get(
                                             b.getInt64(SharedAlignment))));
  for (GlobalVariable *variable : used) {
    auto offset = offsets.find(variable);
    Value *place = b.CreateConstInBoundsGEP1_64(
        b.getInt8Ty(), base, offset == offsets.end() ? end : offset->second,
        variable->getName());
    if (describe) {
      describeShared(*variable, *place, *b.GetInsertPoint());
      moveDescriptions(entry, *variable, *place);
    }
    variable->replaceUsesWithIf(place, [&](Use &use) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      return user && user->getFunction() == &entry;
    });
  }
}

} // namespace

Error placeSharedVariables(Module &module, const CpuOptions &options) {
  SmallVector<GlobalVariable *> shared;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAttributes()
            .getAttribute(VariableAttribute)
            .getValueAsString() == "shared")
      shared.push_back(&variable);
  SmallVector<Constant *> constants(shared.begin(), shared.end());
  convertUsersOfConstantsToInstructions(constants);
  for (GlobalVariable *variable : shared)
    wrapIndices(*variable);
  for (Function *entry : entries(module, "block"))
    placeIn(*entry, shared, options.describe);
  for (GlobalVariable *variable : shared) {
    variable->removeDeadConstantUsers();
    if (!variable->use_empty())
      return createStringError(
          inconvertibleErrorCode(),
          Twine("the shared variable '") + userName(variable->getName()) +
              "' is used outside a kernel, in the initial value of a variable");
    variable->eraseFromParent();
  }
  return Error::success();
}

} // namespace cufort::cpu
