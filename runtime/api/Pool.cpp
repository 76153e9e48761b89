//===- Pool.cpp - CUDA runtime API: allocation in the order of a stream ---===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/api/RuntimeApi.h"
#include "runtime/check/Allocations.h"
#include "runtime/core/Device.h"
#include <cstring>

// The public header, after the names it needs.

using namespace cufort;

static_assert(sizeof(cudaMemPoolPtrExportData) == sizeof(IpcHandle));

/// The only handles of pools that other processes can get: cudaMemHandleType's
/// number of files.
static constexpr int FileHandle = 1;
/// Those of machines whose GPUs share one fabric.
static constexpr int FabricHandle = 8;

CUFORT_API cudaError_t cudaMallocFromPoolAsync(void **memory, size_t bytes,
                                               cudaMemPool_t pool,
                                               cudaStream_t stream) {
  if (!memory || !pool)
    return recordError(cudaErrorInvalidValue);
  return onDevice(
      [&](Engine &e) { return e.allocateAsync(memory, bytes, pool, stream); });
}

CUFORT_API cudaError_t cudaMallocAsync(void **memory, size_t bytes,
                                       cudaStream_t stream) {
  if (!memory)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    return e.allocateAsync(memory, bytes, nullptr, stream);
  });
}

CUFORT_API cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream) {
  return onDevice([&](Engine &e) {
    return check::checkFree(e.releaseAsync(memory, stream), memory,
                            "cudaFreeAsync");
  });
}

/// cudaMemAllocationType and cudaMemLocationType.
enum { PinnedType = 1, ManagedType = 2 };
enum { DevicePlace = 1, HostPlace = 2, HostNodePlace = 3 };

/// Pools of a device's own memory can be made; what CUDA has beside them, of
/// the host, of managed memory and for fabrics, is not supported.
static Error checkProperties(const cudaMemPoolProps &p) {
  const int place = p.location.type, handles = p.handleTypes;
  for (unsigned char byte : p.reserved)
    if (byte)
      return cudaErrorInvalidValue;
  if ((place == DevicePlace && !deviceAt(p.location.id)) ||
      (place == HostNodePlace && p.location.id))
    return cudaErrorInvalidValue;
  if (p.allocType == ManagedType)
    return handles ? cudaErrorInvalidValue : cudaErrorNotSupported;
  if (p.allocType != PinnedType || place < DevicePlace ||
      place > HostNodePlace ||
      (handles && (place == HostPlace ||
                   (handles != FileHandle && handles != FabricHandle))))
    return cudaErrorInvalidValue;
  if (place != DevicePlace || handles == FabricHandle)
    return cudaErrorNotSupported;
  return p.maxSize > deviceAt(p.location.id)->properties().memoryBytes
             ? cudaErrorMemoryAllocation
             : cudaSuccess;
}

CUFORT_API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                                         const cudaMemPoolProps *properties) {
  if (!pool || !properties)
    return recordError(cudaErrorInvalidValue);
  if (const Error error = checkProperties(*properties); error != cudaSuccess)
    return recordError(error);
  Engine *engine = deviceAt(properties->location.id);
  return onDevice([&](Engine &) {
    return engine->createPool(pool, properties->handleTypes == FileHandle);
  });
}

//===----------------------------------------------------------------------===//
// Other processes
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaMemPoolExportToShareableHandle(void *shared,
                                                          cudaMemPool_t pool,
                                                          int type,
                                                          unsigned flags) {
  if (!shared || !pool || flags || type != FileHandle)
    return recordError(shared && pool && !flags && type > FileHandle
                           ? cudaErrorNotSupported
                           : cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    int file = -1;
    const Error error = e.exportPool(pool, &file);
    if (error == cudaSuccess)
      std::memcpy(shared, &file, sizeof(file));
    return error;
  });
}

CUFORT_API cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool,
                                                            void *shared,
                                                            int type,
                                                            unsigned flags) {
  if (!pool || flags || type != FileHandle)
    return recordError(pool && !flags && type > FileHandle
                           ? cudaErrorNotSupported
                           : cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    return e.importPool(pool,
                        static_cast<int>(reinterpret_cast<intptr_t>(shared)));
  });
}

CUFORT_API cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData *data,
                                                void *memory) {
  if (!data || !memory)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    return e.exportFromPool(memory, reinterpret_cast<IpcHandle *>(data));
  });
}

