//===- cufort-lower-opt.cpp - run passes of the lowering on text ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt with FIR, the CUF dialect and compiler/lower's passes:
//   cufort-lower-opt --lower-predefined-variables file.fir
//
//===----------------------------------------------------------------------===//

#include "compiler/lower/Passes.h"
#include "flang/Optimizer/CodeGen/CodeGen.h"
#include "flang/Optimizer/Support/InitFIR.h"
#include "flang/Optimizer/Transforms/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  fir::support::registerMLIRPassesForFortranTools();
  fir::registerOptCodeGenPasses();
  fir::registerOptTransformPasses();
  cufort::lower::registerLowerPasses();
  mlir::DialectRegistry registry;
  fir::support::registerDialects(registry);
  registry.insert<cuf::CUFDialect>();
  fir::support::addFIRExtensions(registry);
  return mlir::failed(mlir::MlirOptMain(
      argc, argv, "cufort's lowering passes on textual FIR\n", registry));
}
