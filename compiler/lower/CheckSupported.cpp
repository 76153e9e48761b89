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
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace {

bool isDeviceCode(Operation *op) {
  auto func = op->getParentOfType<func::FuncOp>();
  return func && !cufort::lower::runsOnHost(func);
}

/// What to say of the statement for which the front end left a call of the
/// host's Fortran runtime; empty for what may have a device version.
StringRef refusal(fir::CallOp call) {
  if (!call.getCallee())
    return {};
  StringRef name = call.getCallee()->getRootReference().getValue();
  if (!name.consume_front("_FortranA"))
    return {};
  // One statement is several calls; the first speaks for all, but for what its
  // list may hold.
  if (name == "ioOutputDerivedType")
    return "output of a whole object of derived type in device code is not "
           "supported yet; name its components instead";
  if (name == "ioInputDerivedType")
    return "input of a whole object of derived type in device code is not "
           "supported yet; name its components instead";
  if (name == "ioOutputNamelist")
    return "namelist output in device code is not supported yet: name the "
           "variables in a PRINT or WRITE statement";
  if (name == "ioInputNamelist")
    return "namelist input in device code is not supported yet: read in host "
           "code, and pass the values as arguments";
  if (name.starts_with("ioBeginInternal"))
    return "";
  if (name.starts_with("ioBegin") && name != "ioBeginExternalListOutput" &&
      name != "ioBeginExternalFormattedOutput")
    return name.ends_with("Input")
               ? "device code cannot read from files; read in host code and "
                 "pass what was read as an argument (READ from a character "
                 "variable works)"
               : "device code cannot use files; OPEN, CLOSE and the like "
                 "belong "
                 "to host code, before or after the launch (PRINT and "
                 "formatted "
                 "WRITE to the standard output or to a character variable "
                 "work)";
  if (name.starts_with("Date") || name.starts_with("Cpu") ||
      name.starts_with("SystemClock"))
    return "device code cannot read the host's clocks: use clock64(), which "
           "counts the cycles of the device, or measure the kernel in host "
           "code with events";
  return {};
}

struct CheckSupported
    : public PassWrapper<CheckSupported, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckSupported)
  StringRef getArgument() const override { return "lower-check-supported"; }
  StringRef getDescription() const override {
    return "Diagnose CUDA Fortran constructs that cannot be lowered yet";
  }

  void runOnOperation() override {
    bool supported = true;
    // Code may be there twice: a kernel loop has two kernels where a reduction
    // has two ways.
    llvm::DenseSet<std::pair<Location, StringRef>> seen;
    getOperation().walk([&](fir::CallOp call) {
      if (!isDeviceCode(call))
        return;
      if (StringRef words = refusal(call); !words.empty()) {
        if (seen.insert({call.getLoc(), words}).second)
          emitError(call.getLoc()) << words;
        supported = false;
      }
    });
    if (!supported)
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> cufort::lower::createCheckSupported() {
  return std::make_unique<CheckSupported>();
}
