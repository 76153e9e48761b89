//===- SelectHostCode.cpp - the host half of a source file ----------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

/// Replaces the body by a return: the function keeps nothing but its address.
void makeStub(func::FuncOp kernel) {
  kernel.getBody().dropAllReferences();
  kernel.getBody().getBlocks().clear();
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointToStart(kernel.addEntryBlock());
  func::ReturnOp::create(builder, kernel.getLoc());
}

/// A device procedure's body has no meaning on the host. Its symbol stays
/// where other host data refers to it (a type's binding table, say).
void dropBody(func::FuncOp procedure) {
  procedure.getBody().dropAllReferences();
  procedure.getBody().getBlocks().clear();
  OpBuilder builder(procedure.getContext());
  builder.setInsertionPointToStart(procedure.addEntryBlock());
  fir::UnreachableOp::create(builder, procedure.getLoc());
}

struct SelectHostCode
    : public PassWrapper<SelectHostCode, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SelectHostCode)
  StringRef getArgument() const override { return "cufort-select-host-code"; }
  StringRef getDescription() const override {
    return "Keep the host code of a module";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto func : module.getOps<func::FuncOp>()) {
      if (!func.isDeclaration()) {
        if (isKernel(func))
          makeStub(func);
        else if (!runsOnHost(func))
          dropBody(func);
        else
          removeDeadReferences(func);
      }
      dropDataAttributes(func);
      func->removeAttr(cuf::getProcAttrName());
      func->removeAttr(cuf::getLaunchBoundsAttrName());
      func->removeAttr(cuf::getClusterDimsAttrName());
    }
    renameAllocation();
    // On the host a constant variable is a shadow in ordinary memory.
    for (auto global : module.getOps<fir::GlobalOp>())
      if (global.getDataAttr() == cuf::DataAttribute::Constant)
        global.setDataAttr(cuf::DataAttribute::Device);
  }

private:
  /// Flang's code generation knows device memory by the name of the function
  /// that returned it, and would allocate a descriptor of it, never freed, with
  /// the runtime.
  void renameAllocation() {
    auto allocate =
        getOperation().lookupSymbol<func::FuncOp>("_FortranACUFMemAlloc");
    if (!allocate)
      return;
    StringAttr name =
        StringAttr::get(&getContext(), "_FortranACUFDeviceMemAlloc");
    (void)SymbolTable::replaceAllSymbolUses(allocate, name, getOperation());
    allocate.setName(name);
  }

  /// The front end declares the built-in variables in every procedure; without
  /// optimisation the references would survive to the link.
  static void removeDeadReferences(func::FuncOp func) {
    SmallVector<Operation *> dead;
    func.walk([&](fir::AddrOfOp address) {
      if (!address.getSymbol().getRootReference().getValue().starts_with(
              "_QM__fortran_builtinsE__builtin_"))
        return;
      bool used = llvm::any_of(address->getUsers(), [](Operation *user) {
        return !isa<fir::DeclareOp>(user) || !user->use_empty();
      });
      if (used)
        return;
      dead.append(address->user_begin(), address->user_end());
      dead.push_back(address);
    });
    for (Operation *op : dead)
      op->erase();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createSelectHostCode() {
  return std::make_unique<SelectHostCode>();
}
