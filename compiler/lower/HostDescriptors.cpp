//===- HostDescriptors.cpp - descriptors of device arrays on the host -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

struct HostDescriptors
    : public PassWrapper<HostDescriptors, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostDescriptors)
  StringRef getArgument() const override { return "cufort-host-descriptors"; }
  StringRef getDescription() const override {
    return "Keep the descriptors of local device arrays on the host's stack";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<fir::FIROpsDialect>();
  }

  void runOnOperation() override {
    SmallVector<cuf::AllocOp> descriptors;
    SmallVector<cuf::FreeOp> frees;
    getOperation().walk([&](Operation *op) {
      if (auto alloc = dyn_cast<cuf::AllocOp>(op);
          alloc && isa<fir::BaseBoxType>(alloc.getInType()))
        descriptors.push_back(alloc);
      if (auto free = dyn_cast<cuf::FreeOp>(op);
          free &&
          isa<fir::BaseBoxType>(fir::unwrapRefType(free.getDevptr().getType())))
        frees.push_back(free);
    });
    for (cuf::FreeOp free : frees)
      free.erase();
    for (cuf::AllocOp alloc : descriptors)
      moveToStack(alloc);
  }

private:
  static void moveToStack(cuf::AllocOp alloc) {
    auto func = alloc->getParentOfType<FunctionOpInterface>();
    OpBuilder builder(alloc.getContext());
    builder.setInsertionPointToStart(&func.getFunctionBody().front());
    Value local = fir::AllocaOp::create(
        builder, alloc.getLoc(), alloc.getInType(),
        alloc.getUniqName().value_or(""), alloc.getBindcName().value_or(""));
    alloc.replaceAllUsesWith(local);
    alloc.erase();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createHostDescriptors() {
  return std::make_unique<HostDescriptors>();
}
