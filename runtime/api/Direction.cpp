//===- Direction.cpp - where the memory of copies and fills lies ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Direction.h"
#include "runtime/check/Check.h"

using namespace cufort;

/// Whether \p pointer is what a side on the device may be; \p inGraph: also
/// what is of a graph and absent until that is launched.
static bool fits(Engine &e, const void *pointer, bool inGraph = false) {
  PointerDescription d;
  return !pointer || e.describe(pointer, &d) != cudaSuccess ||
         (d.type != PointerDescription::Unregistered &&
          (inGraph || !d.isAbsent));
}

static Error checkSides(Engine &e, const void *to, const void *from,
                        cudaMemcpyKind kind, bool inGraph) {
  if (!e.deviceMemoryIsHostMemory())
    return cudaSuccess;
  // As in CUDA: a side on the host may be anything.
  const bool toDevice =
      kind == CopyKind::HostToDevice || kind == CopyKind::DeviceToDevice;
  const bool fromDevice =
      kind == CopyKind::DeviceToHost || kind == CopyKind::DeviceToDevice;
  return (!toDevice || fits(e, to, inGraph)) &&
                 (!fromDevice || fits(e, from, inGraph))
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

Error cufort::checkDirection(Engine &e, const void *to, const void *from,
                             cudaMemcpyKind kind) {
  const Error error = checkSides(e, to, from, kind, /*inGraph=*/false);
  if (error != cudaSuccess) {
    check::refusedCopy(to, "write");
    check::refusedCopy(from, "read");
  }
  return error;
}

Error cufort::checkNodeDirection(Engine &e, const void *to, const void *from,
                                 cudaMemcpyKind kind) {
  return kind < CopyKind::HostToHost || kind > CopyKind::Default
             ? cudaErrorInvalidMemcpyDirection
             : checkSides(e, to, from, kind, /*inGraph=*/true);
}

Error cufort::checkDeviceMemory(Engine &e, const void *memory) {
  if (!e.deviceMemoryIsHostMemory() || fits(e, memory))
    return cudaSuccess;
  check::refusedCopy(memory, "write");
  return cudaErrorInvalidValue;
}
