//===- DebugArrays.cpp - bounds of arrays that cuda-gdb can read ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/lowering/DebugArrays.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The offset in the descriptor at which \p expression reads, of the form in
/// which Flang writes it.
static std::optional<uint64_t> fieldOf(const Metadata *expression) {
  auto *read = dyn_cast_or_null<DIExpression>(expression);
  if (!read)
    return std::nullopt;
  ArrayRef<uint64_t> operations = read->getElements();
  if (operations.size() < 2 ||
      operations.front() != dwarf::DW_OP_push_object_address ||
      operations.back() != dwarf::DW_OP_deref)
    return std::nullopt;
  operations = operations.drop_front().drop_back();
  if (operations.empty())
    return 0;
  if (operations.size() == 2 && operations[0] == dwarf::DW_OP_plus_uconst)
    return operations[1];
  return std::nullopt;
}

/// Of what a descriptor holds: an address, extents, strides.
static constexpr Align fieldAlign = Align::Constant<8>();

/// A register that is not used again is another value's soon.
static void keepUntilReturns(Value *value, Value *kept, Function &procedure) {
  for (BasicBlock &block : procedure)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
      IRBuilder<>(end).CreateAlignedStore(value, kept, fieldAlign,
                                          /*isVolatile=*/true);
}

static Value *createKept(Type *type, Function &procedure) {
  IRBuilder<> entry(&procedure.getEntryBlock(),
                    procedure.getEntryBlock().begin());
  AllocaInst *kept = entry.CreateAlloca(type);
  kept->setAlignment(fieldAlign);
  return kept;
}

namespace {

class AssumedShape {
public:
  AssumedShape(Function &procedure, DbgVariableRecord &record)
      : procedure(procedure), record(record), variable(*record.getVariable()),
        array(*cast<DICompositeType>(variable.getType())),
        builder(&*procedure.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {
    builder.SetCurrentDebugLocation(record.getDebugLoc());
  }

  void describe();

private:
  Value *load(uint64_t offset, Type *type);
  Metadata *bound(Metadata *expression);

  Function &procedure;
  DbgVariableRecord &record;
  DILocalVariable &variable;
  DICompositeType &array;
  IRBuilder<> builder;
  unsigned bounds = 0;
};

} // namespace

/// Through memory of its own: the generator takes an address that a parameter
/// has for one in global memory and describes no generic one, and ptxas uses
/// the parameter in place of a register.
Value *AssumedShape::load(uint64_t offset, Type *type) {
  Value *field =
      builder.CreatePtrAdd(record.getAddress(), builder.getInt64(offset));
  Value *kept = createKept(type, procedure);
  builder.CreateAlignedStore(builder.CreateAlignedLoad(type, field, fieldAlign),
                             kept, fieldAlign, /*isVolatile=*/true);
  Value *value = builder.CreateAlignedLoad(type, kept, fieldAlign,
                                           /*isVolatile=*/true);
  keepUntilReturns(value, kept, procedure);
  return value;
}

Metadata *AssumedShape::bound(Metadata *expression) {
  std::optional<uint64_t> offset = fieldOf(expression);
  if (!offset)
    return expression;
  LLVMContext &context = procedure.getContext();
  auto *integer =
      DIBasicType::get(context, dwarf::DW_TAG_base_type, "integer(kind=8)", 64,
                       0, dwarf::DW_ATE_signed, DINode::FlagZero);
  auto *named = DILocalVariable::get(
      context, variable.getScope(),
      ("." + variable.getName() + Twine(++bounds)).str(), variable.getFile(), 0,
      integer, 0, DINode::FlagArtificial, 0, nullptr);
  Value *value = load(*offset, builder.getInt64Ty());
  auto *known = DbgVariableRecord::createDbgVariableRecord(
      value, named, DIExpression::get(context, {}), record.getDebugLoc());
  procedure.getEntryBlock().insertDbgRecordBefore(known,
                                                  builder.GetInsertPoint());
  return named;
}

void AssumedShape::describe() {
  LLVMContext &context = procedure.getContext();
  SmallVector<Metadata *> dimensions;
  for (DINode *element : array.getElements())
    if (auto *range = dyn_cast<DISubrange>(element)) {
      Metadata *count = bound(range->getRawCountNode());
      Metadata *lower = bound(range->getRawLowerBound());
      Metadata *upper = bound(range->getRawUpperBound());
      Metadata *stride = bound(range->getRawStride());
      dimensions.push_back(
          DISubrange::get(context, count, lower, upper, stride));
    } else {
      dimensions.push_back(element);
    }
  DIBuilder types(*procedure.getParent(), /*AllowUnresolved=*/false,
                  procedure.getSubprogram()->getUnit());
  auto *type = types.createArrayType(
      array.getSizeInBits(), array.getAlignInBits(), array.getBaseType(),
      types.getOrCreateArray(dimensions));
  record.setVariable(DILocalVariable::get(
      context, variable.getScope(), variable.getName(), variable.getFile(),
      variable.getLine(), type, variable.getArg(), variable.getFlags(),
      variable.getAlignInBits(), variable.getAnnotations()));
  record.replaceVariableLocationOp(0u, load(0, builder.getPtrTy()));
  record.removeFromParent();
  procedure.getEntryBlock().insertDbgRecordBefore(&record,
                                                  builder.GetInsertPoint());
}

static bool isAssumedShape(const DbgVariableRecord &record) {
  auto *type =
      dyn_cast_or_null<DICompositeType>(record.getVariable()->getType());
  return record.isDbgDeclare() &&
         isa_and_nonnull<Argument>(record.getAddress()) && type &&
         type->getTag() == dwarf::DW_TAG_array_type &&
         !type->getRawAllocated() && !type->getRawAssociated() &&
         fieldOf(type->getRawDataLocation()) == 0;
}

/// Extents of other arrays, which Flang says to be values.
static bool isBound(const DbgVariableRecord &record) {
  return record.isDbgValue() && record.getVariable()->isArtificial() &&
         isa_and_nonnull<Instruction>(record.getVariableLocationOp(0));
}

static void describe(Function &procedure) {
  SmallVector<DbgVariableRecord *> shapes;
  SmallSetVector<Instruction *, 8> extents;
  for (Instruction &instruction : instructions(procedure))
    for (DbgVariableRecord &record :
         filterDbgVars(instruction.getDbgRecordRange()))
      if (isAssumedShape(record))
        shapes.push_back(&record);
      else if (isBound(record))
        extents.insert(cast<Instruction>(record.getVariableLocationOp(0)));
  for (Instruction *extent : extents)
    if (extent->getParent() == &procedure.getEntryBlock())
      keepUntilReturns(extent, createKept(extent->getType(), procedure),
                       procedure);
  for (DbgVariableRecord *record : shapes)
    AssumedShape(procedure, *record).describe();
}

void cufort::describeArrays(Module &module) {
  for (Function &procedure : module)
    if (!procedure.isDeclaration())
      describe(procedure);
}
