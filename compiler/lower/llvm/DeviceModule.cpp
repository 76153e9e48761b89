//===- DeviceModule.cpp - the module of a file's device code --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/llvm/DeviceModule.h"
#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/DeviceData.h"
#include "compiler/lower/Lower.h"
#include "compiler/lower/llvm/InternalFiles.h"
#include "compiler/lower/llvm/ParentComponents.h"
#include "compiler/lower/llvm/StructureArguments.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/Support/FIRContext.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace mlir;

namespace cufort::lower {

bool hasDeviceCode(ModuleOp module) {
  for (Operation &op : *module.getBody()) {
    if (auto func = dyn_cast<func::FuncOp>(op);
        func && !func.isDeclaration() && runsOnDevice(func))
      return true;
    if (auto global = dyn_cast<fir::GlobalOp>(op);
        global && isDeviceVariable(global) && !isDeclaration(global))
      return true;
  }
  return false;
}

static void setAllocator(fir::InsertValueOp insert, DictionaryAttr components) {
  auto embox = insert.getVal().getDefiningOp<fir::EmboxOp>();
  if (!embox)
    return;
  Type type = insert.getAdt().getType();
  std::string key;
  for (Attribute step : insert.getCoor()) {
    if (auto array = dyn_cast<fir::SequenceType>(type))
      type = array.getEleTy();
    auto record = dyn_cast<fir::RecordType>(type);
    auto name = dyn_cast<StringAttr>(step);
    if (!record || !name)
      continue;
    key = (record.getName() + "." + name.getValue()).str();
    type = record.getType(name.getValue());
  }
  auto memory = components.getAs<cuf::DataAttributeAttr>(key);
  if (!memory)
    return;
  // Components without an attribute may have the same first value.
  OpBuilder builder(insert);
  auto own = cast<fir::EmboxOp>(builder.clone(*embox));
  own.setAllocatorIdx(allocatorOf(memory.getValue()));
  insert.getValMutable().assign(own);
}

/// The component that \p insert, one of a table of components, puts the name
/// of; nothing for what puts something else.
static StringRef namedComponent(fir::InsertValueOp insert) {
  auto field = dyn_cast<StringAttr>(*insert.getCoor().begin());
  if (!field || field.getValue() != "name")
    return {};
  Value name = insert.getVal();
  while (Operation *op = name.getDefiningOp()) {
    if (auto address = dyn_cast<fir::AddrOfOp>(op))
      return address.getSymbol()
          .getRootReference()
          .getValue()
          .rsplit('.')
          .second;
    if (!op->getNumOperands())
      break;
    name = op->getOperand(0);
  }
  return {};
}

/// Writes the allocator into the bytes that Flang's table leaves unused
/// (runtime/fortran/Components.cpp reads them).
static void noteAllocator(fir::InsertValueOp name, unsigned allocator) {
  constexpr char Unused[] = "__padding0", Mark[] = "CUF";
  MLIRContext *context = name.getContext();
  OpBuilder builder(context);
  builder.setInsertionPointAfter(name);
  Value record = name.getResult();
  SmallPtrSet<Operation *, 4> own;
  for (unsigned i = 0; i < 4; ++i) {
    Value byte = arith::ConstantIntOp::create(
        builder, name.getLoc(), i ? Mark[i - 1] : int64_t(allocator), 8);
    Attribute place[] = {builder.getStringAttr(Unused),
                         TypeAttr::get(name.getType()),
                         builder.getIntegerAttr(builder.getIndexType(), i)};
    record =
        fir::InsertValueOp::create(builder, name.getLoc(), name.getType(),
                                   record, byte, builder.getArrayAttr(place));
    own.insert(record.getDefiningOp());
  }
  name.getResult().replaceAllUsesExcept(record, own);
}

/// Tells the tables that describe derived types at run time.
static void noteAllocators(ModuleOp module, DictionaryAttr components) {
  for (NamedAttribute component : components) {
    auto [type, name] = component.getName().getValue().rsplit('.');
    std::string table = fir::NameUniquer::getTypeDescriptorName(type);
    const StringRef mark = fir::kTypeDescriptorSeparator;
    const size_t at = table.find(mark);
    if (at == std::string::npos)
      continue;
    table.replace(at, mark.size(), ".c.");
    auto global = module.lookupSymbol<fir::GlobalOp>(table);
    if (!global)
      continue;
    const unsigned allocator = allocatorOf(
        cast<cuf::DataAttributeAttr>(component.getValue()).getValue());
    SmallVector<fir::InsertValueOp> found;
    global.walk([&](fir::InsertValueOp insert) {
      if (namedComponent(insert) == name)
        found.push_back(insert);
    });
    for (fir::InsertValueOp insert : found)
      noteAllocator(insert, allocator);
  }
}

void setComponentAllocators(ModuleOp module) {
  auto components =
      module->getAttrOfType<DictionaryAttr>(DeviceComponentsAttribute);
  if (!components)
    return;
  noteAllocators(module, components);
  for (auto global : module.getOps<fir::GlobalOp>())
    global.walk(
        [&](fir::InsertValueOp insert) { setAllocator(insert, components); });
}

OwningOpRef<ModuleOp> cloneForDevice(ModuleOp module) {
  OwningOpRef<ModuleOp> device(cast<ModuleOp>(module->clone()));
  setComponentAllocators(*device);
  // The layout attributes of the host would win over the new string.
  (*device)->removeAttr("dlti.dl_spec");
  (*device)->removeAttr("llvm.data_layout");
  fir::setTargetTriple(*device, DeviceTriple);
  (*device)->removeAttr("fir.target_cpu");
  (*device)->removeAttr("fir.target_features");
  fir::support::setMLIRDataLayout(*device, llvm::DataLayout(DeviceDataLayout));
  return device;
}

llvm::StringSet<> managedVariables(ModuleOp module) {
  llvm::StringSet<> names;
  for (auto global : module.getOps<fir::GlobalOp>())
    if (global.getDataAttr() == cuf::DataAttribute::Managed &&
        !isDeclaration(global) &&
        !isa<fir::BaseBoxType>(fir::unwrapRefType(global.getType())))
      names.insert(global.getSymName());
  return names;
}

/// Tells the driver that the host may use the variable's address.
static void markManaged(llvm::GlobalVariable &variable) {
  llvm::LLVMContext &context = variable.getContext();
  llvm::Metadata *annotation[] = {
      llvm::ConstantAsMetadata::get(&variable),
      llvm::MDString::get(context, "managed"),
      llvm::ConstantAsMetadata::get(
          llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1))};
  variable.getParent()
      ->getOrInsertNamedMetadata("nvvm.annotations")
      ->addOperand(llvm::MDNode::get(context, annotation));
}

