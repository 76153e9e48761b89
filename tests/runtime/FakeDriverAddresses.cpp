//===- FakeDriverAddresses.cpp - a test double: memory and addresses ------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses have their own memory here; what is mapped to them is only counted.
//
//===----------------------------------------------------------------------===//

#include "FakeDriverState.h"

using namespace cufort;
using namespace cufort::cuda;
using namespace fake;

static Object *memoryOf(MemoryHandle handle) {
  auto *object = reinterpret_cast<Object *>(handle);
  return state().objects.count(object) && object->kind == Kind::Memory
             ? object
             : nullptr;
}

FAKE cuMemGetAllocationGranularity(size_t *bytes, const MemoryProperties *,
                                   int) {
  CALL();
  *bytes = 4096;
  return Success;
}
FAKE cuMemCreate(MemoryHandle *handle, size_t, const MemoryProperties *,
                 unsigned long long) {
  CALL();
  make(handle, Kind::Memory);
  memoryOf(*handle)->device = -1; // no reset's business
  return Success;
}
FAKE cuMemRelease(MemoryHandle handle) {
  CALL();
  return memoryOf(handle) ? destroy(call, handle, Kind::Memory) : InvalidValue;
}
FAKE cuMemRetainAllocationHandle(MemoryHandle *handle, void *) {
  CALL();
  make(handle, Kind::Memory);
  return Success;
}
FAKE cuMemGetAllocationPropertiesFromHandle(MemoryProperties *properties,
                                            MemoryHandle handle) {
  CALL();
  *properties = {};
  return memoryOf(handle) ? Success : InvalidValue;
}
FAKE cuMemExportToShareableHandle(void *shared, MemoryHandle handle, int,
                                  unsigned long long) {
  CALL();
  const int none = 0;
  std::memcpy(shared, &none, sizeof(none));
  return memoryOf(handle) ? Success : InvalidValue;
}
FAKE cuMemImportFromShareableHandle(MemoryHandle *handle, void *, int) {
  CALL();
  make(handle, Kind::Memory);
  memoryOf(*handle)->device = -1;
  return Success;
}
FAKE cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t,
                         CUdeviceptr, unsigned long long) {
  CALL();
  const CUresult code = allocate(address, bytes, Allocation::Device);
  if (code == Success) {
    state().allocations[*address].kind = Allocation::Reserved;
    state().allocations[*address].device = -1;
  }
  return code;
}
FAKE cuMemAddressFree(CUdeviceptr address, size_t) {
  CALL();
  auto found = state().allocations.find(address);
  if (found == state().allocations.end() ||
      found->second.kind != Allocation::Reserved)
    return InvalidValue;
  std::free(real<void>(address));
  state().allocations.erase(found);
  return Success;
}
FAKE cuMemMap(CUdeviceptr address, size_t, size_t, MemoryHandle handle,
              unsigned long long) {
  CALL();
  return memoryOf(handle) && find(address) ? Success : InvalidValue;
}
FAKE cuMemUnmap(CUdeviceptr address, size_t) {
  CALL();
  return find(address) ? Success : InvalidValue;
}
FAKE cuMemSetAccess(CUdeviceptr address, size_t, const AccessDescription *,
                    size_t) {
  CALL();
  return find(address) ? Success : InvalidValue;
}
FAKE cuMemGetAccess(unsigned long long *flags, const Location *,
                    CUdeviceptr address) {
  CALL();
  *flags = AccessDescription::ReadWrite;
  return find(address) ? Success : InvalidValue;
}
