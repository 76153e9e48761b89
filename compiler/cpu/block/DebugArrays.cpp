//===- DebugArrays.cpp - extents that debuggers find ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/cpu/block/DebugArrays.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace cufort::cpu {
namespace {

constexpr uint64_t FieldBytes = 8; ///< of an address, of a bound

/// A variable's name, and the call that the code is inlined for. Where
/// functions were copied, types refer to the variables of the one that was
/// copied.
using BoundKey = std::pair<StringRef, const Metadata *>;
/// What dbg_value says of artificial variables.
using Bounds = DenseMap<BoundKey, DbgVariableRecord *>;

const Metadata *inlinedAt(const DbgVariableRecord &record) {
  return record.getDebugLoc()->getInlinedAt();
}

/// The variables that say how \p type is bounded.
SmallSetVector<DIVariable *, 4> boundsOf(const DICompositeType &type) {
  SmallSetVector<DIVariable *, 4> found;
  for (DINode *element : type.getElements())
    if (auto *range = dyn_cast<DISubrange>(element))
      for (Metadata *bound :
           {range->getRawCountNode(), range->getRawLowerBound(),
            range->getRawUpperBound(), range->getRawStride()})
        if (auto *variable = dyn_cast_or_null<DIVariable>(bound))
          found.insert(variable);
  return found;
}

DICompositeType *arrayType(const DbgVariableRecord &record) {
  auto *type =
      dyn_cast_or_null<DICompositeType>(record.getVariable()->getType());
  return type && type->getTag() == dwarf::DW_TAG_array_type ? type : nullptr;
}

/// Reads field \p number of the descriptor.
DIExpression *fieldOf(LLVMContext &context, unsigned number) {
  SmallVector<uint64_t> code = {dwarf::DW_OP_push_object_address};
  if (number)
    code.append({dwarf::DW_OP_plus_uconst, number * FieldBytes});
  code.push_back(dwarf::DW_OP_deref);
  return DIExpression::get(context, code);
}

/// Describes the array of \p record, whose type is \p type.
const Instruction *describe(DbgVariableRecord &record, DICompositeType &type,
                            ArrayRef<DIVariable *> variables,
                            const Bounds &bounds) {
  Function &function = *record.getFunction();
  LLVMContext &context = function.getContext();
  SmallVector<Value *> values;
  for (DIVariable *variable : variables) {
    DbgVariableRecord *known =
        bounds.lookup({variable->getName(), inlinedAt(record)});
    if (!known)
      return nullptr;
    values.push_back(known->getVariableLocationOp(0));
  }

  IRBuilder<> b(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *descriptor =
      b.CreateAlloca(ArrayType::get(b.getInt64Ty(), values.size() + 1));
  b.SetInsertPoint(const_cast<Instruction *>(record.getInstruction()));
  b.SetCurrentDebugLocation(record.getDebugLoc());
  const Instruction *last = b.CreateStore(record.getAddress(), descriptor);
  for (auto [number, value] : enumerate(values))
    last = b.CreateStore(
        b.CreateSExtOrTrunc(value, b.getInt64Ty()),
        b.CreateConstInBoundsGEP2_32(descriptor->getAllocatedType(), descriptor,
                                     0, number + 1));

  auto bound = [&](Metadata *given) -> Metadata * {
    const auto *place = find(variables, given);
    if (place == variables.end())
      return given;
    return fieldOf(context, place - variables.begin() + 1);
  };
  SmallVector<Metadata *> dimensions;
  for (DINode *element : type.getElements()) {
    auto *range = dyn_cast<DISubrange>(element);
    dimensions.push_back(
        range ? DISubrange::get(context, bound(range->getRawCountNode()),
                                bound(range->getRawLowerBound()),
                                bound(range->getRawUpperBound()),
                                bound(range->getRawStride()))
              : element);
  }
  DIBuilder builder(*function.getParent(), /*AllowUnresolved=*/false,
                    function.getSubprogram()->getUnit());
  DICompositeType *described = builder.createArrayType(
      type.getSizeInBits(), type.getAlignInBits(), type.getBaseType(),
      builder.getOrCreateArray(dimensions), fieldOf(context, 0));
  DILocalVariable *variable = record.getVariable();
  record.setVariable(DILocalVariable::get(
      context, variable->getScope(), variable->getName(), variable->getFile(),
      variable->getLine(), described, variable->getArg(), variable->getFlags(),
      variable->getAlignInBits(), variable->getAnnotations()));
  record.replaceVariableLocationOp(0u, descriptor);
  return last;
}

} // namespace

const Instruction *describeArrays(Function &function) {
  if (!function.getSubprogram())
    return nullptr;
  Bounds bounds;
  SmallVector<DbgVariableRecord *> arrays;
  for (Instruction &instruction : instructions(function))
    for (DbgVariableRecord &record :
         filterDbgVars(instruction.getDbgRecordRange())) {
      if (record.isDbgValue() && record.getVariable()->isArtificial() &&
          record.getExpression()->getNumElements() == 0 &&
          record.getVariableLocationOp(0)->getType()->isIntegerTy())
        bounds[{record.getVariable()->getName(), inlinedAt(record)}] = &record;
      else if (record.isDbgDeclare() && record.getAddress() &&
               record.getExpression()->getNumElements() == 0 &&
               arrayType(record))
        arrays.push_back(&record);
    }
  const Instruction *last = nullptr;
  SmallPtrSet<DbgVariableRecord *, 8> used;
  for (DbgVariableRecord *record : arrays) {
    DICompositeType &type = *arrayType(*record);
    const auto variables = boundsOf(type);
    if (variables.empty())
      continue;
    const Metadata *call = inlinedAt(*record);
    if (const Instruction *made =
            describe(*record, type, variables.getArrayRef(), bounds)) {
      // Stores for one place are made one before the other.
      if (!last || last->getParent() != made->getParent() ||
          last->comesBefore(made))
        last = made;
      for (DIVariable *variable : variables)
        used.insert(bounds.lookup({variable->getName(), call}));
    }
  }
  for (DbgVariableRecord *record : used)
    record->eraseFromParent();
  return last;
}

} // namespace cufort::cpu
