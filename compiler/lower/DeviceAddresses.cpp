//===- DeviceAddresses.cpp - addresses of device variables in host code ---===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module variable lies on every device at another address, and a procedure
// may change the current device between two uses.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

constexpr llvm::StringLiteral AddressFunction = "_FortranACUFGetDeviceAddress";

/// Whether \p op only makes another value of its operands.
bool derives(Operation *op) {
  return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
         (isa<fir::DeclareOp>(op) || isMemoryEffectFree(op));
}

/// Moves \p op to where its results are used, copying it, and with it whatever
/// is derived from it; \p placed holds the copies.
void moveToUses(Operation *op, llvm::SmallPtrSetImpl<Operation *> &placed) {
  auto nextDerived = [&]() -> Operation * {
    for (Operation *user : op->getUsers())
      if (derives(user) && !placed.contains(user))
        return user;
    return nullptr;
  };
  while (Operation *user = nextDerived())
    moveToUses(user, placed);
  llvm::SetVector<Operation *> users(op->user_begin(), op->user_end());
  for (Operation *user : users) {
    Operation *copy = OpBuilder(user).clone(*op);
    placed.insert(copy);
    user->replaceUsesOfWith(op->getResult(0), copy->getResult(0));
  }
  op->erase();
}

struct DeviceAddresses
    : public PassWrapper<DeviceAddresses, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceAddresses)
  StringRef getArgument() const override { return "cufort-device-addresses"; }
  StringRef getDescription() const override {
    return "Ask for the address of a device variable where it is used";
  }

  void runOnOperation() override {
    SmallVector<fir::CallOp> calls;
    getOperation().walk([&](fir::CallOp call) {
      if (call.getCallee() &&
          call.getCallee()->getRootReference() == AddressFunction)
        calls.push_back(call);
    });
    llvm::SmallPtrSet<Operation *, 16> placed;
    for (fir::CallOp call : calls)
      moveToUses(call, placed);
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createDeviceAddresses() {
  return std::make_unique<DeviceAddresses>();
}
