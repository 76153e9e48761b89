//===- MemberArrays.cpp - indices of arrays in structures -----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/check/MemberArrays.h"
#include "compiler/check/Names.h"
#include "image/Check.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <utility>

using namespace llvm;

namespace cufort::check {

namespace {

/// An index and how many elements there are.
struct Subscript {
  Value *index;
  uint64_t count;
};

/// What parameters of inlined procedures have, which are in memory still: the
/// only value that is ever stored there.
const Value *valueOf(const LoadInst &load, const DominatorTree &dominators) {
  auto *place = dyn_cast<AllocaInst>(load.getPointerOperand());
  if (!place)
    return nullptr;
  const StoreInst *only = nullptr;
  for (const User *user : place->users()) {
    auto *store = dyn_cast<StoreInst>(user);
    if (store && store->getPointerOperand() == place && !only)
      only = store;
    else if (!isa<LoadInst>(user) &&
             !cast<Instruction>(user)->isLifetimeStartOrEnd())
      return nullptr;
  }
  return only && dominators.dominates(only, &load) ? only->getValueOperand()
                                                   : nullptr;
}

/// A member of a variable that is a structure, or has some within.
struct Member {
  const Type *type = nullptr;
  bool isLast = false;
};

/// The member of \p variable, of type \p wanted, that begins at \p offset: LLVM
/// folds constant indices away, all of them where they are zero.
Member memberAt(const GlobalVariable &variable, uint64_t offset,
                const Type *wanted) {
  const DataLayout &layout = variable.getDataLayout();
  Member member{variable.getValueType(), false};
  bool inMember = false;
  while (member.type != wanted || offset || !inMember) {
    if (auto *type = dyn_cast<StructType>(member.type)) {
      const StructLayout &places =
          *layout.getStructLayout(const_cast<StructType *>(type));
      if (offset >= places.getSizeInBytes() || !type->getNumElements())
        return {};
      const unsigned number = places.getElementContainingOffset(offset);
      offset -= places.getElementOffset(number);
      member = {type->getElementType(number),
                number + 1 == type->getNumElements()};
      inMember = true;
    } else if (auto *type = dyn_cast<ArrayType>(member.type)) {
      const uint64_t bytes = layout.getTypeAllocSize(type->getElementType());
      if (!bytes || offset / bytes >= type->getNumElements())
        return {};
      offset %= bytes;
      member.type = type->getElementType();
    } else {
      return {};
    }
  }
  return member;
}

/// The indices of arrays on the path from \p address back to where it begins,
/// if these are members of structures.
SmallVector<Subscript> memberSubscripts(const Value *address,
                                        const DominatorTree &dominators) {
  SmallVector<const GEPOperator *> path;
  while (address) {
    if (const auto *step = dyn_cast<GEPOperator>(address)) {
      path.push_back(step);
      address = step->getPointerOperand();
    } else if (const auto *load = dyn_cast<LoadInst>(address)) {
      address = valueOf(*load, dominators);
    } else {
      break;
    }
  }
  SmallVector<Subscript> found;
  Member member;
  ArrayRef<const GEPOperator *> steps = path; // the first is the last here
  if (auto *variable = dyn_cast_or_null<GlobalVariable>(address)) {
    APInt offset(64, 0);
    while (!steps.empty() && steps.back()->hasAllConstantIndices() &&
           steps.back()->accumulateConstantOffset(variable->getDataLayout(),
                                                  offset))
      steps = steps.drop_back();
    if (!steps.empty() && !offset.isNegative())
      member = memberAt(*variable, offset.getZExtValue(),
                        steps.back()->getSourceElementType());
  }
  if (!member.type)
    steps = path;
  bool inMember = member.type;
  uint64_t leastCount = member.isLast ? 2 : 0;
  const Type *before = member.type; // what the last step came to
  for (const GEPOperator *step : reverse(steps)) {
    Type *within = nullptr; // what the index is of; null: the pointer
    for (auto each = gep_type_begin(step), end = gep_type_end(step);
         each != end; ++each) {
      Value *index = each.getOperand();
      Type *outer = std::exchange(within, each.getIndexedType());
      if (!outer) {
        // From there to another element, which need not be a member's, or to
        // another view of the same memory, as in unions.
        if (auto *number = dyn_cast<ConstantInt>(index);
            !number || !number->isZero() || within != before) {
          inMember = false;
          found.clear();
        }
      } else if (auto *type = dyn_cast<StructType>(outer)) {
        inMember = true;
        leastCount = cast<ConstantInt>(index)->getZExtValue() + 1 ==
                             type->getNumElements()
                         ? 2
                         : 0;
      } else if (auto *type = dyn_cast<ArrayType>(outer); type && inMember) {
        if (type->getNumElements() >= leastCount &&
            index->getType()->isIntegerTy())
          found.push_back({index, type->getNumElements()});
        leastCount = 0;
      }
    }
    before = within;
  }
  return found;
}

bool isInside(const Subscript &subscript) {
  auto *number = dyn_cast<ConstantInt>(subscript.index);
  return number && number->getValue().ult(subscript.count);
}

} // namespace

void markMemberArrays(Function &function) {
  if (isFortran(function))
    return;
  struct Access {
    Instruction *instruction;
    const Value *address;
    Type *type;
    SmallVector<Subscript> subscripts;
  };
  const DominatorTree dominators(function);
  SmallVector<Access> accesses;
  for (Instruction &instruction : instructions(function)) {
    Access access{&instruction, nullptr, nullptr, {}};
    if (const Value *address = getLoadStorePointerOperand(&instruction)) {
      access.address = address;
      access.type = getLoadStoreType(&instruction);
    } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
      access.address = update->getPointerOperand();
      access.type = update->getValOperand()->getType();
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      access.address = exchange->getPointerOperand();
      access.type = exchange->getNewValOperand()->getType();
    } else {
      continue;
    }
    access.subscripts = memberSubscripts(access.address, dominators);
    erase_if(access.subscripts, isInside);
    if (!access.subscripts.empty())
      accesses.push_back(std::move(access));
  }
  Module &module = *function.getParent();
  for (const Access &access : accesses) {
    IRBuilder<> b(access.instruction);
    SmallVector<Value *> arguments;
    for (const Subscript &each : access.subscripts)
      for (Value *value : {b.CreateSExtOrTrunc(each.index, b.getInt64Ty()),
                           static_cast<Value *>(b.getInt64(0)),
                           static_cast<Value *>(b.getInt64(each.count - 1))})
        arguments.push_back(value);
    std::string name = variableName(*access.instruction, access.address);
    replace(name, '.', '_');
    const bool writes = access.instruction->mayWriteToMemory();
    b.CreateCall(
        module.getOrInsertFunction(
            (Twine(image::CheckPrefix) + "bounds." +
             Twine(access.subscripts.size()) + "." + name + "." +
             (writes ? "w" : "r") +
             Twine(module.getDataLayout()
                       .getTypeStoreSize(access.type)
                       .getFixedValue()))
                .str(),
            FunctionType::get(
                b.getVoidTy(),
                SmallVector<Type *>(arguments.size(), b.getInt64Ty()), false)),
        arguments);
  }
}

} // namespace cufort::check
