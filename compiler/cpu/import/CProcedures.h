//===- CProcedures.h - what CUDA C++ calls of its system --------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_CPROCEDURES_H
#define CUFORT_COMPILER_CPU_IMPORT_CPROCEDURES_H

#include "llvm/IR/Module.h"

namespace cufort::cpu {

/// Needs device IR. Of the functions that a GPU's driver brings with it,
/// vprintf and __assertfail become the runtime's, which know the thread and the
/// block: __cufort_cpu_vprintf(format, arguments) and __cufort_cpu_assertfail(
/// message, file, line, function, block x, y, z, thread x, y, z). malloc and
/// free are the C library's under the same names. cudaGraphSetConditional
/// stores to its first argument, which is an address on the CPU.
void takeCProceduresFromRuntime(llvm::Module &module);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_CPROCEDURES_H
