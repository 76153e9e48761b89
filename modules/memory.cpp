//===- memory.cpp - cudafor: host and managed memory, pools, peers --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Descriptor.h"

using namespace cudafor;

namespace {

/// The bytes that \p count elements of \p buffer are.
bool bytesOf(const Buffer &buffer, const Descriptor *count, size_t &bytes) {
  size_t elements;
  return readCount(count, elements) &&
         byteCount(elements, buffer.element, bytes);
}

} // namespace

extern "C" {

//===----------------------------------------------------------------------===//
// Host and managed memory
//===----------------------------------------------------------------------===//

int __cudafor_cudaHostRegister(const Descriptor *ptr, const Descriptor *count,
                               int flags) {
  Buffer buffer = readBuffer(ptr);
  size_t bytes;
  return bytesOf(buffer, count, bytes)
             ? cudaHostRegister(buffer.address, bytes, flags)
             : refused(InvalidValue);
}

int __cudafor_cudaHostUnregister(const Descriptor *ptr) {
  return cudaHostUnregister(readBuffer(ptr).address);
}

int __cudafor_cudaHostGetDevicePointer(void **device, const Descriptor *host,
                                       int flags) {
  return cudaHostGetDevicePointer(device, readBuffer(host).address, flags);
}

int __cudafor_cudaHostGetFlags(unsigned *flags, const Descriptor *host) {
  return cudaHostGetFlags(flags, readBuffer(host).address);
}

int __cudafor_cudaMemAdvise(const Descriptor *devptr, const Descriptor *count,
                            int advice, int device) {
  Buffer buffer = readBuffer(devptr);
  size_t bytes;
  return bytesOf(buffer, count, bytes)
             ? cudaMemAdvise(buffer.address, bytes, advice, device)
             : refused(InvalidValue);
}

int __cudafor_cudaMemPrefetchAsync(const Descriptor *devptr,
                                   const Descriptor *count, int device,
                                   const Descriptor *stream) {
  Buffer buffer = readBuffer(devptr);
  size_t bytes;
  return bytesOf(buffer, count, bytes)
             ? cudaMemPrefetchAsync(buffer.address, bytes, device,
                                    readStream(stream))
             : refused(InvalidValue);
}

int __cudafor_cudaMemRangeGetAttribute(int *value, int attribute,
                                       const Descriptor *devptr,
                                       const Descriptor *count) {
  Buffer buffer = readBuffer(devptr);
  size_t bytes;
  return bytesOf(buffer, count, bytes)
             ? cudaMemRangeGetAttribute(value, sizeof(*value), attribute,
                                        buffer.address, bytes)
             : refused(InvalidValue);
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

int __cudafor_cudaMemPoolCreate(Pool *pool, int device) {
  PoolProperties properties{1, 0, 1, device, nullptr, 0, {}};
  return cudaMemPoolCreate(pool, &properties);
}

int __cudafor_cudaMemPoolTrimTo(Pool pool, const Descriptor *bytesToKeep) {
  size_t bytes;
  return readCount(bytesToKeep, bytes) ? cudaMemPoolTrimTo(pool, bytes)
                                       : refused(InvalidValue);
}

// The first three attributes are switches of four bytes.
int __cudafor_cudaMemPoolGetAttribute(Pool pool, int attribute,
                                      const Descriptor *value) {
  uint64_t number = 0;
  if (int error = cudaMemPoolGetAttribute(pool, attribute, &number))
    return error;
  return writeCount(value, number) ? Success : refused(InvalidValue);
}

int __cudafor_cudaMemPoolSetAttribute(Pool pool, int attribute,
                                      const Descriptor *value) {
  size_t number;
  return readCount(value, number)
             ? cudaMemPoolSetAttribute(pool, attribute, &number)
             : refused(InvalidValue);
}

//===----------------------------------------------------------------------===//
// Peers and other processes
//===----------------------------------------------------------------------===//

int __cudafor_cudaMemcpyPeerAsync(const Descriptor *dst, int dstDevice,
                                  const Descriptor *src, int srcDevice,
                                  const Descriptor *count,
                                  const Descriptor *stream) {
  Buffer to = readBuffer(dst), from = readBuffer(src);
  size_t bytes;
  if (to.element > from.element)
    to.element = from.element;
  return to.contiguous && from.contiguous && bytesOf(to, count, bytes)
             ? cudaMemcpyPeerAsync(to.address, dstDevice, from.address,
                                   srcDevice, bytes, readStream(stream))
             : refused(InvalidValue);
}

int __cudafor_cudaMemcpyPeer(const Descriptor *dst, int dstDevice,
                             const Descriptor *src, int srcDevice,
                             const Descriptor *count) {
  Buffer to = readBuffer(dst), from = readBuffer(src);
  size_t bytes;
  if (to.element > from.element)
    to.element = from.element;
  return to.contiguous && from.contiguous && bytesOf(to, count, bytes)
             ? cudaMemcpyPeer(to.address, dstDevice, from.address, srcDevice,
                              bytes)
             : refused(InvalidValue);
}

int __cudafor_cudaPointerGetAttributes(void *attributes,
                                       const Descriptor *pointer) {
  return cudaPointerGetAttributes(attributes, readBuffer(pointer).address);
}

int __cudafor_cudaIpcGetMemHandle(void *handle, const Descriptor *devptr) {
  return cudaIpcGetMemHandle(handle, readBuffer(devptr).address);
}

int __cudafor_cudaIpcCloseMemHandle(const Descriptor *devptr) {
  return cudaIpcCloseMemHandle(readBuffer(devptr).address);
}

} // extern "C"
