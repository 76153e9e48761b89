//===- CheckSupported.cpp - what cannot be lowered yet, by name -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/DeviceAttributes.h"
#include "compiler/lower/Passes.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

bool isDeviceCode(Operation *op) {
  auto func = op->getParentOfType<func::FuncOp>();
  return func && !cufort::lower::runsOnHost(func);
}

/// What the user wrote where the front end left a call of the host's Fortran
/// runtime; empty for what may have a device version.
StringRef hostConstruct(fir::CallOp call) {
  if (!call.getCallee())
    return {};
  StringRef name = call.getCallee()->getRootReference().getValue();
  if (!name.consume_front("_FortranA"))
    return {};
  // One statement is several calls; the first speaks for all, but for what its
  // list may hold.
  if (name == "ioOutputDerivedType")
    return "output of a whole object of derived type (name its components "
           "instead)";
  if (name == "ioOutputNamelist")
    return "namelist output";
  if (name == "ioInputDerivedType")
    return "input of a whole object of derived type (name its components "
           "instead)";
  if (name == "ioInputNamelist")
    return "namelist input";
  if (name.starts_with("ioBeginInternal"))
    return "";
  if (name.starts_with("ioBegin") && name != "ioBeginExternalListOutput" &&
      name != "ioBeginExternalFormattedOutput")
    return name.ends_with("Input") ? "input (read)"
                                   : "input and output other than print and "
                                     "formatted write";
  if (name.starts_with("Date") || name.starts_with("Cpu") ||
      name.starts_with("SystemClock"))
    return "a host timer";
  return {};
}

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
      if (auto call = dyn_cast<fir::CallOp>(op); call && isDeviceCode(call))
        if (StringRef construct = hostConstruct(call); !construct.empty())
          refuse(op->getLoc(), construct + " in device code is");
    });
    if (!supported)
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createCheckSupported() {
  return std::make_unique<CheckSupported>();
}
