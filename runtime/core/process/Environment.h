//===- Environment.h - the environment variables of a program ---*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CORE_PROCESS_ENVIRONMENT_H
#define CUFORT_RUNTIME_CORE_PROCESS_ENVIRONMENT_H

#include <cstddef>

namespace cufort {

enum class DeviceChoice { Auto, Cpu, Cuda };

/// What CUFORT_* and CUDA_* say, read once at the first use of a device. A
/// value that makes no sense stops the program with the values that do.
struct Environment {
  DeviceChoice device = DeviceChoice::Auto; ///< CUFORT_DEVICE
  /// CUFORT_DEVICE_BIND=local-rank: threads that choose no device use the one
  /// whose number is this, modulo the number of devices.
  unsigned boundDevice = 0;
  /// Of the affinity mask, no more than the control group's quota allows, and
  /// this process's share of those that its launcher's processes have.
  unsigned cores;
  unsigned threads; ///< CUFORT_NUM_THREADS; as many as cores
  /// CUFORT_CPU_MEMORY, of each device; 0: their share of physical memory.
  size_t cpuMemoryBytes = 0;
  unsigned cpuDevices = 1; ///< CUFORT_CPU_DEVICES
  bool cpuFibers = false;  ///< CUFORT_CPU_FIBERS
  /// CUFORT_FPE: the exceptions of <cfenv> that end a kernel; with any,
  /// cpuFibers.
  int floatingPointTraps = 0;
  bool cpuGuard = false;       ///< CUFORT_CPU_GUARD
  bool cpuStrict = false;      ///< CUFORT_CPU_STRICT
  bool launchBlocking = false; ///< CUDA_LAUNCH_BLOCKING
  bool strict = false;         ///< CUFORT_STRICT
};

const Environment &environment();

} // namespace cufort

#endif // CUFORT_RUNTIME_CORE_PROCESS_ENVIRONMENT_H
