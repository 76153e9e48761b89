//===- KernelEntries.h - kernels as block entries ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_BLOCK_KERNELENTRIES_H
#define CUFORT_COMPILER_CPU_BLOCK_KERNELENTRIES_H

#include "compiler/cpu/CpuOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cufort::cpu {

/// cpu-entry. Needs cpu-intrinsics. Leaves every kernel with the signature of
/// image::CpuBlockEntry: an entry block (the prologue) that reads the
/// parameters from the argument buffer and the block index and the shapes from
/// the launch, and branches to what was the kernel. A parameter passed by value
/// is used in the buffer where it is only read and copied per thread where it
/// is written. Thread indices stay as llvm.nvvm.read.ptx.sreg.tid.*, everything
/// else that reads a special register is gone.
llvm::Error makeBlockEntries(llvm::Module &module, const CpuOptions &options);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_BLOCK_KERNELENTRIES_H
