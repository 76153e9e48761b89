//===- FakeDriverMemory.cpp - a test double of libcuda: memory ---===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDriverState.h"

using namespace cufort::cuda;
using namespace fake;

//===--- memory ---===//

FAKE cuMemGetInfo_v2(size_t *free, size_t *total) {
  IN_CONTEXT();
  *free = *total = DeviceBytes;
  return Success;
}
FAKE cuMemAlloc_v2(CUdeviceptr *result, size_t bytes) {
  IN_CONTEXT();
  return allocate(result, bytes, Allocation::Device);
}
FAKE cuMemAllocManaged(CUdeviceptr *result, size_t bytes, unsigned) {
  IN_CONTEXT();
  return allocate(result, bytes, Allocation::Managed);
}
FAKE cuMemFree_v2(CUdeviceptr address) {
  IN_CONTEXT();
  WAIT();
  return release(address, false);
}
FAKE cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  IN_CONTEXT();
  CUdeviceptr result = 0;
  const CUresult code = allocate(&result, bytes, Allocation::Pinned);
  *memory = reinterpret_cast<void *>(result);
  return code;
}
FAKE cuMemFreeHost(void *memory) {
  IN_CONTEXT();
  return release(reinterpret_cast<CUdeviceptr>(memory), true);
}
FAKE cuPointerGetAttribute(void *value, int attribute, CUdeviceptr address) {
  IN_CONTEXT();
  const auto *found = find(address);
  if (!found)
    return InvalidValue;
  const bool host = found->second.kind == Allocation::Pinned ||
                    found->second.kind == Allocation::Registered;
  const auto put = [&](auto content) {
    std::memcpy(value, &content, sizeof(content));
    return Success;
  };
  switch (attribute) {
  case PointerMemoryType:
    return put(host ? MemoryHost : MemoryDevice);
  case PointerIsManaged:
    return put(unsigned(found->second.kind == Allocation::Managed));
  case PointerDeviceOrdinal:
    return put(found->second.device);
  case PointerDeviceAddress:
    return put(address);
  case PointerHostAddress:
    if (!host && found->second.kind != Allocation::Managed)
      return InvalidValue;
    return put(address);
  default:
    return InvalidValue;
  }
}
FAKE cuMemHostRegister_v2(void *memory, size_t bytes, unsigned) {
  IN_CONTEXT();
  if (!memory || !bytes)
    return InvalidValue;
  const auto address = reinterpret_cast<CUdeviceptr>(memory);
  if (find(address))
    return AlreadyRegistered;
  state().allocations[address] = {bytes, Bound, Allocation::Registered};
  return Success;
}
FAKE cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes,
                             CUdeviceptr address) {
  IN_CONTEXT();
  auto after = state().allocations.upper_bound(address);
  if (after == state().allocations.begin())
    return InvalidValue;
  const auto &[begin, allocation] = *std::prev(after);
  if (address >= begin + allocation.bytes)
    return InvalidValue;
  *base = begin;
  *bytes = allocation.bytes;
  return Success;
}
FAKE cuMemHostUnregister(void *memory) {
  IN_CONTEXT();
  auto found = state().allocations.find(reinterpret_cast<CUdeviceptr>(memory));
  if (found == state().allocations.end() ||
      found->second.kind != Allocation::Registered)
    return NotRegistered;
  state().allocations.erase(found);
  return Success;
}
FAKE cuMemHostGetFlags(unsigned *flags, void *memory) {
  IN_CONTEXT();
  const auto *found = find(reinterpret_cast<CUdeviceptr>(memory));
  *flags = 3;
  return found && (found->second.kind == Allocation::Pinned ||
                   found->second.kind == Allocation::Registered)
             ? Success
             : InvalidValue;
}
FAKE cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device,
                        CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  if (device < -1 || device >= Devices)
    return 101;
  const auto *found = find(address);
  return found && found->second.kind == Allocation::Managed &&
                 inRange(address, bytes)
             ? Success
             : InvalidValue;
}
FAKE cuMemAdvise(CUdeviceptr address, size_t, int, CUdevice) {
  IN_CONTEXT();
  const auto *found = find(address);
  return found && found->second.kind == Allocation::Managed ? Success
                                                            : InvalidValue;
}
FAKE cuMemRangeGetAttribute(void *data, size_t bytes, int, CUdeviceptr address,
                            size_t) {
  IN_CONTEXT();
  if (!find(address) || !data)
    return InvalidValue;
  std::memset(data, 0, bytes);
  return Success;
}
FAKE cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t,
                            unsigned flags) {
  IN_CONTEXT();
  if (flags != 1 && flags != 2 && flags != 4)
    misuse(call.function, "flags with which drivers die");
  checkStream(call, stream);
  return find(address) ? Success : InvalidValue;
}

//===--- copies and fills ---===//

