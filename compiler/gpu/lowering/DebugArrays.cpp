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

//===----------------------------------------------------------------------===//
// Descriptors that may change
//===----------------------------------------------------------------------===//

/// Whether an object of \p type begins with, or contains, a descriptor or
/// another place that says where it is.
static bool hasDescriptor(const DIType *type) {
  if (const auto *text = dyn_cast_or_null<DIStringType>(type))
    return text->getRawStringLocationExp() || text->getRawStringLengthExp();
  if (const auto *member = dyn_cast_or_null<DIDerivedType>(type))
    return member->getTag() != dwarf::DW_TAG_pointer_type &&
           member->getTag() != dwarf::DW_TAG_reference_type &&
           hasDescriptor(member->getBaseType());
  const auto *whole = dyn_cast_or_null<DICompositeType>(type);
  if (!whole)
    return false;
  if (whole->getTag() == dwarf::DW_TAG_array_type)
    return whole->getRawDataLocation() || hasDescriptor(whole->getBaseType());
  return any_of(whole->getElements(), [](const DINode *element) {
    return isa<DIDerivedType>(element) &&
           hasDescriptor(cast<DIDerivedType>(element));
  });
}

/// Whether cuda-gdb must read memory to find the variable, in the frame of a
/// thread or where an argument leads.
static bool needsMemory(const DbgVariableRecord &record) {
  if (!record.isDbgDeclare() || !record.getAddress())
    return false;
  const Value *place = record.getAddress()->stripPointerCasts();
  if (const auto *argument = dyn_cast<Argument>(place))
    return !argument->hasByValAttr() &&
           hasDescriptor(record.getVariable()->getType());
  return isa<AllocaInst>(place) &&
         (is_contained(record.getExpression()->getElements(),
                       dwarf::DW_OP_deref) ||
          hasDescriptor(record.getVariable()->getType()));
}

