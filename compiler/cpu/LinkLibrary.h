//===- LinkLibrary.h - functions without an instruction ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_LINKLIBRARY_H
#define CUFORT_COMPILER_CPU_LINKLIBRARY_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// Pass cpu-library. Needs device IR as the device link leaves it. Leaves the
/// bodies of those __nv_* functions that are single instructions of a GPU and
/// nothing like it on the CPU, from cpu.bc in CpuOptions::deviceFolder, and its
/// bodies in place of those of the device library that are PTX. The other
/// __nv_* functions are cpu-math's.
llvm::Error linkLibrary(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_LINKLIBRARY_H
