//===- Direction.h - where the memory of copies and fills lies --*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU's driver finds out by itself that an address is not the device's. Where
// device memory is the host's, a write to what has been freed succeeds, and
// what it destroys may be the host's by now: there it is found out here.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_RUNTIME_API_DIRECTION_H
#define CUFORT_RUNTIME_API_DIRECTION_H

#include "runtime/api/RuntimeApi.h"
#include "runtime/core/Device.h"

namespace cufort {

/// Whether the direction of a copy agrees with the memory its sides lie in. A
/// side that is null, for it is an array or somebody else's error, agrees.
Error checkDirection(Engine &engine, const void *to, const void *from,
                     cudaMemcpyKind kind);

/// The same for a node of a graph, which may use what the graph allocates when
/// it is launched, and for any number as a direction.
Error checkNodeDirection(Engine &engine, const void *to, const void *from,
                         cudaMemcpyKind kind);

/// Whether a device may write \p memory: its own, managed or page-locked.
Error checkDeviceMemory(Engine &engine, const void *memory);

/// Calls \p copy(Engine &) if the direction is right.
template <typename Copy>
Error directed(
    const void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
    Copy copy,
    const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  return onDevice([&](Engine &e) {
    const Error error = bytes ? checkDirection(e, to, from, kind) : cudaSuccess;
    return error == cudaSuccess ? copy(e) : error;
  });
}

/// Calls \p fill(Engine &) if there are bytes to be filled and they are a
/// device's.
template <typename Fill>
Error filled(
    const void *to, size_t bytes, Fill fill,
    const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  return onDevice([&](Engine &e) {
    const Error error = bytes ? checkDeviceMemory(e, to) : cudaSuccess;
    return error == cudaSuccess ? fill(e) : error;
  });
}

} // namespace cufort

#endif // CUFORT_RUNTIME_API_DIRECTION_H
