//===- Direction.cpp - where the memory of copies and fills lies ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Direction.h"

using namespace cufort;

/// Whether \p pointer is what a side on the device, or on the host, may be.
static bool fits(Engine &e, const void *pointer, bool onDevice) {
  PointerDescription d;
  if (!pointer || e.describe(pointer, &d) != cudaSuccess)
    return true;
  return onDevice ? d.type != PointerDescription::Unregistered
                  : d.type != PointerDescription::Device;
}

Error cufort::checkDirection(Engine &e, const void *to, const void *from,
                             cudaMemcpyKind kind) {
  if (!e.deviceMemoryIsHostMemory() || kind >= CopyKind::Default)
    return cudaSuccess;
  const bool toDevice =
      kind == CopyKind::HostToDevice || kind == CopyKind::DeviceToDevice;
  const bool fromDevice =
      kind == CopyKind::DeviceToHost || kind == CopyKind::DeviceToDevice;
  return fits(e, to, toDevice) && fits(e, from, fromDevice)
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

Error cufort::checkDeviceMemory(Engine &e, const void *memory) {
  return !e.deviceMemoryIsHostMemory() || fits(e, memory, true)
             ? cudaSuccess
             : cudaErrorInvalidValue;
}
