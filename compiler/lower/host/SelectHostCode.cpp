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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringSwitch.h"

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

/// What users call the operation of a thread of a kernel that \p op is; empty
/// for what the host can do, too.
std::string threadOperation(Operation *op) {
  StringRef name;
  if (auto call = dyn_cast<fir::CallOp>(op); call && call.getCallee())
    name = call.getCallee()->getRootReference().getValue();
  if (name.consume_front("__cufort_"))
    return name.starts_with("shfl")    ? "__shfl"
           : name.starts_with("match") ? "match_any_sync or match_all_sync"
                                       : name.str();
  if (name.starts_with("__ldc") || name.starts_with("__ldlu"))
    return name.rsplit('_').first.str();
  if (!isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()))
    return {};
  name = op->getName().stripDialect();
  return llvm::StringSwitch<std::string>(name)
      .StartsWith("barrier", "syncthreads")
      .StartsWith("bar.warp", "syncwarp")
      .StartsWith("memory.barrier", "threadfence")
      .StartsWith("fence", "threadfence")
      .StartsWith("vote", "ballot, any or all")
      .StartsWith("match", "match_any_sync or match_all_sync")
      .StartsWith("shfl", "__shfl")
      .StartsWith("read.ptx.sreg.clock", "clock64")
      .Default(name.str());
}

struct SelectHostCode
    : public PassWrapper<SelectHostCode, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SelectHostCode)
  StringRef getArgument() const override { return "lower-select-host-code"; }
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
        else {
          checkThreadOperations(func);
          removeReferences(func);
        }
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
  /// optimisation the references would survive to the link. What a host and
  /// device procedure says of them to the device only is given a place that is
  /// never looked at.
  void removeReferences(func::FuncOp func) {
    SmallVector<fir::AddrOfOp> addresses;
    func.walk([&](fir::AddrOfOp address) {
      if (variableName(address).size())
        addresses.push_back(address);
    });
    for (fir::AddrOfOp address : addresses) {
      for (Operation *user : llvm::make_early_inc_range(address->getUsers()))
        if (isa<fir::DeclareOp>(user) && user->use_empty())
          user->erase();
      for (Operation *user : address->getUsers())
        checkReader(user, variableName(address));
      if (!address->use_empty()) {
        OpBuilder builder(address);
        address.replaceAllUsesWith(
            fir::AllocaOp::create(builder, address.getLoc(),
                                  fir::unwrapRefType(address.getType()))
                .getResult());
      }
      address->erase();
    }
  }

  /// Votes, shuffles, barriers and the like need the other threads of a kernel.
  void checkThreadOperations(func::FuncOp func) {
    if (procedureAttribute(func) != cuf::ProcAttribute::HostDevice)
      return;
    func.walk([&](Operation *op) {
      std::string name = threadOperation(op);
      if (name.empty())
        return;
      emitError(op->getLoc())
          << "'" << name
          << "' is an operation of the threads of a kernel, which the host "
             "does "
             "not have; in a procedure with attributes(host,device) it may "
             "stand under `if (on_device())`";
      signalPassFailure();
    });
  }

  static StringRef variableName(fir::AddrOfOp address) {
    StringRef name = address.getSymbol().getRootReference().getValue();
    return name.consume_front("_QM__fortran_builtinsE__builtin_") ? name
                                                                  : StringRef();
  }

  void checkReader(Operation *reader, StringRef name) {
    if (isa<fir::DeclareOp>(reader)) {
      for (Operation *user : reader->getUsers())
        checkReader(user, name);
      return;
    }
    emitError(reader->getLoc())
        << "'" << name
        << "' is available in device code only; in a procedure with "
           "attributes(host,device) it may stand under `if (on_device())`";
    signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createSelectHostCode() {
  return std::make_unique<SelectHostCode>();
}
