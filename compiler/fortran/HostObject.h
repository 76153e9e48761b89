//===- HostObject.h - host LLVM IR to a file ---------------------*- C++
//-*-===//
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

/// Optimises \p host at the job's level with LLVM's standard pipeline and
/// writes what the job asks for. False after printing a diagnostic.
bool emitHostCode(llvm::Module &host, llvm::TargetMachine &machine,
                  const FortranJob &job);

} // namespace cufort

#endif // CUFORT_COMPILER_FORTRAN_HOSTOBJECT_H
