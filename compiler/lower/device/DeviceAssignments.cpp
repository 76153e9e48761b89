//===- DeviceAssignments.cpp - assignments to allocatables by a kernel ----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace cufort::lower;

namespace {

struct DeviceAssignments
    : public PassWrapper<DeviceAssignments, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceAssignments)
  StringRef getArgument() const override { return "lower-device-assignments"; }
  StringRef getDescription() const override {
    return "Assign to the host's allocatables in device code as they are";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect, hlfir::hlfirDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<hlfir::AssignOp> assignments;
    for (auto func : module.getOps<func::FuncOp>())
      if (procedureAttribute(func) != cuf::ProcAttribute::HostDevice &&
          runsOnDevice(func))
        func.walk([&](hlfir::AssignOp assignment) {
          if (assignment.isAllocatableAssignment() &&
              isHostDescriptor(assignment.getLhs()))
            assignments.push_back(assignment);
        });
    fir::FirOpBuilder builder(module, fir::getKindMapping(module));
    for (hlfir::AssignOp assignment : assignments) {
      builder.setInsertionPoint(assignment);
      hlfir::Entity data = hlfir::derefPointersAndAllocatables(
          assignment.getLoc(), builder, hlfir::Entity{assignment.getLhs()});
      hlfir::AssignOp::create(builder, assignment.getLoc(), assignment.getRhs(),
                              data);
      assignment.erase();
    }
  }

private:
  /// Module variables and dummy arguments: what a kernel has is a copy of the
  /// descriptor.
  static bool isHostDescriptor(Value value) {
    auto declare = value.getDefiningOp<hlfir::DeclareOp>();
    return declare && (isa<BlockArgument>(declare.getMemref()) ||
                       isa_and_nonnull<fir::AddrOfOp>(
                           declare.getMemref().getDefiningOp()));
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createDeviceAssignments() {
  return std::make_unique<DeviceAssignments>();
}
