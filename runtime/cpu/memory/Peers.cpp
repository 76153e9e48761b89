//===- Peers.cpp - the CPU as several devices, in several processes -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/process/FaultInjection.h"
#include "runtime/cpu/CpuEngine.h"
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

Error CpuEngine::peerAttribute(Engine &peer, int attribute, int *value) {
  // A rank among links, all the same; what they can do: everything; whether
  // that is only a part of the atomic operations.
  *value = attribute >= 2 && attribute <= 4 && &peer != this;
  return cudaSuccess;
}

Error CpuEngine::enablePeer(Engine &peer) {
  if (&peer == this)
    return cudaErrorPeerAccessUnsupported;
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
  if (async) {
    // As in CUDA, where graphs do not copy between devices.
    if (Stream *place = findAny(stream))
      if (Error error = graphSet.refuseCaptured(*place); error != cudaSuccess)
        return error;
    return copyAsync(to, from, bytes, CopyKind::DeviceToDevice, stream);
  }
  // A copy between devices waits for the work of both.
  for (Engine *device : {&toDevice, &fromDevice})
    if (Error error = device->synchronize(); error != cudaSuccess)
      return error;
  return copy(to, from, bytes, CopyKind::DeviceToDevice);
}

//===----------------------------------------------------------------------===//
// Other processes
//===----------------------------------------------------------------------===//

namespace {

/// What an IpcHandle holds: a file that the other process opens by way of
/// /proc.
struct SharedMemory {
  char magic[8];
  int process, file;
  size_t bytes;
};
static_assert(sizeof(SharedMemory) <= sizeof(IpcHandle));

constexpr char Magic[8] = {'c', 'u', 'f', 'o', 'r', 't', 'S', 'M'};

} // namespace

Error CpuEngine::exportMemory(void *pointer, IpcHandle *handle) {
  for (CpuEngine *engine : cpuEngines())
    engine->scheduler.waitAll();
  SharedMemory shared{};
  std::memcpy(shared.magic, Magic, sizeof(Magic));
  shared.process = getpid();
  if (Error error = Memory::share(pointer, &shared.file, &shared.bytes);
      error != cudaSuccess)
    return error;
  *handle = {};
  std::memcpy(handle, &shared, sizeof(shared));
  return cudaSuccess;
}

Error CpuEngine::importMemory(const IpcHandle &handle, void **pointer) {
  return openShared(handle, pointer, nullptr);
}

Error CpuEngine::openShared(const IpcHandle &handle, void **pointer,
                            const std::shared_ptr<Pool> &pool) {
  SharedMemory shared;
  std::memcpy(&shared, &handle, sizeof(shared));
  if (std::memcmp(shared.magic, Magic, sizeof(Magic)) != 0)
    return cudaErrorInvalidValue;
  char path[64];
  std::snprintf(path, sizeof(path), "/proc/%d/fd/%d", shared.process,
                shared.file);
  const int file = open(path, O_RDWR | O_CLOEXEC);
  struct stat status;
  if (file < 0)
    return cudaErrorInvalidResourceHandle; // The other process has ended.
  const Error error =
      fstat(file, &status) || static_cast<size_t>(status.st_size) < shared.bytes
          ? cudaErrorInvalidResourceHandle
          : memory.import(file, shared.bytes, pointer, pool);
  close(file);
  return error;
}

// A pool's file says that it is one; allocations are shared one by one.

static constexpr char PoolMagic[8] = {'c', 'u', 'f', 'o', 'r', 't', 'M', 'P'};

Error CpuEngine::makePoolFile(int *file) {
  const int made =
      faultDue("map") ? -1 : memfd_create("cufort-pool", MFD_CLOEXEC);
  if (made < 0)
    return cudaErrorOperatingSystem;
  if (pwrite(made, PoolMagic, sizeof(PoolMagic), 0) != sizeof(PoolMagic)) {
    close(made);
    return cudaErrorOperatingSystem;
  }
  *file = made;
  return cudaSuccess;
}

Error CpuEngine::exportPool(PoolHandle handle, int *file) {
  const std::shared_ptr<Pool> pool = handle ? findPool(handle) : nullptr;
  if (!pool || pool->imported || pool->file < 0)
    return cudaErrorInvalidValue;
  const int copy = fcntl(pool->file, F_DUPFD_CLOEXEC, 0);
  if (copy < 0)
    return cudaErrorOperatingSystem;
  *file = copy;
  return cudaSuccess;
}

Error CpuEngine::importPool(PoolHandle *handle, int file) {
  char found[sizeof(PoolMagic)];
  if (pread(file, found, sizeof(found), 0) != sizeof(found) ||
      std::memcmp(found, PoolMagic, sizeof(found)) != 0)
    return cudaErrorInvalidValue;
  auto pool = std::make_shared<Pool>();
  pool->device = ordinal;
  pool->imported = true;
  std::lock_guard lock(mutex);
  pools.push_back(std::move(pool));
  *handle = pools.back().get();
  return cudaSuccess;
}

Error CpuEngine::exportFromPool(void *pointer, IpcHandle *handle) {
  const auto found = Memory::find(pointer);
  if (!found || !found->pool || found->pool->file < 0 ||
      found->begin != pointer)
    return cudaErrorInvalidValue;
  return exportMemory(pointer, handle);
}

Error CpuEngine::importFromPool(PoolHandle handle, const IpcHandle &description,
                                void **pointer) {
  const std::shared_ptr<Pool> pool = handle ? findPool(handle) : nullptr;
  return pool && pool->imported ? openShared(description, pointer, pool)
                                : cudaErrorInvalidValue;
}

Error CpuEngine::closeMemory(void *pointer) {
  scheduler.waitAll();
  return Memory::closeImported(pointer);
}

} // namespace cufort::cpu
