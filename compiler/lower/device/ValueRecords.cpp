//===- ValueRecords.cpp - records that kernels get by value ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between procedures of the host VALUE means a copy of the components' memory,
// too. A launch does not wait: the host would copy memory that earlier kernels
// still write, release the copy while the kernel runs, and what the kernel
// writes into its components would be lost. Other compilers copy the record's
// own bytes, with the addresses of what its components describe.
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {

bool hasAllocatableComponent(Type type) {
  auto record = dyn_cast<fir::RecordType>(fir::unwrapSequenceType(type));
  return record && llvm::any_of(record.getTypeList(), [](auto &component) {
           auto box = dyn_cast<fir::BaseBoxType>(component.second);
           return box ? isa<fir::HeapType>(box.getEleTy())
                      : hasAllocatableComponent(component.second);
         });
}

struct ValueRecords
    : public PassWrapper<ValueRecords, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ValueRecords)
  StringRef getArgument() const override { return "lower-value-records"; }
  StringRef getDescription() const override {
    return "Give kernels the bytes of records that they get by value";
  }

  void runOnOperation() override {
    SmallVector<cuf::KernelLaunchOp> launches;
    getOperation().walk(
        [&](cuf::KernelLaunchOp launch) { launches.push_back(launch); });
    for (cuf::KernelLaunchOp launch : launches)
      for (OpOperand &argument : launch->getOpOperands())
        if (Value variable = copied(argument.get()))
          passItself(argument, variable);
  }

private:
  /// The record with allocatable components of which \p argument is a copy.
  static Value copied(Value argument) {
    auto associate = argument.getDefiningOp<hlfir::AssociateOp>();
    auto value = associate
                     ? associate.getSource().getDefiningOp<hlfir::AsExprOp>()
                     : hlfir::AsExprOp();
    if (!value || value.isMove() ||
        value.getVar().getType() != argument.getType() ||
        !hasAllocatableComponent(fir::unwrapRefType(argument.getType())))
      return {};
    return value.getVar();
  }

  static void passItself(OpOperand &argument, Value variable) {
    auto associate = argument.get().getDefiningOp<hlfir::AssociateOp>();
    argument.set(variable);
    if (llvm::any_of(associate->getUsers(), [](Operation *user) {
          return !isa<hlfir::EndAssociateOp>(user);
        }))
      return;
    auto value = associate.getSource().getDefiningOp<hlfir::AsExprOp>();
    // The end names the copy twice.
    const llvm::SmallSetVector<Operation *, 2> ends(
        associate->getUsers().begin(), associate->getUsers().end());
    for (Operation *end : ends)
      end->erase();
    associate.erase();
    if (value->use_empty())
      value.erase();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createValueRecords() {
  return std::make_unique<ValueRecords>();
}
