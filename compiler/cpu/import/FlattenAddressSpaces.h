//===- FlattenAddressSpaces.h - one address space ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_FLATTENADDRESSSPACES_H
#define CUFORT_COMPILER_CPU_IMPORT_FLATTENADDRESSSPACES_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-flatten. Needs device IR for NVPTX. Leaves a module with the host's
/// triple and data layout in which every pointer is in address space 0:
/// variables of the shared space carry the attribute cufort-variable=shared,
/// those of the global and the constant space cufort-variable=device unless
/// they are constants of the compiler's own making, those of the constant space
/// cufort-constant, too, managed ones cufort-managed, loads through pointers to
/// constant memory are marked invariant, and kernels carry cufort-kernel.
llvm::Error flattenAddressSpaces(llvm::Module &module,
                                 const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_FLATTENADDRESSSPACES_H
