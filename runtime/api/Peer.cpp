//===- Peer.cpp - CUDA runtime API: other devices, other processes --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/Direction.h"
#include "runtime/core/Device.h"

using namespace cufort;

CUFORT_API cudaError_t cudaDeviceCanAccessPeer(int *result, int device,
                                               int peer) {
  Engine *one = deviceAt(device), *other = deviceAt(peer);
  if (!result || !one || !other)
    return recordError(result ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
  bool can = false;
  const Error error = one->canAccessPeer(*other, &can);
  *result = can;
  return recordError(error);
}

CUFORT_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  Engine *other = deviceAt(peer);
  if (flags || !other)
    return recordError(other ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
  return onDevice([&](Engine &e) { return e.enablePeer(*other); });
}

CUFORT_API cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  Engine *other = deviceAt(peer);
  if (!other)
    return recordError(cudaErrorInvalidDevice);
  return onDevice([&](Engine &e) { return e.disablePeer(*other); });
}

CUFORT_API cudaError_t cudaDeviceGetP2PAttribute(int *value, int attribute,
                                                 int device, int peer) {
  Engine *one = deviceAt(device), *other = deviceAt(peer);
  if (!value)
    return recordError(cudaErrorInvalidValue);
  if (!one || !other || one == other)
    return recordError(cudaErrorInvalidDevice);
  if (attribute < 1 || attribute > 5)
    return recordError(cudaErrorInvalidValue);
  return onDevice(
      [&](Engine &) { return one->peerAttribute(*other, attribute, value); });
}

static cudaError_t copyPeer(void *to, int toDevice, const void *from,
                            int fromDevice, size_t bytes, cudaStream_t stream,
                            bool async) {
  if (!bytes)
    return cudaSuccess;
  Engine *target = deviceAt(toDevice), *source = deviceAt(fromDevice);
  if (!target || !source)
    return recordError(cudaErrorInvalidDevice);
  return directed(to, from, bytes, CopyKind::DeviceToDevice, [&](Engine &e) {
    return e.copyPeer(to, *target, from, *source, bytes, stream, async);
  });
}

CUFORT_API cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from,
                                      int fromDevice, size_t bytes) {
  return copyPeer(to, toDevice, from, fromDevice, bytes, nullptr, false);
}

CUFORT_API cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice,
                                           const void *from, int fromDevice,
                                           size_t bytes, cudaStream_t stream) {
  return copyPeer(to, toDevice, from, fromDevice, bytes, stream, true);
}

//===----------------------------------------------------------------------===//
// Other processes
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle,
                                           void *memory) {
  if (!handle || !memory)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) { return e.exportMemory(memory, handle); });
}

CUFORT_API cudaError_t cudaIpcOpenMemHandle(void **memory,
                                            cudaIpcMemHandle_t handle,
                                            unsigned flags) {
  if (!memory || flags != 1)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) { return e.importMemory(handle, memory); });
}

CUFORT_API cudaError_t cudaIpcCloseMemHandle(void *memory) {
  if (!memory)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) { return e.closeMemory(memory); });
}

CUFORT_API cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle,
                                             cudaEvent_t event) {
  if (!event)
    return recordError(cudaErrorInvalidValue);
  // The event is looked at first.
  return onDevice([&](Engine &e) {
    cudaIpcEventHandle_t exported;
    const Error error = e.exportEvent(event, &exported);
    if (error != cudaSuccess || !handle)
      return error != cudaSuccess ? error : cudaErrorInvalidValue;
    *handle = exported;
    return cudaSuccess;
  });
}

CUFORT_API cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event,
                                              cudaIpcEventHandle_t handle) {
  if (!event)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) { return e.importEvent(handle, event); });
}