/// Moves a variable from the generic to the global address space, where NVPTX
/// and the CPU engine expect it; its users see the generic address as before.
static void moveToGlobalSpace(llvm::GlobalVariable &variable) {
  auto *moved = new llvm::GlobalVariable(
      *variable.getParent(), variable.getValueType(), variable.isConstant(),
      variable.getLinkage(),
      variable.hasInitializer() ? variable.getInitializer() : nullptr, "",
      &variable, llvm::GlobalValue::NotThreadLocal, /*AddressSpace=*/1);
  moved->copyAttributesFrom(&variable);
  moved->copyMetadata(&variable, 0);
  moved->setComdat(variable.getComdat());
  moved->takeName(&variable);
  variable.replaceAllUsesWith(
      llvm::ConstantExpr::getAddrSpaceCast(moved, variable.getType()));
  variable.eraseFromParent();
}

/// Variables with BIND(C) are common symbols on the host, where C may define
/// them, too. Device code has no such symbols: here another file's definition
/// wins.
static void letOthersDefine(llvm::GlobalVariable &variable) {
  if (!variable.hasCommonLinkage())
    return;
  variable.setLinkage(llvm::GlobalValue::WeakAnyLinkage);
  variable.setExternallyInitialized(true);
}

/// Gives calls that the lowering has made a place: LLVM wants one where both
/// sides have debug information.
static void placeCalls(llvm::Function &function) {
  llvm::DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram)
    return;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::isa<llvm::CallBase>(instruction) && !instruction.getDebugLoc())
      instruction.setDebugLoc(
          llvm::DILocation::get(function.getContext(), 0, 0, subprogram));
}

/// NVPTX's and DWARF's numbers of shared memory, where debuggers know one
/// (cuda-gdb).
static constexpr unsigned SharedSpace = 3;
static constexpr uint64_t SharedAddressClass = 8;

/// The predefined variables get the names that users know, those that the
/// procedure does not read go: they have no values.
static void renamePredefined(llvm::DbgVariableRecord &record) {
  llvm::DILocalVariable *variable = record.getVariable();
  llvm::StringRef name = variable->getName();
  if (!name.consume_front("__builtin_"))
    return;
  llvm::Value *place = record.getAddress();
  if (!place || place->use_empty())
    record.eraseFromParent();
  else
    record.setVariable(llvm::DILocalVariable::get(
        variable->getContext(), variable->getScope(), name, variable->getFile(),
        variable->getLine(), variable->getType(), /*Arg=*/0,
        llvm::DINode::FlagArtificial, variable->getAlignInBits(), nullptr));
}

