//===- DeviceFunctions.h - what kernels call --------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of the runtime that generated code calls on the CPU. They work
// on what the engine keeps for the thread that runs the kernel. Where a process
// has several copies of the runtime (core/process/Process.h), a kernel may call
// those of another copy than the one that made the engines: so under the names
// that generated code knows there are functions that call the latter's.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_LAUNCHES_DEVICEFUNCTIONS_H
#define CUFORT_RUNTIME_CPU_LAUNCHES_DEVICEFUNCTIONS_H

#include "image/Check.h"
#include "image/Image.h"
#include <cstdint>

// Under the names that generated code knows.
#define CUFORT_DEVICE_FUNCTION(result, name, parameters, arguments)            \
  extern "C" __attribute__((                                                   \
      visibility("default"))) result __cufort_cpu_##name parameters;
#include "runtime/cpu/launches/DeviceFunctions.def"

namespace cufort::cpu {

/// This copy's, which are to be called by way of DeviceFunctions.
namespace device {
#define CUFORT_DEVICE_FUNCTION(result, name, parameters, arguments)            \
  result name parameters;
#include "runtime/cpu/launches/DeviceFunctions.def"
} // namespace device

struct DeviceFunctions {
#define CUFORT_DEVICE_FUNCTION(result, name, parameters, arguments)            \
  decltype(&device::name) name;
#include "runtime/cpu/launches/DeviceFunctions.def"
};

/// This copy's.
extern const DeviceFunctions OwnDeviceFunctions;

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_LAUNCHES_DEVICEFUNCTIONS_H