FAKE cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  IN_CONTEXT();
  WAIT();
  return move(to, from, bytes);
}
FAKE cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                   CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return captureOf(stream) ? captured(call, stream, 1) : move(to, from, bytes);
}
FAKE cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  IN_CONTEXT();
  WAIT();
  return move(to, reinterpret_cast<CUdeviceptr>(from), bytes);
}
FAKE cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  IN_CONTEXT();
  WAIT();
  return move(reinterpret_cast<CUdeviceptr>(to), from, bytes);
}
FAKE cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return cuMemcpyDtoH_v2(reinterpret_cast<void *>(to), from, bytes);
}
FAKE cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes,
                          CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return move(reinterpret_cast<CUdeviceptr>(to), from, bytes);
}
FAKE cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                          CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return move(to, from, bytes);
}
FAKE cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                          CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return move(to, reinterpret_cast<CUdeviceptr>(from), bytes);
}
FAKE cuMemcpy2DUnaligned_v2(const Copy2D *copy) {
  IN_CONTEXT();
  WAIT();
  return copyRows(*copy);
}
FAKE cuMemcpy2DAsync_v2(const Copy2D *copy, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return copyRows(*copy);
}
FAKE cuMemcpy3D_v2(const Copy3D *copy) {
  IN_CONTEXT();
  WAIT();
  return copyBox(call, *copy);
}
FAKE cuMemcpy3DAsync_v2(const Copy3D *copy, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return copyBox(call, *copy);
}
FAKE cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                     CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return captureOf(stream) ? captured(call, stream, 2) : fill(to, value, count);
}
FAKE cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                      CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return captureOf(stream) ? captured(call, stream, 2) : fill(to, value, count);
}
FAKE cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count,
                      CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return captureOf(stream) ? captured(call, stream, 2) : fill(to, value, count);
}
FAKE cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value,
                       size_t width, size_t height, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  if (!inRange(to, pitch * (height - 1) + width))
    return InvalidValue;
  for (size_t i = 0; i < height; ++i)
    fill(to + i * pitch, value, width);
  return Success;
}

//===--- pools ---===//

FAKE cuMemAllocAsync(CUdeviceptr *result, size_t bytes, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return allocate(result, bytes, Allocation::Device);
}
FAKE cuMemAllocFromPoolAsync(CUdeviceptr *result, size_t bytes,
                             CUmemoryPool pool, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  call.object(pool, Kind::Pool);
  return allocate(result, bytes, Allocation::Device);
}
FAKE cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  IN_CONTEXT();
  checkStream(call, stream);
  return release(address, false);
}
FAKE cuMemPoolCreate(CUmemoryPool *pool, const PoolProperties *) {
  IN_CONTEXT();
  make(pool, Kind::Pool);
  return Success;
}
FAKE cuMemPoolDestroy(CUmemoryPool pool) {
  IN_CONTEXT();
  for (Object *&current : state().current)
    if (current == reinterpret_cast<Object *>(pool))
      current = nullptr;
  return destroy(call, pool, Kind::Pool);
}
FAKE cuMemPoolTrimTo(CUmemoryPool pool, size_t) {
  IN_CONTEXT();
  call.object(pool, Kind::Pool);
  return Success;
}
FAKE cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value) {
  IN_CONTEXT();
  call.object(pool, Kind::Pool);
  std::memset(value, 0, attribute <= 3 ? 4 : 8);
  return Success;
}
FAKE cuMemPoolSetAttribute(CUmemoryPool pool, int, void *) {
  IN_CONTEXT();
  call.object(pool, Kind::Pool);
  return Success;
}
FAKE cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  CALL();
  if (!state().pools[device]) {
    make(pool, Kind::Pool);
    state().pools[device] = reinterpret_cast<Object *>(*pool);
    state().pools[device]->device = device;
  }
  *pool = reinterpret_cast<CUmemoryPool>(state().pools[device]);
  return Success;
}
FAKE cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  CALL();
  if (!state().current[device])
    return cuDeviceGetDefaultMemPool(pool, device);
  *pool = reinterpret_cast<CUmemoryPool>(state().current[device]);
  return Success;
}
FAKE cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  CALL();
  state().current[device] = &call.object(pool, Kind::Pool);
  return Success;
}

//===--- arrays ---===//

FAKE cuArray3DCreate_v2(CUarray *array, const ArrayDescriptor *shape) {
  IN_CONTEXT();
  make(array, Kind::Array);
  auto *object = reinterpret_cast<Object *>(*array);
  object->shape = *shape;
  object->memory.resize(shape->width * (shape->height ? shape->height : 1) *
                        (shape->depth ? shape->depth : 1) * shape->channels *
                        channelBytes(shape->format));
  return Success;
}
FAKE cuArrayDestroy(CUarray array) {
  IN_CONTEXT();
  return destroy(call, array, Kind::Array);
}
FAKE cuTexObjectCreate(unsigned long long *texture, const ResourceDescription *,
                       const SamplingDescription *, const void *) {
  IN_CONTEXT();
  make(texture, Kind::Texture);
  return Success;
}
FAKE cuTexObjectDestroy(unsigned long long texture) {
  IN_CONTEXT();
  return destroy(call, texture, Kind::Texture);
}
FAKE cuSurfObjectCreate(unsigned long long *surface,
                        const ResourceDescription *) {
  IN_CONTEXT();
  make(surface, Kind::Texture);
  return Success;
}
FAKE cuSurfObjectDestroy(unsigned long long surface) {
  IN_CONTEXT();
  return destroy(call, surface, Kind::Texture);
}
