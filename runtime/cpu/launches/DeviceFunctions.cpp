//===- DeviceFunctions.cpp - what kernels call ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/launches/DeviceFunctions.h"
#include "runtime/core/process/Process.h"

namespace cufort::cpu {

constinit const DeviceFunctions OwnDeviceFunctions = {
#define CUFORT_DEVICE_FUNCTION(result, name, parameters, arguments)            \
  &device::name,
#include "runtime/cpu/launches/DeviceFunctions.def"
};

/// Those of the copy that has made the engines; without engines this one's.
static const DeviceFunctions &functions() {
  const DeviceFunctions *made =
      process().deviceFunctions.load(std::memory_order_relaxed);
  return made ? *made : OwnDeviceFunctions;
}

} // namespace cufort::cpu

#define CUFORT_DEVICE_FUNCTION(result, name, parameters, arguments)            \
  result __cufort_cpu_##name parameters {                                      \
    return cufort::cpu::functions().name arguments;                            \
  }
#include "runtime/cpu/launches/DeviceFunctions.def"
