//===- DeviceModule.cpp - the module of a file's device code --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceModule.h"
#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/DeviceData.h"
#include "compiler/lower/InternalFiles.h"
#include "compiler/lower/StructureArguments.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/Support/FIRContext.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

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

void setComponentAllocators(ModuleOp module) {
  auto components =
      module->getAttrOfType<DictionaryAttr>(DeviceComponentsAttribute);
  if (!components)
    return;
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
      // Variables with BIND(C) are common on the host, where C may define them.
      variable.hasCommonLinkage() ? llvm::GlobalValue::ExternalLinkage
                                  : variable.getLinkage(),
      variable.hasInitializer() ? variable.getInitializer() : nullptr, "",
      &variable, llvm::GlobalValue::NotThreadLocal, /*AddressSpace=*/1);
  moved->copyAttributesFrom(&variable);
  moved->setComdat(variable.getComdat());
  moved->takeName(&variable);
  variable.replaceAllUsesWith(
      llvm::ConstantExpr::getAddrSpaceCast(moved, variable.getType()));
  variable.eraseFromParent();
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
  for (llvm::GlobalVariable &variable : device->globals())
    if (managed.contains(variable.getName()))
      markManaged(variable);
  lowerInternalFiles(*device);
  passStructuresAsC(*device);
  for (llvm::Function &function : *device)
    placeCalls(function);
  return device;
}

} // namespace cufort::lower
