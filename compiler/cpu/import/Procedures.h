//===- Procedures.h - device procedures that stay functions -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_PROCEDURES_H
#define CUFORT_COMPILER_CPU_IMPORT_PROCEDURES_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-procedures. Needs cpu-inline. What is not inlined (recursive procedures,
/// those that are called through pointers or would make a kernel too long)
/// stays a function of its own, called by one thread at a time as any host
/// function is. Leaves those functions and all calls of them marked
/// (ProcedureAttribute), without references to special registers and shared
/// variables: what they read of these comes in one more argument, the address
/// of a record that the kernel fills before each call. What threads do together
/// in such a procedure leaves as calls of the runtime (waitOnFiber), and every
/// kernel that may come there with cufort-fibers.
llvm::Error separateProcedures(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_PROCEDURES_H
