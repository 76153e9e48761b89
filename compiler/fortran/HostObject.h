//===- HostObject.h - host LLVM IR to a file --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_FORTRAN_HOSTOBJECT_H
#define CUFORT_COMPILER_FORTRAN_HOSTOBJECT_H

#include "compiler/fortran/CompileFortran.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace cufort {

/// Aligns the arrays of \p host as C does, and optimises it at \p level (0 to
/// 3) with LLVM's standard pipeline.
void optimiseHostCode(llvm::Module &host, llvm::TargetMachine &machine,
                      unsigned level);

/// Writes what the job asks for. False after printing a diagnostic.
bool writeHostCode(llvm::Module &host, llvm::TargetMachine &machine,
                   const FortranJob &job);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_HOSTOBJECT_H
