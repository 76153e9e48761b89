//===- Peers.cpp - the CPU as several devices, in several processes -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/CpuEngine.h"

namespace cufort::cpu {

// All CPU devices share one memory, so peers are reached in any case; what is
// enabled is only kept to answer as CUDA does.

static size_t numberOf(Engine &engine) {
  for (size_t i = 0; i < cpuEngines().size(); ++i)
    if (cpuEngines()[i] == &engine)
      return i;
  return cpuEngines().size();
}

Error CpuEngine::canAccessPeer(Engine &peer, bool *result) {
  *result = &peer != this;
  return cudaSuccess;
}

Error CpuEngine::enablePeer(Engine &peer) {
  if (&peer == this)
    return cudaErrorInvalidDevice;
  const size_t number = numberOf(peer);
  std::lock_guard lock(mutex);
  if (peers.size() <= number)
    peers.resize(number + 1);
  if (peers[number])
    return cudaErrorPeerAccessAlreadyEnabled;
  peers[number] = true;
  return cudaSuccess;
}

Error CpuEngine::disablePeer(Engine &peer) {
  const size_t number = numberOf(peer);
  std::lock_guard lock(mutex);
  if (number >= peers.size() || !peers[number])
    return cudaErrorPeerAccessNotEnabled;
  peers[number] = false;
  return cudaSuccess;
}

Error CpuEngine::copyPeer(void *to, Engine &toDevice, const void *from,
                          Engine &fromDevice, size_t bytes, StreamHandle stream,
                          bool async) {
  if (async)
    return copyAsync(to, from, bytes, CopyKind::DeviceToDevice, stream);
  // A copy between devices waits for the work of both.
  for (Engine *device : {&toDevice, &fromDevice})
    if (Error error = device->synchronize(); error != cudaSuccess)
      return error;
  return copy(to, from, bytes, CopyKind::DeviceToDevice);
}

Error CpuEngine::exportMemory(void *, IpcHandle *) {
  return cudaErrorNotSupported;
}

Error CpuEngine::importMemory(const IpcHandle &, void **) {
  return cudaErrorNotSupported;
}

Error CpuEngine::closeMemory(void *) { return cudaErrorInvalidValue; }

Error CpuEngine::exportEvent(EventHandle, IpcHandle *) {
  return cudaErrorNotSupported;
}

Error CpuEngine::importEvent(const IpcHandle &, EventHandle *) {
  return cudaErrorNotSupported;
}

} // namespace cufort::cpu
