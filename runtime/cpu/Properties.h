//===- Properties.h - what the CPU says of itself ---------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_CPU_PROPERTIES_H
#define CUFORT_RUNTIME_CPU_PROPERTIES_H

#include "runtime/core/engine/Engine.h"

namespace cufort::cpu {

/// The CPU as a CUDA device: \p threads cores as multiprocessors, the limits
/// of a current GPU for launches.
DeviceProperties describeCpu(unsigned threads, image::CpuLevel level,
                             size_t memoryBytes);

/// The value of cudaDeviceAttr \p attribute for the CPU; cudaErrorInvalidValue
/// for a number that CUDA does not have.
Error cpuAttribute(const DeviceProperties &properties, int attribute,
                   int *value);

} // namespace cufort::cpu

#endif // CUFORT_RUNTIME_CPU_PROPERTIES_H
