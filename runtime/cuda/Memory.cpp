//===- Memory.cpp - memory of NVIDIA devices beyond plain allocations -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/KernelOutput.h"
#include "runtime/core/StreamNumbers.h"
#include "runtime/cuda/CudaEngine.h"
#include <dlfcn.h>

namespace cufort::cuda {
namespace {

CUstream streamOf(StreamHandle stream) {
  return static_cast<CUstream>(handleOf(stream));
}

CUdeviceptr address(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

CUmemoryPool poolOf(PoolHandle pool) { return static_cast<CUmemoryPool>(pool); }

} // namespace

#define BIND()                                                                 \
  if (Error bindError = bind(); bindError != cudaSuccess)                      \
  return bindError

Error CudaEngine::limit(int number, size_t *value) {
  BIND();
  if (number == OutputLimit) {
    *value = outputBufferBytes();
    return cudaSuccess;
  }
  return errorOf(driver.contextGetLimit(value, number));
}

Error CudaEngine::setLimit(int number, size_t value) {
  BIND();
  // The driver keeps what C's printf has written, which the same limit bounds.
  const Error error = errorOf(driver.contextSetLimit(number, value));
  if (error != cudaSuccess || number != OutputLimit)
    return error;
  // It may not have as much as is asked for.
  size_t most = value;
  if (CUresult code = driver.contextGetLimit(&most, number))
    return errorOf(code);
  return setOutputBytes(std::min(value, most));
}

Error CudaEngine::driverFunction(const char *symbol, void **function) {
  BIND();
  *function = dlsym(driver.library, symbol);
  return *function ? cudaSuccess : cudaErrorCallRequiresNewerDriver;
}

size_t CudaEngine::usedBytes() {
  size_t free = 0, total = 0;
  return memoryInformation(&free, &total) == cudaSuccess ? total - free : 0;
}

Error CudaEngine::memoryInformation(size_t *free, size_t *total) {
  BIND();
  return errorOf(driver.memGetInfo(free, total));
}

Error CudaEngine::profile(bool start) {
  BIND();
  return errorOf(start ? driver.profilerStart() : driver.profilerStop());
}

Error CudaEngine::cacheConfiguration(int *configuration) {
  BIND();
  return errorOf(driver.contextGetCacheConfig(configuration));
}

Error CudaEngine::resetPersistingCache() {
  BIND();
  return errorOf(driver.contextResetPersistingCache());
}

Error CudaEngine::setCacheConfiguration(int configuration) {
  BIND();
  return errorOf(driver.contextSetCacheConfig(configuration));
}

Error CudaEngine::setCacheConfiguration(const KernelReference &kernel,
                                        int configuration) {
  LoadedProgram *program;
  CUfunction function;
  if (Error error = functionOf(kernel, &program, &function);
      error != cudaSuccess)
    return error;
  return errorOf(driver.functionSetCacheConfig(function, configuration));
}

//===----------------------------------------------------------------------===//
// Host and managed memory
//===----------------------------------------------------------------------===//

Error CudaEngine::registerHost(void *memory, size_t bytes, unsigned flags) {
  BIND();
  return errorOf(driver.memHostRegister(memory, bytes, flags));
}

Error CudaEngine::unregisterHost(void *memory) {
  BIND();
  return errorOf(driver.memHostUnregister(memory));
}

Error CudaEngine::hostFlags(const void *memory, unsigned *flags) {
  BIND();
  return errorOf(driver.memHostGetFlags(flags, const_cast<void *>(memory)));
}

Error CudaEngine::prefetch(const void *memory, size_t bytes, int where,
                           StreamHandle stream) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  return errorOf(
      driver.memPrefetchAsync(address(memory), bytes, where, streamOf(stream)));
}

Error CudaEngine::advise(const void *memory, size_t bytes, int advice,
                         int where) {
  BIND();
  return errorOf(driver.memAdvise(address(memory), bytes, advice, where));
}

Error CudaEngine::rangeAttribute(void *data, size_t dataBytes, int attribute,
                                 const void *memory, size_t bytes) {
  BIND();
  return errorOf(driver.memRangeGetAttribute(data, dataBytes, attribute,
                                             address(memory), bytes));
}

Error CudaEngine::attach(StreamHandle stream, void *memory, size_t bytes,
                         unsigned flags) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  // Drivers die of flags that are none.
  if (!isAttachment(flags))
    return cudaErrorInvalidValue;
  return errorOf(driver.streamAttachMemAsync(streamOf(stream), address(memory),
                                             bytes, flags));
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

Error CudaEngine::allocateAsync(void **memory, size_t bytes, PoolHandle pool,
                                StreamHandle stream) {
  *memory = nullptr;
  if (!bytes)
    return cudaSuccess;
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  CUdeviceptr pointer = 0;
  const CUresult code =
      pool ? driver.memAllocFromPoolAsync(&pointer, bytes, poolOf(pool),
                                          streamOf(stream))
           : driver.memAllocAsync(&pointer, bytes, streamOf(stream));
  *memory = reinterpret_cast<void *>(pointer);
  return errorOf(code);
}

Error CudaEngine::releaseAsync(void *memory, StreamHandle stream) {
  if (!memory)
    return cudaSuccess;
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  return errorOf(driver.memFreeAsync(address(memory), streamOf(stream)));
}

/// CUmemAllocationHandleType: the only one that is used.
static constexpr int PoolFile = 1;

Error CudaEngine::exportPool(PoolHandle pool, int *file) {
  BIND();
  return pool ? errorOf(driver.poolExport(file, poolOf(pool), PoolFile, 0))
              : cudaErrorInvalidValue;
}

Error CudaEngine::importPool(PoolHandle *pool, int file) {
  BIND();
  CUmemoryPool made = nullptr;
  const CUresult code = driver.poolImport(
      &made, reinterpret_cast<void *>(static_cast<intptr_t>(file)), PoolFile,
      0);
  *pool = made;
  return errorOf(code);
}

Error CudaEngine::exportFromPool(void *memory, IpcHandle *handle) {
  BIND();
  return errorOf(driver.poolExportPointer(handle, address(memory)));
}

Error CudaEngine::importFromPool(PoolHandle pool, const IpcHandle &handle,
                                 void **memory) {
  BIND();
  if (!pool)
    return cudaErrorInvalidValue;
  IpcHandle description = handle;
  CUdeviceptr pointer = 0;
  const CUresult code =
      driver.poolImportPointer(&pointer, poolOf(pool), &description);
  *memory = reinterpret_cast<void *>(pointer);
  return errorOf(code);
}

Error CudaEngine::createPool(PoolHandle *pool, bool shareable) {
  BIND();
  PoolProperties properties;
  properties.location = device;
  properties.handleTypes = shareable ? PoolFile : 0;
  CUmemoryPool created = nullptr;
  const CUresult code = driver.poolCreate(&created, &properties);
  *pool = created;
  return errorOf(code);
}

Error CudaEngine::destroyPool(PoolHandle pool) {
  BIND();
  return pool ? errorOf(driver.poolDestroy(poolOf(pool)))
              : cudaErrorInvalidValue;
}

Error CudaEngine::defaultPool(PoolHandle *pool) {
  BIND();
  CUmemoryPool found = nullptr;
  const CUresult code = driver.deviceGetDefaultPool(&found, device);
  *pool = found;
  return errorOf(code);
}

Error CudaEngine::currentPool(PoolHandle *pool) {
  BIND();
  CUmemoryPool found = nullptr;
  const CUresult code = driver.deviceGetPool(&found, device);
  *pool = found;
  return errorOf(code);
}

Error CudaEngine::setCurrentPool(PoolHandle pool) {
  BIND();
  return pool ? errorOf(driver.deviceSetPool(device, poolOf(pool)))
              : cudaErrorInvalidValue;
}

Error CudaEngine::trimPool(PoolHandle pool, size_t bytesToKeep) {
  BIND();
  return pool ? errorOf(driver.poolTrimTo(poolOf(pool), bytesToKeep))
              : cudaErrorInvalidValue;
}

Error CudaEngine::poolAttribute(PoolHandle pool, int attribute, void *value) {
  BIND();
  return pool && value
             ? errorOf(driver.poolGetAttribute(poolOf(pool), attribute, value))
             : cudaErrorInvalidValue;
}

Error CudaEngine::poolAccess(PoolHandle pool, int number, int *flags) {
  BIND();
  Location location{Location::Device, number};
  return pool ? errorOf(driver.poolGetAccess(flags, poolOf(pool), &location))
              : cudaErrorInvalidValue;
}

Error CudaEngine::setPoolAccess(PoolHandle pool, int number, int flags) {
  BIND();
  const AccessDescription access{{Location::Device, number}, flags};
  return pool ? errorOf(driver.poolSetAccess(poolOf(pool), &access, 1))
              : cudaErrorInvalidValue;
}

Error CudaEngine::setPoolAttribute(PoolHandle pool, int attribute,
                                   const void *value) {
  BIND();
  return pool && value
             ? errorOf(driver.poolSetAttribute(poolOf(pool), attribute,
                                               const_cast<void *>(value)))
             : cudaErrorInvalidValue;
}

//===----------------------------------------------------------------------===//
// Peers and other processes
//===----------------------------------------------------------------------===//

CUcontext CudaEngine::contextOf(Engine &other, Error *error) {
  auto &engine = static_cast<CudaEngine &>(other);
  *error = engine.bind();
  if (Error back = bind(); *error == cudaSuccess)
    *error = back;
  return engine.context.load(std::memory_order_acquire);
}

Error CudaEngine::canAccessPeer(Engine &peer, bool *result) {
  int can = 0;
  const CUresult code = driver.deviceCanAccessPeer(
      &can, device, static_cast<CudaEngine &>(peer).device);
  *result = can;
  return errorOf(code);
}

Error CudaEngine::peerAttribute(Engine &peer, int attribute, int *value) {
  return errorOf(driver.deviceGetPeerAttribute(
      value, attribute, device, static_cast<CudaEngine &>(peer).device));
}

Error CudaEngine::enablePeer(Engine &peer) {
  if (&peer == this)
    return cudaErrorPeerAccessUnsupported;
  Error error;
  CUcontext other = contextOf(peer, &error);
  return error != cudaSuccess ? error : errorOf(driver.enablePeer(other, 0));
}

Error CudaEngine::disablePeer(Engine &peer) {
  Error error;
  CUcontext other = contextOf(peer, &error);
  return error != cudaSuccess ? error : errorOf(driver.disablePeer(other));
}

Error CudaEngine::copyPeer(void *to, Engine &toDevice, const void *from,
                           Engine &fromDevice, size_t bytes,
                           StreamHandle stream, bool async) {
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  if (!bytes)
    return cudaSuccess;
  if (!to || !from)
    return cudaErrorInvalidValue;
  Error error;
  CUcontext toContext = contextOf(toDevice, &error);
  if (error != cudaSuccess)
    return error;
  CUcontext fromContext = contextOf(fromDevice, &error);
  if (error != cudaSuccess)
    return error;
  if (async)
    return errorOf(driver.copyPeerAsync(address(to), toContext, address(from),
                                        fromContext, bytes, streamOf(stream)));
  return waited(driver.copyPeer(address(to), toContext, address(from),
                                fromContext, bytes));
}

Error CudaEngine::exportMemory(void *memory, IpcHandle *handle) {
  BIND();
  return errorOf(driver.ipcGetMemHandle(handle, address(memory)));
}

Error CudaEngine::importMemory(const IpcHandle &handle, void **memory) {
  BIND();
  CUdeviceptr pointer = 0;
  // 1: peers get access as needed, the only flag there is.
  const CUresult code = driver.ipcOpenMemHandle(&pointer, handle, 1);
  *memory = reinterpret_cast<void *>(pointer);
  return errorOf(code);
}

Error CudaEngine::closeMemory(void *memory) {
  BIND();
  return errorOf(driver.ipcCloseMemHandle(address(memory)));
}

} // namespace cufort::cuda
