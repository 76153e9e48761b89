//===- devices.cu - devices, their limits, and resets ----------*- CUDA -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "Work.h"
#include <cuda_profiler_api.h>

/// What is asked of and set for a device.
static void devices() {
  allocate();
  int chosen = 5;
  cudaDeviceProp properties;
  size_t bytes;
  cudaFuncCache preference;
  char busId[32];
  unsigned flags;

  CALL(cudaSetDevice(-1));
  CALL(cudaSetDevice(99));
  CALL(cudaGetDevice(&chosen));
  VALUE(chosen);
  CALL(cudaGetDevice(nullptr));
  CALL(cudaGetDeviceCount(nullptr));
  CALL(cudaInitDevice(99, 0, 0));
  CALL(cudaInitDevice(-1, 0, 0));
  CALL(cudaInitDevice(0, 0, 0));
  CALL(cudaInitDevice(0, 99, 0));
  CALL(cudaInitDevice(0, 4, 1));
  CALL(cudaInitDevice(0, 0x1000, 1));
  CALL(cudaInitDevice(0, 0, 8));

  CALL(cudaGetDeviceProperties(nullptr, 0));
  CALL(cudaGetDeviceProperties(&properties, 99));
  CALL(cudaGetDeviceProperties(&properties, -1));
  CALL(cudaDeviceGetAttribute(nullptr, (cudaDeviceAttr)1, 0));
  CALL(cudaDeviceGetAttribute(&number, (cudaDeviceAttr)1, 99));
  CALL(cudaDeviceGetAttribute(&number, (cudaDeviceAttr)4711, 0));
  CALL(cudaDeviceGetAttribute(&number, (cudaDeviceAttr)0, 0));
  CALL(cudaDeviceGetAttribute(&number, (cudaDeviceAttr)-1, 0));
  CALL(cudaDeviceGetAttribute(&number, (cudaDeviceAttr)4711, 99));

  CALL(cudaChooseDevice(nullptr, &properties));
  CALL(cudaChooseDevice(&chosen, nullptr));
  memset(&properties, 0, sizeof properties);
  CALL(cudaChooseDevice(&chosen, &properties));
  VALUE(chosen);
  properties.major = 99;
  CALL(cudaChooseDevice(&chosen, &properties));
  VALUE(chosen);
  int list[] = {0, 99}, twice[] = {0, 0};
  CALL(cudaSetValidDevices(nullptr, 1));
  CALL(cudaSetValidDevices(list, 2));
  CALL(cudaSetValidDevices(list, 0));
  CALL(cudaSetValidDevices(list, -1));
  CALL(cudaSetValidDevices(list, 100));
  CALL(cudaSetValidDevices(twice, 2));
  CALL(cudaSetValidDevices(list, 1));

  CALL(cudaSetDeviceFlags(0x1000));
  CALL(cudaSetDeviceFlags(3));
  CALL(cudaSetDeviceFlags(7));
  CALL(cudaSetDeviceFlags(4));
  CALL(cudaSetDeviceFlags(8));
  CALL(cudaSetDeviceFlags(16));
  CALL(cudaSetDeviceFlags(32));
  CALL(cudaSetDeviceFlags(0x80));
  CALL(cudaGetDeviceFlags(nullptr));
  CALL(cudaGetDeviceFlags(&flags));
  VALUE(flags);

  for (int i = -1; i < 9; ++i) {
    called([&] { return cudaDeviceGetLimit(&bytes, (cudaLimit)i); },
           "cudaDeviceGetLimit(&bytes, %d)", i);
    called([&] { return cudaDeviceSetLimit((cudaLimit)i, 1); },
           "cudaDeviceSetLimit(%d, 1)", i);
    called([&] { return cudaDeviceSetLimit((cudaLimit)i, 0); },
           "cudaDeviceSetLimit(%d, 0)", i);
    if (i > 0) {
      called([&] { return cudaDeviceSetLimit((cudaLimit)i, Huge); },
             "cudaDeviceSetLimit(%d, Huge)", i);
    }
    bytes = 4711;
    cudaDeviceGetLimit(&bytes, (cudaLimit)i);
    cudaGetLastError();
    report("limit %d -> %zu", i, bytes);
  }

  CALL(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  CALL(cudaDeviceGetLimit(nullptr, (cudaLimit)99));
  CALL(cudaDeviceSetLimit(cudaLimitStackSize, 524289));
  CALL(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 20));
  CALL(cudaDeviceSetLimit(cudaLimitStackSize, 1024));
  CALL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 21));
  SETUP((empty<<<1, 1>>>(), cudaGetLastError()));
  CALL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
  CALL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24));

  CALL(cudaDeviceGetCacheConfig(nullptr));
  CALL(cudaDeviceGetCacheConfig(&preference));
  VALUE(preference);
  CALL(cudaDeviceSetCacheConfig((cudaFuncCache)4));
  CALL(cudaDeviceSetCacheConfig((cudaFuncCache)-1));
  CALL(cudaDeviceSetCacheConfig((cudaFuncCache)1));
  CALL(cudaDeviceGetCacheConfig(&preference));
  VALUE(preference);

  cudaSharedMemConfig banks;
  CALL(cudaDeviceGetSharedMemConfig(nullptr));
  CALL(cudaDeviceGetSharedMemConfig(&banks));
  VALUE(banks);
  CALL(cudaDeviceSetSharedMemConfig((cudaSharedMemConfig)3));
  CALL(cudaDeviceSetSharedMemConfig((cudaSharedMemConfig)2));
  CALL(cudaDeviceGetSharedMemConfig(&banks));
  VALUE(banks);

  CALL(cudaDeviceGetPCIBusId(nullptr, 20, 0));
  CALL(cudaDeviceGetPCIBusId(busId, 0, 0));
  CALL(cudaDeviceGetPCIBusId(busId, -1, 0));
  CALL(cudaDeviceGetPCIBusId(busId, 5, 0));
  CALL(cudaDeviceGetPCIBusId(busId, 12, 0));
  CALL(cudaDeviceGetPCIBusId(busId, 13, 0));
  CALL(cudaDeviceGetPCIBusId(busId, 20, 99));
  CALL(cudaDeviceGetByPCIBusId(nullptr, busId));
  CALL(cudaDeviceGetByPCIBusId(&chosen, nullptr));
  CALL(cudaDeviceGetByPCIBusId(&chosen, "nowhere"));
  CALL(cudaDeviceGetByPCIBusId(&chosen, ""));
  CALL(cudaDeviceGetByPCIBusId(&chosen, "77:77:1f"));
  CALL(cudaDeviceGetByPCIBusId(&chosen, "77:77.1"));
  CALL(cudaDeviceGetByPCIBusId(&chosen, "0000:77:1f.0"));

  CALL(cudaDriverGetVersion(nullptr));
  CALL(cudaRuntimeGetVersion(nullptr));
  int least, greatest;
  CALL(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  VALUE(least);
  VALUE(greatest);
  CALL(cudaDeviceGetStreamPriorityRange(nullptr, &greatest));
  CALL(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
  CALL(cudaProfilerStart());
  CALL(cudaProfilerStop());
  CALL(cudaProfilerStop());
  CALL(cudaCtxResetPersistingL2Cache());

  CALL(cudaDeviceGetTexture1DLinearMaxWidth(nullptr, nullptr, 0));
  report("strings -> %s|%s|%s|%s", cudaGetErrorName((cudaError_t)12345),
         cudaGetErrorString((cudaError_t)12345),
         cudaGetErrorName((cudaError_t)-1),
         cudaGetErrorString((cudaError_t)25));

  cudaDriverEntryPointQueryResult found;
  CALL(cudaGetDriverEntryPointByVersion("cuMemAlloc", &pointer, 12000, 0,
                                        &found));
  VALUE(found);
  CALL(cudaGetDriverEntryPointByVersion("cuNothing", &pointer, 12000, 0,
                                        &found));
  VALUE(found);
  CALL(cudaGetDriverEntryPointByVersion(nullptr, &pointer, 12000, 0, &found));
  CALL(cudaGetDriverEntryPointByVersion("cuMemAlloc", nullptr, 12000, 0,
                                        &found));
  CALL(cudaGetDriverEntryPointByVersion("cuMemAlloc", &pointer, 12000, 9,
                                        &found));
  CALL(cudaGetDriverEntryPointByVersion("cuMemAlloc", &pointer, 0, 0, &found));
  CALL(cudaGetDriverEntryPointByVersion("cuMemAlloc", &pointer, 99000, 0,
                                        &found));
}

/// What was there before a reset.
static void reset() {
  allocate();
  cudaEvent_t event;
  SETUP(cudaEventCreate(&event));
  auto again = [] {
    cudaError_t event = cudaDeviceReset();
    idle = nullptr;
    scratch = nullptr;
    cudaMalloc(&scratch, 4096);
    return event;
  };

  CALL(again());
  CALL(cudaFree(device));
  CALL(cudaFreeHost(pinned));
  CALL(cudaFree(managed));
  CALL(cudaMemset(device, 0, 16));
  CALL(cudaMalloc(&device, 16));
  CALL(again());
  CALL(again());
  CALL(cudaFreeAsync(device, nullptr));

  SETUP(cudaMalloc(&device, 16));
  CALL(again());
  CALL(cudaMemcpy(pageable, device, 16, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy(device, pageable, 16, cudaMemcpyHostToDevice));
}

int main(int count, char **arguments) {
  return record(count, arguments, {{"devices", devices}, {"reset", reset}});
}
