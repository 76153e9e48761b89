//===- Dialects.cpp - what the MLIR context has to know -------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of its own: Flang's list of dialects includes all of MLIR.
//
//===----------------------------------------------------------------------===//

#include "compiler/fortran/FrontEnd.h"
#include "flang/Optimizer/OpenACC/Support/RegisterOpenACCExtensions.h"
#include "flang/Optimizer/OpenMP/Support/RegisterOpenMPExtensions.h"
#include "flang/Optimizer/Support/InitFIR.h"

namespace cufort {

void loadDialects(mlir::MLIRContext &context) {
  fir::support::loadDialects(context);
  fir::support::registerLLVMTranslation(context);
  mlir::DialectRegistry registry;
  fir::acc::registerOpenACCExtensions(registry);
  fir::omp::registerOpenMPExtensions(registry);
  context.appendDialectRegistry(registry);
}

} // namespace cufort
