//===- CompileForGpu.h - device code to PTX ---------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_COMPILEFORGPU_H
#define CUFORT_COMPILER_GPU_COMPILEFORGPU_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class Module;
}

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
};

/// Compiles \p device, which is left as it is, to PTX for
/// GpuOptions::architecture. Every function that a kernel calls must be defined
/// in it, except intrinsics and the `__nv_*` functions, which are linked in
/// here. An error is a finished message.
llvm::Expected<std::string> compileForGpu(const llvm::Module &device,
                                          const GpuOptions &options);

/// The first part of compileForGpu: \p device as the code generator gets it,
/// still device IR.
llvm::Expected<std::unique_ptr<llvm::Module>>
optimiseForGpu(const llvm::Module &device, const GpuOptions &options);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_COMPILEFORGPU_H
