//===- VirtualMemory.cpp - addresses of NVIDIA devices --------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/VirtualMemory.h"

namespace cufort::cuda {

static CUdeviceptr placeOf(const void *address) {
  return reinterpret_cast<CUdeviceptr>(address);
}

Error CudaVirtualMemory::granularity(size_t *bytes,
                                     const MemoryProperties &properties,
                                     int option) {
  return errorOf(driver.memGetGranularity(bytes, &properties, option));
}

Error CudaVirtualMemory::create(MemoryHandle *handle, size_t bytes,
                                const MemoryProperties &properties) {
  return errorOf(driver.memCreate(handle, bytes, &properties, 0));
}

Error CudaVirtualMemory::release(MemoryHandle handle) {
  return errorOf(driver.memRelease(handle));
}

Error CudaVirtualMemory::retain(MemoryHandle *handle, const void *address) {
  return errorOf(driver.memRetain(handle, const_cast<void *>(address)));
}

Error CudaVirtualMemory::propertiesOf(MemoryHandle handle,
                                      MemoryProperties *properties) {
  return errorOf(driver.memGetProperties(properties, handle));
}

Error CudaVirtualMemory::exportMemory(void *shared, MemoryHandle handle,
                                      int type) {
  return errorOf(driver.memExport(shared, handle, type, 0));
}

Error CudaVirtualMemory::importMemory(MemoryHandle *handle, void *shared,
                                      int type) {
  return errorOf(driver.memImport(handle, shared, type));
}

Error CudaVirtualMemory::reserve(void **address, size_t bytes, size_t alignment,
                                 void *wanted) {
  CUdeviceptr place = 0;
  const CUresult code =
      driver.addressReserve(&place, bytes, alignment, placeOf(wanted), 0);
  *address = reinterpret_cast<void *>(place);
  return errorOf(code);
}

Error CudaVirtualMemory::giveUp(void *address, size_t bytes) {
  return errorOf(driver.addressFree(placeOf(address), bytes));
}

Error CudaVirtualMemory::map(void *address, size_t bytes, size_t offset,
                             MemoryHandle handle) {
  return errorOf(driver.memMap(placeOf(address), bytes, offset, handle, 0));
}

Error CudaVirtualMemory::unmap(void *address, size_t bytes) {
  return errorOf(driver.memUnmap(placeOf(address), bytes));
}

Error CudaVirtualMemory::setAccess(void *address, size_t bytes,
                                   const AccessDescription *access,
                                   size_t count) {
  return errorOf(driver.memSetAccess(placeOf(address), bytes, access, count));
}

Error CudaVirtualMemory::access(unsigned long long *flags,
                                const Location &location, void *address) {
  return errorOf(driver.memGetAccess(flags, &location, placeOf(address)));
}

} // namespace cufort::cuda