/// Flang describes a shared variable as a local one whose place is a constant,
/// which no code generator takes. It becomes what Clang makes of one: a static
/// variable of the procedure.
static void describeVariables(llvm::Function &function) {
  llvm::DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram || !subprogram->getUnit())
    return;
  llvm::LLVMContext &context = function.getContext();
  llvm::SmallVector<llvm::Metadata *> all(
      subprogram->getUnit()->getGlobalVariables().begin(),
      subprogram->getUnit()->getGlobalVariables().end());
  for (llvm::Instruction &instruction : llvm::instructions(function))
    for (llvm::DbgVariableRecord &record : llvm::make_early_inc_range(
             llvm::filterDbgVars(instruction.getDbgRecordRange()))) {
      llvm::Value *place =
          record.isDbgDeclare() ? record.getAddress() : nullptr;
      auto *shared =
          place
              ? llvm::dyn_cast<llvm::GlobalVariable>(place->stripPointerCasts())
              : nullptr;
      if (!shared || shared->getAddressSpace() != SharedSpace) {
        renamePredefined(record);
        continue;
      }
      llvm::DILocalVariable *local = record.getVariable();
      auto *variable = llvm::DIGlobalVariable::getDistinct(
          context, local->getScope(), local->getName(), "", local->getFile(),
          local->getLine(), local->getType(), /*IsLocalToUnit=*/true,
          /*IsDefinition=*/true, nullptr, nullptr, 0, nullptr);
      auto *expression = llvm::DIExpression::get(
          context, {llvm::dwarf::DW_OP_constu, SharedAddressClass,
                    llvm::dwarf::DW_OP_swap, llvm::dwarf::DW_OP_xderef});
      auto *described =
          llvm::DIGlobalVariableExpression::get(context, variable, expression);
      shared->addDebugInfo(described);
      all.push_back(described);
      record.eraseFromParent();
    }
  subprogram->getUnit()->replaceGlobalVariables(
      llvm::MDTuple::get(context, all));
}

/// Whether \p type is a descriptor, in the layout of Fortran 2018's
/// CFI_cdesc_t: an address, a length, a version, four bytes, and the rest.
static bool isDescriptor(llvm::Type *type) {
  auto *record = llvm::dyn_cast<llvm::StructType>(type);
  if (!record || record->hasName() || record->getNumElements() < 7 ||
      !record->getElementType(0)->isPointerTy() ||
      !record->getElementType(1)->isIntegerTy(64) ||
      !record->getElementType(2)->isIntegerTy(32))
    return false;
  return llvm::all_of(record->elements().slice(3, 4),
                      [](llvm::Type *each) { return each->isIntegerTy(8); });
}

/// Flang's copies of descriptors do not say that both sides are aligned as
/// descriptors are. A GPU would read them byte by byte.
static void alignDescriptors(llvm::Function &function) {
  const llvm::DataLayout &layout = function.getDataLayout();
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
    if (!copy)
      continue;
    for (llvm::Value *side : {copy->getDest(), copy->getSource()}) {
      auto *variable = llvm::dyn_cast<llvm::AllocaInst>(side);
      auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
      if (!variable || !length || !isDescriptor(variable->getAllocatedType()) ||
          length->getZExtValue() !=
              layout.getTypeAllocSize(variable->getAllocatedType()))
        continue;
      const llvm::Align alignment =
          layout.getABITypeAlign(variable->getAllocatedType());
      copy->setDestAlignment(
          std::max(alignment, copy->getDestAlign().valueOrOne()));
      copy->setSourceAlignment(
          std::max(alignment, copy->getSourceAlign().valueOrOne()));
    }
  }
}

std::unique_ptr<llvm::Module>
translateDeviceModule(ModuleOp module, llvm::LLVMContext &context,
                      const llvm::StringSet<> &managed) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  registerNVVMDialectTranslation(*module.getContext());
  std::unique_ptr<llvm::Module> device =
      translateModuleToLLVMIR(module, context, "device");
  if (!device)
    return nullptr;
  device->setTargetTriple(llvm::Triple(DeviceTriple));
  device->setDataLayout(DeviceDataLayout);
  for (llvm::GlobalVariable &variable :
       llvm::make_early_inc_range(device->globals()))
    if (variable.getAddressSpace() == 0 &&
        !variable.getName().starts_with("llvm."))
      moveToGlobalSpace(variable);
  for (llvm::GlobalVariable &variable : device->globals()) {
    letOthersDefine(variable);
    if (managed.contains(variable.getName()))
      markManaged(variable);
  }
  allowUnsignedOverflow(*device);
  lowerInternalFiles(*device);
  passStructuresAsC(*device);
  describeParents(*device);
  for (llvm::Function &function : *device) {
    placeCalls(function);
    describeVariables(function);
    alignDescriptors(function);
  }
  return device;
}

} // namespace cufort::lower
