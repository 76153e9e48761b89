//===- pools.cu - pools of memory and memory of other processes ---*- CUDA
//-*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"

/// What is in stream order, and what pools have.
static void pools() {
  allocate();
  cudaMemPool_t d = nullptr, q = nullptr;
  unsigned long long number = 0;
  int iv = 7;
  void *g;

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

  SETUP(cudaMallocAsync(&g, 1000, stream));
  CALL(cudaFreeAsync((char *)g + 1, stream));
  CALL(cudaFreeAsync(g, stream));
  CALL(cudaFreeAsync(g, stream));
  CALL(cudaFree(g));
  SETUP(cudaMallocAsync(&g, 1000, stream));
  CALL(cudaFree(g));
  CALL(cudaFree(g));
  CALL(cudaFreeAsync(g, stream));
  SETUP(cudaMallocAsync(&g, 1000, stream));
  CALL(cudaFreeAsync(g, nullptr));
  SETUP(cudaMallocAsync(&g, 1000, stream));
  CALL(cudaMemset(g, 0, 1001));
  CALL(cudaMemset(g, 0, 1000));
  CALL(cudaFreeAsync(g, stream));
  CALL(cudaMemset(g, 0, 16));

  CALL(cudaDeviceGetDefaultMemPool(nullptr, 0));
  CALL(cudaDeviceGetDefaultMemPool(&d, 77));
  CALL(cudaDeviceGetDefaultMemPool(&d, -1));
  CALL(cudaDeviceGetDefaultMemPool(&d, 0));
  CALL(cudaDeviceGetMemPool(nullptr, 0));
  CALL(cudaDeviceGetMemPool(&q, 77));
  CALL(cudaDeviceGetMemPool(&q, 0));
  VALUE(q == d);
  CALL(cudaDeviceSetMemPool(0, nullptr));
  CALL(cudaDeviceSetMemPool(77, d));

  CALL(cudaMemPoolCreate(nullptr, nullptr));
  CALL(cudaMemPoolCreate(&q, nullptr));
  cudaMemPoolProps pr{};
  CALL(cudaMemPoolCreate(&q, &pr));
  pr.allocType = cudaMemAllocationTypePinned;
  CALL(cudaMemPoolCreate(&q, &pr));
  pr.location.type = cudaMemLocationTypeDevice;
  pr.location.id = 77;
  CALL(cudaMemPoolCreate(&q, &pr));
  pr.location.id = 0;
  pr.handleTypes = (cudaMemAllocationHandleType)64;
  CALL(cudaMemPoolCreate(&q, &pr));
  pr.handleTypes = (cudaMemAllocationHandleType)2;
  CALL(cudaMemPoolCreate(&q, &pr));
  pr.handleTypes = cudaMemHandleTypeNone;
  pr.location.type = (cudaMemLocationType)9;
  CALL(cudaMemPoolCreate(&q, &pr));
  pr.location.type = cudaMemLocationTypeDevice;
  pr.allocType = (cudaMemAllocationType)9;
  CALL(cudaMemPoolCreate(&q, &pr));
  pr.allocType = cudaMemAllocationTypePinned;
  CALL(cudaMemPoolCreate(nullptr, &pr));
  CALL(cudaMemPoolCreate(&q, &pr));

  CALL(cudaMemPoolDestroy(nullptr));
  CALL(cudaMemPoolDestroy(d));
  CALL(cudaMemPoolTrimTo(nullptr, 0));
  CALL(cudaMemPoolTrimTo(q, size_t(-1)));
  CALL(cudaMemPoolTrimTo(q, 0));

  CALL(cudaMemPoolGetAttribute(q, (cudaMemPoolAttr)0, &number));
  CALL(cudaMemPoolGetAttribute(q, (cudaMemPoolAttr)99, &number));
  CALL(cudaMemPoolGetAttribute(q, cudaMemPoolAttrReleaseThreshold, nullptr));
  CALL(cudaMemPoolGetAttribute(nullptr, cudaMemPoolAttrReleaseThreshold,
                               &number));
  CALL(
      cudaMemPoolGetAttribute(q, cudaMemPoolReuseFollowEventDependencies, &iv));
  VALUE(iv);
  number = 5;
  CALL(cudaMemPoolSetAttribute(q, cudaMemPoolAttrReservedMemCurrent, &number));
  CALL(cudaMemPoolSetAttribute(q, cudaMemPoolAttrUsedMemCurrent, &number));
  CALL(cudaMemPoolSetAttribute(q, cudaMemPoolAttrReservedMemHigh, &number));
  CALL(cudaMemPoolSetAttribute(q, cudaMemPoolAttrUsedMemHigh, &number));
  number = 0;
  CALL(cudaMemPoolSetAttribute(q, cudaMemPoolAttrUsedMemHigh, &number));
  CALL(cudaMemPoolSetAttribute(q, cudaMemPoolAttrReleaseThreshold, nullptr));
  iv = 7;
  CALL(cudaMemPoolSetAttribute(q, cudaMemPoolReuseAllowOpportunistic, &iv));
  iv = -1;
  CALL(cudaMemPoolGetAttribute(q, cudaMemPoolReuseAllowOpportunistic, &iv));
  VALUE(iv);
  CALL(cudaMemPoolSetAttribute(q, (cudaMemPoolAttr)99, &number));
  CALL(cudaMemPoolSetAttribute(nullptr, cudaMemPoolAttrReleaseThreshold,
                               &number));
  number = size_t(-1);
  CALL(cudaMemPoolSetAttribute(q, cudaMemPoolAttrReleaseThreshold, &number));

  cudaMemAccessDesc ad{{cudaMemLocationTypeDevice, 0},
                       cudaMemAccessFlagsProtReadWrite};
  cudaMemAccessFlags af;
  cudaMemLocation lo{cudaMemLocationTypeDevice, 0};
  CALL(cudaMemPoolSetAccess(q, &ad, 1));
  CALL(cudaMemPoolSetAccess(q, &ad, 0));
  CALL(cudaMemPoolSetAccess(q, nullptr, 1));
  CALL(cudaMemPoolSetAccess(nullptr, &ad, 1));
  ad.flags = (cudaMemAccessFlags)0;
  CALL(cudaMemPoolSetAccess(q, &ad, 1));
  ad.flags = cudaMemAccessFlagsProtRead;
  CALL(cudaMemPoolSetAccess(q, &ad, 1));
  ad.flags = (cudaMemAccessFlags)9;
  CALL(cudaMemPoolSetAccess(q, &ad, 1));
  ad.flags = cudaMemAccessFlagsProtReadWrite;
  ad.location.id = 77;
  CALL(cudaMemPoolSetAccess(q, &ad, 1));
  ad.location.type = cudaMemLocationTypeInvalid;
  CALL(cudaMemPoolSetAccess(q, &ad, 1));
  CALL(cudaMemPoolGetAccess(&af, q, &lo));
  VALUE(af);
  CALL(cudaMemPoolGetAccess(nullptr, q, &lo));
  CALL(cudaMemPoolGetAccess(&af, nullptr, &lo));
  CALL(cudaMemPoolGetAccess(&af, q, nullptr));
  lo.id = 77;
  CALL(cudaMemPoolGetAccess(&af, q, &lo));
  lo.type = cudaMemLocationTypeInvalid;
  CALL(cudaMemPoolGetAccess(&af, q, &lo));

  cudaMemPoolPtrExportData ex;
  CALL(cudaMemPoolExportToShareableHandle(
      &iv, q, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaMemPoolExportToShareableHandle(
      nullptr, q, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaMemPoolExportToShareableHandle(&iv, q, cudaMemHandleTypeNone, 0));
  CALL(cudaMemPoolExportToShareableHandle(
      &iv, q, cudaMemHandleTypePosixFileDescriptor, 1));
  CALL(cudaMemPoolExportPointer(&ex, device));
  CALL(cudaMemPoolExportPointer(nullptr, device));
  SETUP(cudaMallocFromPoolAsync(&g, 64, q, stream));
  CALL(cudaMemPoolExportPointer(&ex, g));
  CALL(cudaMemPoolImportFromShareableHandle(
      &d, (void *)-1, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaMemPoolImportFromShareableHandle(
      nullptr, (void *)0, cudaMemHandleTypePosixFileDescriptor, 0));
  CALL(cudaMemPoolImportPointer(&pointer, q, &ex));
  CALL(cudaMemPoolImportPointer(nullptr, q, &ex));

  CALL(cudaDeviceSetMemPool(0, q));
  CALL(cudaMemPoolDestroy(q));
  CALL(cudaFreeAsync(g, stream));
  CALL(cudaMallocAsync(&g, 64, stream));
}

/// Handles of memory and of events.
static void interprocess() {
  allocate();
  cudaIpcMemHandle_t hd{};
  cudaIpcEventHandle_t he{};
  cudaEvent_t ev, e2, e3;

  CALL(cudaIpcGetMemHandle(nullptr, device));
  CALL(cudaIpcGetMemHandle(&hd, nullptr));
  CALL(cudaIpcGetMemHandle(&hd, pageable));
  CALL(cudaIpcGetMemHandle(&hd, pinned));
  CALL(cudaIpcGetMemHandle(&hd, managed));
  CALL(cudaIpcGetMemHandle(&hd, device + 16));
  CALL(cudaIpcGetMemHandle(&hd, device));
  CALL(cudaIpcOpenMemHandle((void **)nullptr, hd, 1));
  CALL(cudaIpcOpenMemHandle(&pointer, hd, 0));
  CALL(cudaIpcOpenMemHandle(&pointer, hd, 2));
  CALL(cudaIpcOpenMemHandle(&pointer, hd, 1));
  cudaIpcMemHandle_t zero{};
  CALL(cudaIpcOpenMemHandle(&pointer, zero, 1));
  CALL(cudaIpcCloseMemHandle(device));
  CALL(cudaIpcCloseMemHandle(nullptr));
  CALL(cudaIpcCloseMemHandle(pageable));

  SETUP(cudaEventCreate(&ev));
  CALL(cudaIpcGetEventHandle(&he, ev));
  CALL(cudaIpcGetEventHandle(nullptr, ev));
  CALL(cudaIpcGetEventHandle(&he, nullptr));
  CALL(cudaEventCreateWithFlags(&e2, cudaEventInterprocess));
  CALL(cudaEventCreateWithFlags(&e2, cudaEventInterprocess |
                                         cudaEventDisableTiming));
  CALL(cudaIpcGetEventHandle(&he, e2));
  CALL(cudaIpcOpenEventHandle(&e3, he));
  CALL(cudaIpcOpenEventHandle(nullptr, he));
  cudaIpcEventHandle_t z2{};
  CALL(cudaIpcOpenEventHandle(&e3, z2));
}

int main(int count, char **arguments) {
  return record(count, arguments,
                {{"pools", pools}, {"interprocess", interprocess}});
}
