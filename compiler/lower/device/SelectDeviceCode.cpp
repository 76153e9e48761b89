//===- SelectDeviceCode.cpp - the device half of a source file ------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/device/DeviceInitialization.h"
#include "compiler/lower/device/DeviceTypes.h"
#include "compiler/lower/device/StructureAssignments.h"
#include "compiler/lower/device/StructureMemory.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// Everything that the roots refer to, transitively.
llvm::SetVector<Operation *> reachable(ModuleOp module,
                                       ArrayRef<Operation *> roots) {
  SymbolTable symbols(module);
  llvm::SetVector<Operation *> reached(roots.begin(), roots.end());
  for (size_t next = 0; next < reached.size(); ++next) {
    auto uses = SymbolTable::getSymbolUses(reached[next]);
    if (!uses)
      continue;
    for (const SymbolTable::SymbolUse &use : *uses)
      if (Operation *symbol =
              symbols.lookup(use.getSymbolRef().getRootReference().getValue()))
        reached.insert(symbol);
  }
  return reached;
}

struct SelectDeviceCode
    : public PassWrapper<SelectDeviceCode, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SelectDeviceCode)
  StringRef getArgument() const override { return "lower-select-device-code"; }
  StringRef getDescription() const override {
    return "Keep the device code of a module";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, fir::FIROpsDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // While the variables for initial values are here.
    initializeObjects(module);
    copyPlainStructures(module);
    if (!callStructureMemory(module))
      return signalPassFailure();
    SmallVector<Operation *> roots;
    for (Operation &op : *module.getBody()) {
      auto func = dyn_cast<func::FuncOp>(op);
      auto global = dyn_cast<fir::GlobalOp>(op);
      bool isRoot =
          (func && !func.isDeclaration() && runsOnDevice(func)) ||
          (global && isDeviceVariable(global) && !isDeclaration(global));
      if (isRoot)
        roots.push_back(&op);
    }
    llvm::SetVector<Operation *> kept = reachable(module, roots);
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (!kept.contains(&op) && !isa<fir::TypeInfoOp>(op))
        op.erase();
    describeTypes(module);
    for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
      auto func = dyn_cast<func::FuncOp>(op);
      if (!func)
        continue;
      // The front end's wrapper of an intrinsic that is an actual argument
      // has no attribute: it belongs to whoever refers to it.
      if (!func.isDeclaration() && func->hasAttr("fir.intrinsic"))
        func->setAttr(cuf::getProcAttrName(),
                      cuf::ProcAttributeAttr::get(&getContext(),
                                                  cuf::ProcAttribute::Device));
      // A host procedure that device code calls has no version here; whether
      // another file has one is the device link's question.
      if (!runsOnDevice(func) && !func.isDeclaration())
        makeDeclaration(func);
      // On this side a procedure of both kinds is a device procedure: the
      // passes that follow need not know the difference.
      if (procedureAttribute(func) == cuf::ProcAttribute::HostDevice)
        func->setAttr(cuf::getProcAttrName(),
                      cuf::ProcAttributeAttr::get(&getContext(),
                                                  cuf::ProcAttribute::Device));
    }
  }

private:
  static void makeDeclaration(func::FuncOp func) {
    func.getBody().dropAllReferences();
    func.getBody().getBlocks().clear();
    func.setPrivate();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createSelectDeviceCode() {
  return std::make_unique<SelectDeviceCode>();
}
