//===- CompileForGpu.h - device code to PTX ---------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_COMPILEFORGPU_H
#define CUFORT_COMPILER_GPU_COMPILEFORGPU_H

#include "compiler/common/PassRunner.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace cufort {

struct GpuOptions {
  unsigned architecture = 70; ///< 70 is sm_70; the PTX runs on all newer ones
  bool optimise = true;       ///< false: for a debugger (-gpu=debug)
  bool fastMath = false; ///< approximate division, square root and functions
  bool flushDenormals = false; ///< single precision
  bool contract = true;        ///< fused multiply-add
  bool lineInfo = false;       ///< .loc directives, for profilers
  unsigned maxRegisters = 0;   ///< per thread; 0: no limit
  std::string libdevice; ///< NVIDIA's math bitcode; empty: our own, of libclc
  std::string deviceFolder; ///< the folder of our own device bitcode
  PassOptions passes;       ///< of the passes in Pipeline.cpp
};

/// Compiles \p device, which is left as it is, to PTX for
/// GpuOptions::architecture. Every function that a kernel calls must be defined
/// in it, except intrinsics and the `__nv_*` functions, which are linked in
/// here. An error is a finished message.
llvm::Expected<std::string> compileForGpu(const llvm::Module &device,
                                          const GpuOptions &options);

/// The target that passes ask, for pointers of 64 bits; the code generator's
/// has some of 32.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createGpuTarget(const llvm::Module &module, const GpuOptions &options);

/// The first part of compileForGpu: \p device as the code generator gets it,
/// still device IR.
llvm::Expected<std::unique_ptr<llvm::Module>>
optimiseForGpu(const llvm::Module &device, const GpuOptions &options);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_COMPILEFORGPU_H