/// cuda-gdb takes addresses in a frame for offsets in local memory and cannot
/// read there while it looks for a variable, but at generic addresses; and the
/// register of an argument may be another value's soon.
static void useGenericAddress(Function &procedure, DbgVariableRecord &record) {
  IRBuilder<> builder(
      &*procedure.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  builder.SetCurrentDebugLocation(record.getDebugLoc());
  Value *address =
      builder.CreateAddrSpaceCast(record.getAddress(), builder.getPtrTy());
  Value *kept = createKept(builder.getPtrTy(), procedure);
  builder.CreateAlignedStore(address, kept, fieldAlign, /*isVolatile=*/true);
  address = builder.CreateAlignedLoad(builder.getPtrTy(), kept, fieldAlign,
                                      /*isVolatile=*/true);
  keepUntilReturns(address, kept, procedure);
  record.replaceVariableLocationOp(0u, address);
  record.removeFromParent();
  procedure.getEntryBlock().insertDbgRecordBefore(&record,
                                                  builder.GetInsertPoint());
}

namespace {

/// A variable of a module that is allocatable or a pointer.
class ModuleArray {
public:
  ModuleArray(GlobalVariable &descriptor, const DIGlobalVariable &variable,
              DICompileUnit &unit)
      : descriptor(descriptor), variable(variable),
        types(*descriptor.getParent(), /*AllowUnresolved=*/false, &unit) {}

  /// Appends to \p variables what describes the array.
  void describe(const DICompositeType &array,
                SmallVectorImpl<Metadata *> &variables);

private:
  Metadata *bound(Metadata *expression, SmallVectorImpl<Metadata *> &variables);
  DIGlobalVariable *place(Twine name, StringRef linkageName, unsigned line,
                          DIType *type, ArrayRef<uint64_t> location,
                          SmallVectorImpl<Metadata *> &variables);

  GlobalVariable &descriptor;
  const DIGlobalVariable &variable;
  DIBuilder types;
  unsigned bounds = 0;
};

} // namespace

DIGlobalVariable *ModuleArray::place(Twine name, StringRef linkageName,
                                     unsigned line, DIType *type,
                                     ArrayRef<uint64_t> location,
                                     SmallVectorImpl<Metadata *> &variables) {
  LLVMContext &context = descriptor.getContext();
  auto *placed = DIGlobalVariable::getDistinct(
      context, variable.getScope(), name.str(), linkageName, variable.getFile(),
      line, type, variable.isLocalToUnit(), variable.isDefinition(), nullptr,
      nullptr, 0, nullptr);
  auto *described = DIGlobalVariableExpression::get(
      context, placed, DIExpression::get(context, location));
  descriptor.addDebugInfo(described);
  variables.push_back(described);
  return placed;
}

Metadata *ModuleArray::bound(Metadata *expression,
                             SmallVectorImpl<Metadata *> &variables) {
  const std::optional<uint64_t> offset = fieldOf(expression);
  if (!offset)
    return expression;
  DIType *integer =
      types.createBasicType("integer(kind=8)", 64, dwarf::DW_ATE_signed);
  return place("." + variable.getName() + Twine(++bounds), "", 0, integer,
               {dwarf::DW_OP_plus_uconst, *offset}, variables);
}

void ModuleArray::describe(const DICompositeType &array,
                           SmallVectorImpl<Metadata *> &variables) {
  SmallVector<Metadata *> dimensions;
  for (DINode *element : array.getElements()) {
    const auto *range = dyn_cast<DISubrange>(element);
    dimensions.push_back(
        range ? DISubrange::get(descriptor.getContext(),
                                bound(range->getRawCountNode(), variables),
                                bound(range->getRawLowerBound(), variables),
                                bound(range->getRawUpperBound(), variables),
                                bound(range->getRawStride(), variables))
              : element);
  }
  DIType *type = types.createArrayType(
      array.getSizeInBits(), array.getAlignInBits(), array.getBaseType(),
      types.getOrCreateArray(dimensions));
  place(variable.getName(), variable.getLinkageName(), variable.getLine(), type,
        {dwarf::DW_OP_deref}, variables);
}

/// For other objects with descriptors: as LLVM writes cuda-gdb's number for
/// generic addresses.
static DIExpression *genericAddress(LLVMContext &context) {
  constexpr uint64_t genericStorage = 12; ///< cuda-gdb's ptxGenericStorage
  return DIExpression::get(context, {dwarf::DW_OP_constu, genericStorage,
                                     dwarf::DW_OP_swap, dwarf::DW_OP_xderef});
}

static void describeVariables(Module &module) {
  LLVMContext &context = module.getContext();
  DenseMap<const DIGlobalVariableExpression *, GlobalVariable *> places;
  for (GlobalVariable &global : module.globals()) {
    SmallVector<DIGlobalVariableExpression *, 1> described;
    global.getDebugInfo(described);
    if (described.size() == 1 &&
        !described.front()->getExpression()->getNumElements() &&
        hasDescriptor(described.front()->getVariable()->getType()))
      places[described.front()] = &global;
  }
  for (DICompileUnit *unit : module.debug_compile_units()) {
    SmallVector<Metadata *> variables;
    for (DIGlobalVariableExpression *old : unit->getGlobalVariables()) {
      GlobalVariable *global = places.lookup(old);
      if (!global) {
        variables.push_back(old);
        continue;
      }
      DIGlobalVariable *variable = old->getVariable();
      global->eraseMetadata(LLVMContext::MD_dbg);
      const auto *array = dyn_cast<DICompositeType>(variable->getType());
      if (array && array->getTag() == dwarf::DW_TAG_array_type &&
          fieldOf(array->getRawDataLocation()) == 0) {
        ModuleArray(*global, *variable, *unit).describe(*array, variables);
        continue;
      }
      auto *described = DIGlobalVariableExpression::get(
          context, variable, genericAddress(context));
      global->addDebugInfo(described);
      variables.push_back(described);
    }
    unit->replaceGlobalVariables(MDTuple::get(context, variables));
  }
}

/// Extents of other arrays, which Flang says to be values.
static bool isBound(const DbgVariableRecord &record) {
  return record.isDbgValue() && record.getVariable()->isArtificial() &&
         isa_and_nonnull<Instruction>(record.getVariableLocationOp(0));
}

static void describe(Function &procedure) {
  SmallVector<DbgVariableRecord *> shapes, inMemory;
  SmallSetVector<Instruction *, 8> extents;
  for (Instruction &instruction : instructions(procedure))
    for (DbgVariableRecord &record :
         filterDbgVars(instruction.getDbgRecordRange()))
      if (isAssumedShape(record))
        shapes.push_back(&record);
      else if (needsMemory(record))
        inMemory.push_back(&record);
      else if (isBound(record))
        extents.insert(cast<Instruction>(record.getVariableLocationOp(0)));
  for (Instruction *extent : extents)
    if (extent->getParent() == &procedure.getEntryBlock())
      keepUntilReturns(extent, createKept(extent->getType(), procedure),
                       procedure);
  for (DbgVariableRecord *record : shapes)
    AssumedShape(procedure, *record).describe();
  for (DbgVariableRecord *record : inMemory)
    useGenericAddress(procedure, *record);
}

void cufort::describeArrays(Module &module) {
  describeVariables(module);
  for (Function &procedure : module)
    if (!procedure.isDeclaration())
      describe(procedure);
}
