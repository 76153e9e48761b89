//===- RepairAtomics.cpp - what atomiccas returns -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/common/AtomicScope.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

struct RepairAtomics
    : public PassWrapper<RepairAtomics, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RepairAtomics)
  StringRef getArgument() const override { return "lower-repair-atomics"; }
  StringRef getDescription() const override {
    return "Let atomiccas return the old value, and atomic functions have "
           "the scope of CUDA's";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect, LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    getOperation().walk([](Operation *operation) {
      if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(operation))
        exchange.setSyncscope(cufort::RelaxedScope);
      else if (auto update = dyn_cast<LLVM::AtomicRMWOp>(operation))
        update.setSyncscope(cufort::RelaxedScope);
    });
    SmallVector<fir::ConvertOp> results;
    getOperation().walk([&](fir::ConvertOp convert) {
      auto success = convert.getValue().getDefiningOp<LLVM::ExtractValueOp>();
      if (success && success.getPosition() == ArrayRef<int64_t>{1} &&
          success.getContainer().getDefiningOp<LLVM::AtomicCmpXchgOp>())
        results.push_back(convert);
    });
    for (fir::ConvertOp convert : results) {
      auto success = convert.getValue().getDefiningOp<LLVM::ExtractValueOp>();
      OpBuilder builder(convert);
      Location location = convert.getLoc();
      Value old = LLVM::ExtractValueOp::create(
          builder, location, success.getContainer(), ArrayRef<int64_t>{0});
      Type type = convert.getType();
      if (isa<FloatType>(type))
        old = LLVM::BitcastOp::create(builder, location, type, old);
      else if (type != old.getType())
        old = fir::ConvertOp::create(builder, location, type, old);
      convert.replaceAllUsesWith(old);
      convert.erase();
      if (success->use_empty())
        success.erase();
    }
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createRepairAtomics() {
  return std::make_unique<RepairAtomics>();
}
