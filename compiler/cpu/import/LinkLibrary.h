//===- LinkLibrary.h - functions without an instruction ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_LINKLIBRARY_H
#define CUFORT_COMPILER_CPU_IMPORT_LINKLIBRARY_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-library. Needs device IR as the device link leaves it. Leaves the bodies
/// of those __nv_* functions that are single instructions of a GPU and nothing
/// like it on the CPU, from cpu.bc in CpuOptions::deviceFolder, and its bodies
/// in place of those of the device library that are PTX. Operations with
/// directed rounding are such functions. The other __nv_* functions are
/// cpu-math's.
llvm::Error linkLibrary(llvm::Module &module, const CpuOptions &options);

/// For a module that the GPU's passes will change before cpu-library sees it:
/// leaves procedures of which only a GPU's body is there as calls, and the
/// complex functions to the GPU.
void leaveToCpuLibrary(llvm::Module &module);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_LINKLIBRARY_H
