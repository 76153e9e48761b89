//===- CheckSupported.cpp - what cannot be lowered yet, by name ---===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

struct CheckSupported
    : public PassWrapper<CheckSupported, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckSupported)
  StringRef getArgument() const override { return "cufort-check-supported"; }
  StringRef getDescription() const override {
    return "Diagnose CUDA Fortran constructs that cannot be lowered yet";
  }

  void runOnOperation() override {
    bool supported = true;
    auto refuse = [&](Location location, const Twine &construct) {
      emitError(location) << construct.str() << " not supported yet";
      supported = false;
    };
    getOperation().walk([&](Operation *op) {
      if (isa<cuf::KernelOp>(op))
        refuse(op->getLoc(), "kernel loop directives (!$cuf kernel do) are");
      if (auto func = dyn_cast<func::FuncOp>(op);
          func && cufort::lower::isKernel(func))
        for (Type type : func.getArgumentTypes())
          if (isa<fir::BoxCharType>(type))
            refuse(func.getLoc(), "character dummy arguments of kernels are");
    });
    if (!supported)
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createCheckSupported() {
  return std::make_unique<CheckSupported>();
}
