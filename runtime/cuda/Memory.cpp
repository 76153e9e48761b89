//===- Memory.cpp - memory of NVIDIA devices beyond plain allocations -----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/KernelOutput.h"
#include "runtime/core/StreamNumbers.h"
#include "runtime/cuda/CudaEngine.h"
#include "runtime/cuda/Destruction.h"
#include <algorithm>
#include <unordered_map>

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
  return error == cudaSuccess && number == OutputLimit ? setOutputBytes(value)
                                                       : error;
}

Error CudaEngine::profile(bool start) {
  BIND();
  return errorOf(start ? driver.profilerStart() : driver.profilerStop());
}

Error CudaEngine::cacheConfiguration(int *configuration) {
  BIND();
  return errorOf(driver.contextGetCacheConfig(configuration));
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

Error CudaEngine::createPool(PoolHandle *pool) {
  BIND();
  PoolProperties properties;
  properties.location = device;
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

Error CudaEngine::setPoolAttribute(PoolHandle pool, int attribute,
                                   const void *value) {
  BIND();
  return pool && value
             ? errorOf(driver.poolSetAttribute(poolOf(pool), attribute,
                                               const_cast<void *>(value)))
             : cudaErrorInvalidValue;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

namespace {

/// The shapes of all arrays: the driver's formats say less than the runtime's.
struct Arrays {
  std::mutex mutex;
  std::unordered_map<ArrayHandle, ArrayShape> shapes;
};

Arrays &arrays() {
  static auto *instance = new Arrays;
  return *instance;
}

} // namespace

// Signed integers are 8, 9, 10, unsigned ones 1, 2, 3, reals 16 and 32.
int driverFormat(const ChannelFormat &format) {
  const int bits = format.bits[0];
  const int size = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : -1;
  if (size < 0)
    return 0;
  switch (format.kind) {
  case 0:
    return 8 + size;
  case 1:
    return 1 + size;
  case 2:
    return size == 1 ? 16 : size == 2 ? 32 : 0;
  default:
    return 0;
  }
}

Error CudaEngine::createArray(ArrayHandle *array, const ArrayShape &shape) {
  BIND();
  unsigned channels = 0;
  for (int bits : shape.format.bits)
    if (bits) {
      if (bits != shape.format.bits[0])
        return cudaErrorInvalidChannelDescriptor;
      ++channels;
    }
  const int format = driverFormat(shape.format);
  if (!format || channels == 3)
    return cudaErrorInvalidChannelDescriptor;
  ArrayDescriptor description{shape.width, shape.height, shape.depth,
                              format,      channels,     shape.flags};
  CUarray created = nullptr;
  if (CUresult code = driver.arrayCreate(&created, &description))
    return errorOf(code);
  try {
    std::lock_guard lock(arrays().mutex);
    arrays().shapes[created] = shape;
  } catch (const std::bad_alloc &) {
    driver.arrayDestroy(created);
    throw;
  }
  *array = created;
  return cudaSuccess;
}

Error CudaEngine::destroyArray(ArrayHandle array) {
  if (!array)
    return cudaSuccess;
  BIND();
  Destruction known(arrays().mutex, arrays().shapes, array);
  return known ? known.end(
                     errorOf(driver.arrayDestroy(static_cast<CUarray>(array))))
               : cudaErrorInvalidResourceHandle;
}

Error CudaEngine::arrayShape(ArrayHandle array, ArrayShape *shape) {
  std::lock_guard lock(arrays().mutex);
  auto found = arrays().shapes.find(array);
  if (found == arrays().shapes.end())
    return cudaErrorInvalidResourceHandle;
  *shape = found->second;
  return cudaSuccess;
}

Copy3D describeBox(const BoxCopy &box) {
  Copy3D copy{};
  const auto fill = [&](Copy3D::Side &side, const BoxSide &from) {
    side.xBytes = from.xBytes;
    side.y = from.y;
    side.z = from.z;
    side.memoryType = from.array ? MemoryArray : MemoryUnified;
    side.array = from.array;
    side.device = address(from.memory);
    // Single rows and slices need no pitch; the driver wants one all the same.
    side.pitch = std::max(from.pitch, from.xBytes + box.widthBytes);
    side.height = std::max(from.rows, from.y + box.height);
  };
  fill(copy.from, box.from);
  fill(copy.to, box.to);
  copy.widthBytes = box.widthBytes;
  copy.height = box.height;
  copy.depth = box.depth;
  return copy;
}

Error CudaEngine::copyBox(const BoxCopy &box, StreamHandle stream, bool async) {
  BIND();
  if (!knownStream(stream))
    return cudaErrorInvalidResourceHandle;
  if (static_cast<unsigned>(box.kind) >
      static_cast<unsigned>(CopyKind::Default))
    return cudaErrorInvalidMemcpyDirection;
  if (!box.widthBytes || !box.height || !box.depth)
    return cudaSuccess;
  for (const BoxSide *side : {&box.to, &box.from}) {
    ArrayShape shape;
    if (!side->array && !side->memory)
      return cudaErrorInvalidValue;
    if (side->array)
      if (Error error = arrayShape(side->array, &shape); error != cudaSuccess)
        return error;
  }
  for (const BoxSide *side : {&box.to, &box.from})
    if (!side->array && (box.height > 1 || box.depth > 1) &&
        side->pitch < box.widthBytes)
      return cudaErrorInvalidPitchValue;
  const Copy3D copy = describeBox(box);
  return async ? errorOf(driver.copy3DAsync(&copy, streamOf(stream)))
               : waited(driver.copy3D(&copy));
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

Error CudaEngine::enablePeer(Engine &peer) {
  if (&peer == this)
    return cudaErrorInvalidDevice;
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
