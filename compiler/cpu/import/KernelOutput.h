//===- KernelOutput.h - print and stop in kernels on the CPU ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_CPU_IMPORT_KERNELOUTPUT_H
#define CUFORT_COMPILER_CPU_IMPORT_KERNELOUTPUT_H

#include "llvm/IR/Module.h"

namespace cufort::cpu {

/// Part of cpu-host-functions. What the device library's functions for output,
/// stop (image/KernelOutput.h) and launches of kernels by kernels
/// (image/DeviceLaunches.h) do on a GPU goes: they become declarations of the
/// runtime's. So does what a barrier of the grid does, of which cpu-intrinsics
/// makes a mark.
void takeFunctionsFromRuntime(llvm::Module &module);

/// Part of cpu-host-functions. Where no thread comes because a call has ended
/// the program, control flow goes on as if the call returned: to where the
/// threads are that do not stop, so that a stop behind a condition does not
/// look like threads that leave before a barrier.
void continueAfterStops(llvm::Module &module);

} // namespace cufort::cpu

#endif // CUFORT_COMPILER_CPU_IMPORT_KERNELOUTPUT_H