CUFORT_API cudaError_t cudaMemPoolImportPointer(
    void **memory, cudaMemPool_t pool, cudaMemPoolPtrExportData *data) {
  if (!memory || !pool || !data)
    return recordError(cudaErrorInvalidValue);
  return onDevice([&](Engine &e) {
    return e.importFromPool(pool, *reinterpret_cast<const IpcHandle *>(data),
                            memory);
  });
}

CUFORT_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return onDevice([&](Engine &e) { return e.destroyPool(pool); });
}

/// Calls \p call(Engine &) for device \p device, or returns \p absent where
/// there is none.
template <typename Call>
static cudaError_t onPoolDevice(
    const void *argument, int device, Error absent, Call call,
    const std::source_location &where = std::source_location::current()) {
  const profile::Call recorded(where);
  Engine *engine = deviceAt(device);
  if (!argument || !engine)
    return recordError(argument ? absent : cudaErrorInvalidValue);
  return onDevice([&](Engine &) { return call(*engine); });
}

CUFORT_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool,
                                                   int device) {
  return onPoolDevice(pool, device, cudaErrorInvalidDevice,
                      [&](Engine &e) { return e.defaultPool(pool); });
}

CUFORT_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return onPoolDevice(pool, device, cudaErrorInvalidValue,
                      [&](Engine &e) { return e.currentPool(pool); });
}

CUFORT_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return onPoolDevice(pool, device, cudaErrorInvalidValue,
                      [&](Engine &e) { return e.setCurrentPool(pool); });
}

CUFORT_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) {
  return onDevice([&](Engine &e) { return e.trimPool(pool, bytes); });
}

CUFORT_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
                                               int attribute, void *value) {
  return onDevice(
      [&](Engine &e) { return e.poolAttribute(pool, attribute, value); });
}

CUFORT_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
                                               int attribute, void *value) {
  return onDevice(
      [&](Engine &e) { return e.setPoolAttribute(pool, attribute, value); });
}

//===----------------------------------------------------------------------===//
// Who reaches the memory of a pool
//===----------------------------------------------------------------------===//

CUFORT_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                            const cudaMemAccessDesc *access,
                                            size_t count) {
  if (!pool || (count && !access))
    return recordError(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i)
    if (access[i].location.type != DevicePlace ||
        !deviceAt(access[i].location.id))
      return recordError(access[i].location.type == DevicePlace
                             ? cudaErrorInvalidDevice
                             : cudaErrorNotSupported);
  return onDevice([&](Engine &e) {
    for (size_t i = 0; i < count; ++i)
      if (const Error error =
              e.setPoolAccess(pool, access[i].location.id, access[i].flags);
          error != cudaSuccess)
        return error;
    return cudaSuccess;
  });
}

CUFORT_API cudaError_t cudaMemPoolGetAccess(int *flags, cudaMemPool_t pool,
                                            cudaMemLocation *location) {
  if (!flags || !pool || !location || location->type != 1 ||
      !deviceAt(location->id))
    return recordError(cudaErrorInvalidValue);
  return onDevice(
      [&](Engine &e) { return e.poolAccess(pool, location->id, flags); });
}

// Pools of a device; those of the host and of managed memory cannot be made.

static bool isDevicePlace(const cudaMemLocation *location, int type) {
  return location && location->type == DevicePlace && type == PinnedType;
}

/// The error for others.
static cudaError_t refusePlace(const cudaMemLocation *location, int type) {
  return recordError(location && (type == PinnedType || type == ManagedType)
                         ? cudaErrorNotSupported
                         : cudaErrorInvalidValue);
}

CUFORT_API cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool,
                                                cudaMemLocation *location,
                                                int type) {
  return isDevicePlace(location, type)
             ? onPoolDevice(pool, location->id, cudaErrorInvalidValue,
                            [&](Engine &e) { return e.defaultPool(pool); })
             : refusePlace(location, type);
}

CUFORT_API cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool,
                                         cudaMemLocation *location, int type) {
  const profile::Call recorded;
  return isDevicePlace(location, type)
             ? cudaDeviceGetMemPool(pool, location->id)
             : refusePlace(location, type);
}

CUFORT_API cudaError_t cudaMemSetMemPool(cudaMemLocation *location, int type,
                                         cudaMemPool_t pool) {
  const profile::Call recorded;
  return isDevicePlace(location, type)
             ? cudaDeviceSetMemPool(location->id, pool)
             : refusePlace(location, type);
}
