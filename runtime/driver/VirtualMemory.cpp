//===- VirtualMemory.cpp - CUDA driver API: memory and addresses ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/engine/VirtualMemory.h"
#include "runtime/driver/Call.h"
#include <cstring>

using namespace cufort;
using namespace cufort::driver;

static_assert(sizeof(MemoryProperties) == sizeof(CUmemAllocationProp) &&
              sizeof(AccessDescription) == sizeof(CUmemAccessDesc));

/// Calls \p call(VirtualMemory &), which is that of all devices; no context is
/// needed.
template <typename Call> static CUresult onVirtualMemory(Call call) {
  return withDevice(
      0, [&] { return resultOf(call(deviceAt(0)->virtualMemory())); });
}

/// Structures of the program, with any numbers in their enumerations.
template <typename To, typename From> static To copyOf(const From &from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

CUFORT_DRIVER_API CUresult cuMemGetAllocationGranularity(
    size_t *bytes, const CUmemAllocationProp *properties,
    CUmemAllocationGranularity_flags option) {
  return onVirtualMemory([&](VirtualMemory &memory) {
    return bytes && properties
               ? memory.granularity(bytes,
                                    copyOf<MemoryProperties>(*properties),
                                    numberOf(option))
               : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuMemCreate(CUmemGenericAllocationHandle *handle,
                                       size_t bytes,
                                       const CUmemAllocationProp *properties,
                                       unsigned long long flags) {
  return onVirtualMemory([&](VirtualMemory &memory) {
    return handle && properties && !flags
               ? memory.create(handle, bytes,
                               copyOf<MemoryProperties>(*properties))
               : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return onVirtualMemory(
      [&](VirtualMemory &memory) { return memory.release(handle); });
}

CUFORT_DRIVER_API CUresult
cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *place) {
  return onVirtualMemory([&](VirtualMemory &memory) {
    return handle ? memory.retain(handle, place) : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuMemGetAllocationPropertiesFromHandle(
    CUmemAllocationProp *properties, CUmemGenericAllocationHandle handle) {
  return onVirtualMemory([&](VirtualMemory &memory) {
    MemoryProperties found{};
    const Error error = properties ? memory.propertiesOf(handle, &found)
                                   : cudaErrorInvalidValue;
    if (error == cudaSuccess)
      std::memcpy(properties, &found, sizeof(found));
    return error;
  });
}

CUFORT_DRIVER_API CUresult cuMemExportToShareableHandle(
    void *shared, CUmemGenericAllocationHandle handle,
    CUmemAllocationHandleType type, unsigned long long flags) {
  return onVirtualMemory([&](VirtualMemory &memory) {
    return shared && !flags
               ? memory.exportMemory(shared, handle, numberOf(type))
               : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult
cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle,
                               void *shared, CUmemAllocationHandleType type) {
  return onVirtualMemory([&](VirtualMemory &memory) {
    return handle ? memory.importMemory(handle, shared, numberOf(type))
                  : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuMemAddressReserve(CUdeviceptr *address,
                                               size_t bytes, size_t alignment,
                                               CUdeviceptr wanted,
                                               unsigned long long flags) {
  return onVirtualMemory([&](VirtualMemory &memory) {
    if (!address || flags)
      return cudaErrorInvalidValue;
    void *place = nullptr;
    const Error error =
        memory.reserve(&place, bytes, alignment, pointerOf(wanted));
    if (error == cudaSuccess)
      *address = reinterpret_cast<CUdeviceptr>(place);
    return error;
  });
}

CUFORT_DRIVER_API CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  return onVirtualMemory([&](VirtualMemory &memory) {
    return memory.giveUp(pointerOf(address), bytes);
  });
}

CUFORT_DRIVER_API CUresult cuMemMap(CUdeviceptr address, size_t bytes,
                                    size_t offset,
                                    CUmemGenericAllocationHandle handle,
                                    unsigned long long flags) {
  return onVirtualMemory([&](VirtualMemory &memory) {
    return flags ? cudaErrorInvalidValue
                 : memory.map(pointerOf(address), bytes, offset, handle);
  });
}

CUFORT_DRIVER_API CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  return onVirtualMemory([&](VirtualMemory &memory) {
    return memory.unmap(pointerOf(address), bytes);
  });
}

CUFORT_DRIVER_API CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes,
                                          const CUmemAccessDesc *access,
                                          size_t count) {
  return onVirtualMemory([&](VirtualMemory &memory) {
    return access && count
               ? memory.setAccess(
                     pointerOf(address), bytes,
                     reinterpret_cast<const AccessDescription *>(access), count)
               : cudaErrorInvalidValue;
  });
}

CUFORT_DRIVER_API CUresult cuMemGetAccess(unsigned long long *flags,
                                          const CUmemLocation *location,
                                          CUdeviceptr address) {
  return onVirtualMemory([&](VirtualMemory &memory) {
    return flags && location ? memory.access(flags, copyOf<Location>(*location),
                                             pointerOf(address))
                             : cudaErrorInvalidValue;
  });
}
