//===- DeviceMath.h - the math functions of device code ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_COMPILER_GPU_MATH_DEVICEMATH_H
#define CUFORT_COMPILER_GPU_MATH_DEVICEMATH_H

#include "compiler/gpu/CompileForGpu.h"

namespace cufort {

/// Defines the `__nv_*` functions that \p module declares and uses, as internal
/// functions, from libdevice or from our own bitcode (device/). What libdevice
/// asks through __nvvm_reflect is answered as far as LLVM does not. Afterwards
/// no `__nv_*` is undefined; an error names the first that neither has. Those
/// without pointers say that they only compute.
llvm::Error linkDeviceMath(llvm::Module &module, const GpuOptions &options);

} // namespace cufort

#endif // CUFORT_COMPILER_GPU_MATH_DEVICEMATH_H
