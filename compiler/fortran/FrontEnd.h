//===- FrontEnd.h - Fortran source to HLFIR ---------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_FRONTEND_H
#define CUFORT_COMPILER_FORTRAN_FRONTEND_H

#include "flang/Frontend/CompilerInstance.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace cufort {
namespace lower {
class PassGroups;
}

/// Loads what Flang's and our lowering use into \p context.
void loadDialects(mlir::MLIRContext &context);

/// Lowers the analysed program of \p instance to an HLFIR module: what Flang's
/// own code-generation action does between semantics and code generation, and
/// in the same order, but with cufort's repairs (compiler/lower) before the
/// module is verified. Null after diagnostics of Flang's; what the repairs
/// refuse is known to \p groups.
mlir::OwningOpRef<mlir::ModuleOp>
lowerToHlfir(Fortran::frontend::CompilerInstance &instance,
             mlir::MLIRContext &context, lower::PassGroups &groups);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_FRONTEND_H
