//===- pools.cu - pools, and memory of other processes ---------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"

/// What is in stream order, and what pools have.
static void pools() {
  allocate();
  cudaMemPool_t standard = nullptr, pool = nullptr;
  unsigned long long number = 0;
  int flag = 7;
  void *memory;

  CALL(cudaMallocAsync((void **)nullptr, 16, stream));
  pointer = (void *)1;
  CALL(cudaMallocAsync(&pointer, 0, stream));
  VALUE((size_t)pointer);
  pointer = (void *)1;
  CALL(cudaMallocAsync(&pointer, Huge, stream));
  VALUE((size_t)pointer);
  CALL(cudaMallocFromPoolAsync(&pointer, 16, (cudaMemPool_t) nullptr, stream));

  CALL(cudaFreeAsync(nullptr, stream));
  CALL(cudaFreeAsync(nullptr, nullptr));
  CALL(cudaFreeAsync(pageable, stream));
  CALL(cudaFreeAsync(pinned, stream));
  CALL(cudaFreeAsync(managed, stream));
  SETUP(cudaMallocManaged(&managed, 4096));
  CALL(cudaFreeAsync(device + 1, stream));
  CALL(cudaFreeAsync(device, stream));
  CALL(cudaFreeAsync(device, stream));
  CALL(cudaFree(device));
  SETUP(cudaMalloc(&device, 4096));

  SETUP(cudaMallocAsync(&memory, 1000, stream));
  CALL(cudaFreeAsync((char *)memory + 1, stream));
  CALL(cudaFreeAsync(memory, stream));
  CALL(cudaFreeAsync(memory, stream));
  CALL(cudaFree(memory));
  SETUP(cudaMallocAsync(&memory, 1000, stream));
  CALL(cudaFree(memory));
  CALL(cudaFree(memory));
  CALL(cudaFreeAsync(memory, stream));
  SETUP(cudaMallocAsync(&memory, 1000, stream));
  CALL(cudaFreeAsync(memory, nullptr));
  SETUP(cudaMallocAsync(&memory, 1000, stream));
  CALL(cudaMemset(memory, 0, 1001));
  CALL(cudaMemset(memory, 0, 1000));
  CALL(cudaFreeAsync(memory, stream));
  CALL(cudaMemset(memory, 0, 16));

  CALL(cudaDeviceGetDefaultMemPool(nullptr, 0));
  CALL(cudaDeviceGetDefaultMemPool(&standard, 77));
  CALL(cudaDeviceGetDefaultMemPool(&standard, -1));
  CALL(cudaDeviceGetDefaultMemPool(&standard, 0));
  CALL(cudaDeviceGetMemPool(nullptr, 0));
  CALL(cudaDeviceGetMemPool(&pool, 77));
  CALL(cudaDeviceGetMemPool(&pool, 0));
  VALUE(pool == standard);
  CALL(cudaDeviceSetMemPool(0, nullptr));
  CALL(cudaDeviceSetMemPool(77, standard));

  CALL(cudaMemPoolCreate(nullptr, nullptr));
  CALL(cudaMemPoolCreate(&pool, nullptr));
  cudaMemPoolProps properties{};
  CALL(cudaMemPoolCreate(&pool, &properties));
  properties.allocType = cudaMemAllocationTypePinned;
  CALL(cudaMemPoolCreate(&pool, &properties));
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 77;
  CALL(cudaMemPoolCreate(&pool, &properties));
  properties.location.id = 0;
  properties.handleTypes = (cudaMemAllocationHandleType)64;
  CALL(cudaMemPoolCreate(&pool, &properties));
  properties.handleTypes = (cudaMemAllocationHandleType)2;
  CALL(cudaMemPoolCreate(&pool, &properties));
  properties.handleTypes = cudaMemHandleTypeNone;
  properties.location.type = (cudaMemLocationType)9;
  CALL(cudaMemPoolCreate(&pool, &properties));
  properties.location.type = cudaMemLocationTypeDevice;
  properties.allocType = (cudaMemAllocationType)9;
  CALL(cudaMemPoolCreate(&pool, &properties));
  properties.allocType = cudaMemAllocationTypePinned;
  CALL(cudaMemPoolCreate(nullptr, &properties));
  CALL(cudaMemPoolCreate(&pool, &properties));

  CALL(cudaMemPoolDestroy(nullptr));
  CALL(cudaMemPoolDestroy(standard));
  CALL(cudaMemPoolTrimTo(nullptr, 0));
  CALL(cudaMemPoolTrimTo(pool, size_t(-1)));
  CALL(cudaMemPoolTrimTo(pool, 0));

  CALL(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)0, &number));
  CALL(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)99, &number));
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, nullptr));
  CALL(cudaMemPoolGetAttribute(nullptr, cudaMemPoolAttrReleaseThreshold,
                               &number));
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies,
                               &flag));
  VALUE(flag);
  number = 5;
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemCurrent,
                               &number));
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &number));
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &number));
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &number));
  number = 0;
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &number));
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, nullptr));
  flag = 7;
  CALL(
      cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &flag));
  flag = -1;
  CALL(
      cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &flag));
  VALUE(flag);
  CALL(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)99, &number));
  CALL(cudaMemPoolSetAttribute(nullptr, cudaMemPoolAttrReleaseThreshold,
                               &number));
  number = size_t(-1);
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &number));

  cudaMemAccessDesc access{{cudaMemLocationTypeDevice, 0},
                           cudaMemAccessFlagsProtReadWrite};
  cudaMemAccessFlags granted;
  cudaMemLocation location{cudaMemLocationTypeDevice, 0};
  CALL(cudaMemPoolSetAccess(pool, &access, 1));
  CALL(cudaMemPoolSetAccess(pool, &access, 0));
  CALL(cudaMemPoolSetAccess(pool, nullptr, 1));
  CALL(cudaMemPoolSetAccess(nullptr, &access, 1));
  access.flags = (cudaMemAccessFlags)0;
  CALL(cudaMemPoolSetAccess(pool, &access, 1));
  access.flags = cudaMemAccessFlagsProtRead;
  CALL(cudaMemPoolSetAccess(pool, &access, 1));
  access.flags = (cudaMemAccessFlags)9;
  CALL(cudaMemPoolSetAccess(pool, &access, 1));
  access.flags = cudaMemAccessFlagsProtReadWrite;
  access.location.id = 77;
  CALL(cudaMemPoolSetAccess(pool, &access, 1));
  access.location.type = cudaMemLocationTypeInvalid;
  CALL(cudaMemPoolSetAccess(pool, &access, 1));
  CALL(cudaMemPoolGetAccess(&granted, pool, &location));
  VALUE(granted);
  CALL(cudaMemPoolGetAccess(nullptr, pool, &location));
  CALL(cudaMemPoolGetAccess(&granted, nullptr, &location));
  CALL(cudaMemPoolGetAccess(&granted, pool, nullptr));
  location.id = 77;
  CALL(cudaMemPoolGetAccess(&granted, pool, &location));
  location.type = cudaMemLocationTypeInvalid;
  CALL(cudaMemPoolGetAccess(&granted, pool, &location));

  cudaMemPoolPtrExportData exported;
  CALL(cudaMemPoolExportToShareableHandle(
      &flag, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaMemPoolExportToShareableHandle(
      nullptr, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaMemPoolExportToShareableHandle(&flag, pool, cudaMemHandleTypeNone,
                                          0));
  CALL(cudaMemPoolExportToShareableHandle(
      &flag, pool, cudaMemHandleTypePosixFileDescriptor, 1));
  CALL(cudaMemPoolExportPointer(&exported, device));
  CALL(cudaMemPoolExportPointer(nullptr, device));
  SETUP(cudaMallocFromPoolAsync(&memory, 64, pool, stream));
  CALL(cudaMemPoolExportPointer(&exported, memory));
  CALL(cudaMemPoolImportFromShareableHandle(
      &standard, (void *)-1, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaMemPoolImportFromShareableHandle(
      nullptr, (void *)0, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaMemPoolImportPointer(&pointer, pool, &exported));
  CALL(cudaMemPoolImportPointer(nullptr, pool, &exported));

  CALL(cudaDeviceSetMemPool(0, pool));
  CALL(cudaMemPoolDestroy(pool));
  CALL(cudaFreeAsync(memory, stream));
  CALL(cudaMallocAsync(&memory, 64, stream));
}

/// Handles of memory and of events.
static void interprocess() {
  allocate();
  cudaIpcMemHandle_t handle{};
  cudaIpcEventHandle_t eventHandle{};
  cudaEvent_t event, shared, opened;

  CALL(cudaIpcGetMemHandle(nullptr, device));
  CALL(cudaIpcGetMemHandle(&handle, nullptr));
  CALL(cudaIpcGetMemHandle(&handle, pageable));
  CALL(cudaIpcGetMemHandle(&handle, pinned));
  CALL(cudaIpcGetMemHandle(&handle, managed));
  CALL(cudaIpcGetMemHandle(&handle, device + 16));
  CALL(cudaIpcGetMemHandle(&handle, device));
  CALL(cudaIpcOpenMemHandle((void **)nullptr, handle, 1));
  CALL(cudaIpcOpenMemHandle(&pointer, handle, 0));
  CALL(cudaIpcOpenMemHandle(&pointer, handle, 2));
  CALL(cudaIpcOpenMemHandle(&pointer, handle, 1));
  cudaIpcMemHandle_t zeroMemory{};
  CALL(cudaIpcOpenMemHandle(&pointer, zeroMemory, 1));
  CALL(cudaIpcCloseMemHandle(device));
  CALL(cudaIpcCloseMemHandle(nullptr));
  CALL(cudaIpcCloseMemHandle(pageable));

  SETUP(cudaEventCreate(&event));
  CALL(cudaIpcGetEventHandle(&eventHandle, event));
  CALL(cudaIpcGetEventHandle(nullptr, event));
  CALL(cudaIpcGetEventHandle(&eventHandle, nullptr));
  CALL(cudaEventCreateWithFlags(&shared, cudaEventInterprocess));
  CALL(cudaEventCreateWithFlags(&shared, cudaEventInterprocess |
                                             cudaEventDisableTiming));
  CALL(cudaIpcGetEventHandle(&eventHandle, shared));
  CALL(cudaIpcOpenEventHandle(&opened, eventHandle));
  CALL(cudaIpcOpenEventHandle(nullptr, eventHandle));
  cudaIpcEventHandle_t zeroEvent{};
  CALL(cudaIpcOpenEventHandle(&opened, zeroEvent));
}

int main(int count, char **arguments) {
  return record(count, arguments,
                {{"pools", pools}, {"interprocess", interprocess}});
}
