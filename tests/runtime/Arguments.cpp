//===- Arguments.cpp - wrong arguments of every function of the API -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line is a call and the error that CUDA documents for it. After each the
// error must also be the thread's last one, and a little work must succeed.
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "TestImage.h"
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

using namespace cufort;

namespace {

struct Call {
  const char *text;
  cudaError_t expected;
  std::function<cudaError_t()> call;
};

constexpr size_t Huge = size_t(1) << 60;
constexpr auto NoKind = static_cast<cudaMemcpyKind>(9);

/// What the calls below use.
struct Things {
  char *memory = nullptr, *pinned = nullptr, *managed = nullptr;
  char host[4096];
  cudaStream_t stream = nullptr, goneStream = nullptr;
  cudaEvent_t event = nullptr, goneEvent = nullptr, untimed = nullptr;
  cudaArray_t array = nullptr, goneArray = nullptr;
  cudaGraph_t graph = nullptr, goneGraph = nullptr;
  cudaGraphExec_t exec = nullptr, goneExec = nullptr;
  cudaMemPool_t pool = nullptr;
  cudaChannelFormatDesc format{32, 0, 0, 0, 0};
  const void *kernel = &testimage::emptyStub;
  const void *noKernel = &testimage::unknownStub;
  int number = 0;
  unsigned flags = 0;
  size_t size = 0;
  float time = 0;
  void *pointer = nullptr;
  cudaPitchedPtr pitched{};
  cudaPointerAttributes attributes{};
  cudaFuncAttributes function{};
  cudaDeviceProp properties{};
  cudaIpcMemHandle_t handle{};
  cudaGraphNode_t node = nullptr;
  cudaMemcpy3DParms box{};

  Things() {
    cudaMalloc(reinterpret_cast<void **>(&memory), 4096);
    cudaMallocHost(reinterpret_cast<void **>(&pinned), 4096);
    cudaMallocManaged(reinterpret_cast<void **>(&managed), 4096, 1);
    for (cudaStream_t *s : {&stream, &goneStream})
      cudaStreamCreate(s);
    cudaStreamDestroy(goneStream);
    for (cudaEvent_t *e : {&event, &goneEvent})
      cudaEventCreate(e);
    cudaEventCreateWithFlags(&untimed, 2);
    cudaEventDestroy(goneEvent);
    for (cudaArray_t *a : {&array, &goneArray})
      cudaMallocArray(a, &format, 16, 16, 0);
    cudaFreeArray(goneArray);
    for (cudaGraph_t *g : {&graph, &goneGraph})
      cudaGraphCreate(g, 0);
    for (cudaGraphExec_t *e : {&exec, &goneExec})
      cudaGraphInstantiate(e, graph, 0);
    cudaGraphDestroy(goneGraph);
    cudaGraphExecDestroy(goneExec);
    cudaDeviceGetDefaultMemPool(&pool, 0);
  }
};

#define LINE(error, call) {#call, error, [&] { return call; }}
#define VALUE(call) LINE(cudaErrorInvalidValue, call)
#define HANDLE(call) LINE(cudaErrorInvalidResourceHandle, call)
#define DEVICE(call) LINE(cudaErrorInvalidDevice, call)

TEST(Arguments, WrongOnesAreTheDocumentedErrors) {
  Things t;
  char *const m = t.memory;
  char *const h = t.host;
  const std::vector<Call> calls = {
      // Devices
      VALUE(cudaGetDeviceCount(nullptr)),
      VALUE(cudaGetDevice(nullptr)),
      DEVICE(cudaSetDevice(-1)),
      DEVICE(cudaSetDevice(77)),
      VALUE(cudaGetDeviceProperties(nullptr, 0)),
      DEVICE(cudaGetDeviceProperties(&t.properties, 77)),
      VALUE(cudaDeviceGetAttribute(nullptr, 1, 0)),
      DEVICE(cudaDeviceGetAttribute(&t.number, 1, 77)),
      VALUE(cudaDeviceGetAttribute(&t.number, 4711, 0)),
      VALUE(cudaChooseDevice(nullptr, &t.properties)),
      VALUE(cudaChooseDevice(&t.number, nullptr)),
      VALUE(cudaSetValidDevices(nullptr, 1)),
      VALUE(cudaSetDeviceFlags(0x1000)),
      VALUE(cudaSetDeviceFlags(3)),
      VALUE(cudaGetDeviceFlags(nullptr)),
      DEVICE(cudaInitDevice(77, 0, 0)),
      VALUE(cudaDeviceGetLimit(nullptr, 0)),
      LINE(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&t.size, 99)),
      LINE(cudaErrorUnsupportedLimit, cudaDeviceSetLimit(-1, 1)),
      VALUE(cudaDeviceGetCacheConfig(nullptr)),
      VALUE(cudaDeviceSetCacheConfig(4)),
      VALUE(cudaDeviceGetSharedMemConfig(nullptr)),
      VALUE(cudaDeviceSetSharedMemConfig(3)),
      VALUE(cudaDeviceGetPCIBusId(nullptr, 10, 0)),
      VALUE(cudaDeviceGetPCIBusId(h, 0, 0)),
      DEVICE(cudaDeviceGetPCIBusId(h, 20, 77)),
      VALUE(cudaDeviceGetByPCIBusId(nullptr, "0:0:0")),
      VALUE(cudaDeviceGetByPCIBusId(&t.number, "nowhere")),
      DEVICE(cudaDeviceGetByPCIBusId(&t.number, "77:77:1f")),
      VALUE(cudaDriverGetVersion(nullptr)),
      VALUE(cudaRuntimeGetVersion(nullptr)),
      // Streams
      VALUE(cudaStreamCreate(nullptr)),
      VALUE(cudaStreamCreateWithFlags(&t.pointer, 2)),
      VALUE(cudaStreamCreateWithPriority(nullptr, 0, 0)),
      HANDLE(cudaStreamDestroy(nullptr)),
      HANDLE(cudaStreamDestroy(t.goneStream)),
      HANDLE(cudaStreamSynchronize(t.goneStream)),
      HANDLE(cudaStreamQuery(t.goneStream)),
      HANDLE(cudaStreamWaitEvent(t.goneStream, t.event, 0)),
      HANDLE(cudaStreamWaitEvent(t.stream, t.goneEvent, 0)),
      HANDLE(cudaStreamWaitEvent(t.stream, nullptr, 0)),
      VALUE(cudaStreamWaitEvent(t.stream, t.event, 8)),
      VALUE(cudaStreamGetPriority(t.stream, nullptr)),
      HANDLE(cudaStreamGetPriority(t.goneStream, &t.number)),
      VALUE(cudaStreamGetFlags(t.stream, nullptr)),
      HANDLE(cudaStreamGetFlags(t.goneStream, &t.flags)),
      VALUE(cudaStreamGetId(t.stream, nullptr)),
      VALUE(cudaStreamAddCallback(t.stream, nullptr, nullptr, 0)),
      VALUE(cudaStreamAddCallback(
          t.stream, [](cudaStream_t, cudaError_t, void *) {}, nullptr, 1)),
      HANDLE(cudaStreamAddCallback(
          t.goneStream, [](cudaStream_t, cudaError_t, void *) {}, nullptr, 0)),
      VALUE(cudaLaunchHostFunc(t.stream, nullptr, nullptr)),
      HANDLE(cudaLaunchHostFunc(
          t.goneStream, [](void *) {}, nullptr)),
      HANDLE(cudaStreamAttachMemAsync(t.goneStream, t.managed, 0, 4)),
      VALUE(cudaStreamAttachMemAsync(t.stream, m, 0, 4)),
      VALUE(cudaStreamAttachMemAsync(t.stream, t.managed, 0, 3)),
      // Events
      VALUE(cudaEventCreate(nullptr)),
      VALUE(cudaEventCreateWithFlags(&t.pointer, 16)),
      VALUE(cudaEventCreateWithFlags(&t.pointer, 4)),
      HANDLE(cudaEventDestroy(nullptr)),
      HANDLE(cudaEventDestroy(t.goneEvent)),
      HANDLE(cudaEventRecord(t.goneEvent, t.stream)),
      HANDLE(cudaEventRecord(t.event, t.goneStream)),
      VALUE(cudaEventRecordWithFlags(t.event, t.stream, 2)),
      HANDLE(cudaEventSynchronize(t.goneEvent)),
      HANDLE(cudaEventQuery(t.goneEvent)),
      VALUE(cudaEventElapsedTime(nullptr, t.event, t.event)),
      HANDLE(cudaEventElapsedTime(&t.time, t.event, t.event)),
      HANDLE(cudaEventElapsedTime(&t.time, t.untimed, t.untimed)),
      HANDLE(cudaEventElapsedTime(&t.time, t.goneEvent, t.event)),
      // Kernels
      LINE(cudaErrorInvalidDeviceFunction,
           cudaLaunchKernel(t.noKernel, {1, 1, 1}, {1, 1, 1}, nullptr, 0,
                            nullptr)),
      LINE(cudaErrorInvalidConfiguration,
           cudaLaunchKernel(t.kernel, {0, 1, 1}, {1, 1, 1}, nullptr, 0,
                            nullptr)),
      LINE(cudaErrorInvalidConfiguration,
           cudaLaunchKernel(t.kernel, {1, 70000, 1}, {1, 1, 1}, nullptr, 0,
                            nullptr)),
      LINE(cudaErrorInvalidConfiguration,
           cudaLaunchKernel(t.kernel, {1, 1, 1}, {1025, 1, 1}, nullptr, 0,
                            nullptr)),
      LINE(cudaErrorInvalidConfiguration,
           cudaLaunchKernel(t.kernel, {1, 1, 1}, {1, 1, 65}, nullptr, 0,
                            nullptr)),
      HANDLE(cudaLaunchKernel(t.kernel, {1, 1, 1}, {1, 1, 1}, nullptr, 0,
                              t.goneStream)),
      VALUE(cudaLaunchKernel(t.kernel, {1, 1, 1}, {1, 1, 1}, nullptr, Huge,
                             nullptr)),
      VALUE(cudaLaunchKernelExC(nullptr, t.kernel, nullptr)),
      VALUE(cudaFuncGetAttributes(nullptr, t.kernel)),
      LINE(cudaErrorInvalidDeviceFunction,
           cudaFuncGetAttributes(&t.function, t.noKernel)),
      LINE(cudaErrorInvalidDeviceFunction,
           cudaFuncSetAttribute(t.noKernel, 8, 1)),
      VALUE(cudaFuncSetAttribute(t.kernel, 8, -1)),
      VALUE(cudaFuncSetAttribute(t.kernel, 8, 1 << 30)),
      VALUE(cudaFuncSetAttribute(t.kernel, 9, 101)),
      VALUE(cudaFuncSetAttribute(t.kernel, 77, 1)),
      VALUE(cudaFuncSetCacheConfig(t.kernel, 5)),
      LINE(cudaErrorInvalidDeviceFunction,
           cudaFuncSetCacheConfig(t.noKernel, 1)),
      VALUE(cudaFuncSetSharedMemConfig(t.kernel, 5)),
      VALUE(cudaSetDoubleForDevice(nullptr)),
      VALUE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, t.kernel, 32,
                                                          0)),
      VALUE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&t.number, t.kernel,
                                                          0, 0)),
      LINE(cudaErrorInvalidDeviceFunction,
           cudaOccupancyMaxActiveBlocksPerMultiprocessor(&t.number, t.noKernel,
                                                         32, 0)),
      VALUE(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
          &t.number, t.kernel, 32, 0, 2)),
      // Memory
      VALUE(cudaMalloc(nullptr, 1)),
      LINE(cudaErrorMemoryAllocation, cudaMalloc(&t.pointer, Huge)),
      VALUE(cudaMallocManaged(nullptr, 1, 1)),
      VALUE(cudaMallocManaged(&t.pointer, 0, 1)),
      VALUE(cudaMallocManaged(&t.pointer, 1, 9)),
      LINE(cudaErrorMemoryAllocation, cudaMallocManaged(&t.pointer, Huge, 1)),
      VALUE(cudaMallocHost(nullptr, 1)),
      LINE(cudaErrorMemoryAllocation, cudaMallocHost(&t.pointer, Huge)),
      VALUE(cudaHostAlloc(&t.pointer, 1, 64)),
      VALUE(cudaMallocPitch(&t.pointer, nullptr, 1, 1)),
      LINE(cudaErrorMemoryAllocation,
           cudaMallocPitch(&t.pointer, &t.size, Huge, 64)),
      VALUE(cudaMalloc3D(nullptr, {1, 1, 1})),
      LINE(cudaErrorMemoryAllocation,
           cudaMalloc3D(&t.pitched, {Huge, Huge, 2})),
      VALUE(cudaFree(h)),
      VALUE(cudaFree(m + 1)),
      VALUE(cudaFree(t.pinned)),
      VALUE(cudaFreeHost(h)),
      VALUE(cudaFreeHost(m)),
      VALUE(cudaHostRegister(nullptr, 1, 0)),
      VALUE(cudaHostRegister(h, 0, 0)),
      VALUE(cudaHostRegister(h, 1, 64)),
      LINE(cudaErrorHostMemoryAlreadyRegistered,
           cudaHostRegister(t.pinned, 16, 0)),
      LINE(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(h)),
      LINE(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(t.pinned)),
      VALUE(cudaHostGetFlags(nullptr, t.pinned)),
      VALUE(cudaHostGetFlags(&t.flags, h)),
      VALUE(cudaHostGetDevicePointer(nullptr, t.pinned, 0)),
      VALUE(cudaHostGetDevicePointer(&t.pointer, h, 0)),
      VALUE(cudaHostGetDevicePointer(&t.pointer, t.pinned, 1)),
      VALUE(cudaMemGetInfo(nullptr, &t.size)),
      VALUE(cudaMemGetInfo(&t.size, nullptr)),
      VALUE(cudaPointerGetAttributes(nullptr, m)),
      VALUE(cudaMemPrefetchAsync(m, 16, 0, nullptr)),
      VALUE(cudaMemPrefetchAsync(t.managed, 4097, 0, nullptr)),
      DEVICE(cudaMemPrefetchAsync(t.managed, 16, 77, nullptr)),
      HANDLE(cudaMemPrefetchAsync(t.managed, 16, 0, t.goneStream)),
      VALUE(cudaMemAdvise(t.managed, 16, 0, 0)),
      VALUE(cudaMemAdvise(t.managed, 16, 7, 0)),
      VALUE(cudaMemAdvise(h, 16, 1, 0)),
      DEVICE(cudaMemAdvise(t.managed, 16, 3, 77)),
      VALUE(cudaMemRangeGetAttribute(nullptr, 4, 1, t.managed, 16)),
      VALUE(cudaMemRangeGetAttribute(&t.number, 3, 1, t.managed, 16)),
      VALUE(cudaMemRangeGetAttribute(&t.number, 4, 99, t.managed, 16)),
      VALUE(cudaMemRangeGetAttribute(&t.number, 4, 1, h, 16)),
      // Copies and fills
      VALUE(cudaMemcpy(nullptr, h, 16, ToDevice)),
      VALUE(cudaMemcpy(m, nullptr, 16, ToDevice)),
      VALUE(cudaMemcpy(m, h, 4097, ToDevice)),
      VALUE(cudaMemcpy(m + 4090, h, 16, ToDevice)),
      VALUE(cudaMemcpy(h, m, 16, ToDevice)),
      VALUE(cudaMemcpy(m, h, 16, ToHost)),
      VALUE(cudaMemcpy(h, h + 64, 16, OnDevice)),
      LINE(cudaErrorInvalidMemcpyDirection,
           cudaMemcpy(m, t.pinned, 16, NoKind)),
      HANDLE(cudaMemcpyAsync(m, t.pinned, 16, ToDevice, t.goneStream)),
      VALUE(cudaMemcpyAsync(m, t.pinned, 4097, ToDevice, t.stream)),
      LINE(cudaErrorInvalidPitchValue,
           cudaMemcpy2D(m, 8, h, 16, 9, 2, ToDevice)),
      VALUE(cudaMemcpy2D(nullptr, 8, h, 16, 8, 2, ToDevice)),
      VALUE(cudaMemcpy2D(m, 1024, h, 16, 8, 5, ToDevice)),
      HANDLE(
          cudaMemcpy2DAsync(m, 8, t.pinned, 16, 8, 2, ToDevice, t.goneStream)),
      VALUE(cudaMemcpy3D(nullptr)),
      VALUE(cudaMemcpy3D(&t.box)),
      VALUE(cudaMemset(nullptr, 0, 16)),
      VALUE(cudaMemset(m, 0, 4097)),
      HANDLE(cudaMemsetAsync(m, 0, 16, t.goneStream)),
      LINE(cudaErrorInvalidPitchValue, cudaMemset2D(m, 8, 0, 9, 2)),
      VALUE(cudaMemset2D(nullptr, 8, 0, 8, 2)),
      VALUE(cudaMemset2D(m, 1024, 0, 8, 6)),
      VALUE(cudaMemset3D({m, 64, 8, 4}, 0, {8, 5, 2})),
      LINE(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&t.pointer, h)),
      VALUE(cudaGetSymbolAddress(nullptr, testimage::deviceVariableShadow)),
      LINE(cudaErrorInvalidSymbol, cudaGetSymbolSize(&t.size, h)),
      VALUE(cudaGetSymbolSize(nullptr, testimage::deviceVariableShadow)),
      LINE(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(h, h, 4, 0, ToDevice)),
      VALUE(cudaMemcpyToSymbol(testimage::deviceVariableShadow, h, 4, 1,
                               ToDevice)),
      VALUE(cudaMemcpyFromSymbol(h, testimage::deviceVariableShadow, 5, 0,
                                 ToHost)),
      HANDLE(cudaMemcpyToSymbolAsync(testimage::deviceVariableShadow, t.pinned,
                                     4, 0, ToDevice, t.goneStream)),
      // Arrays
      VALUE(cudaMallocArray(nullptr, &t.format, 4, 4, 0)),
      VALUE(cudaMallocArray(&t.pointer, nullptr, 4, 4, 0)),
      VALUE(cudaMallocArray(&t.pointer, &t.format, 0, 4, 0)),
      VALUE(cudaMalloc3DArray(&t.pointer, &t.format, {4, 0, 4}, 0)),
      HANDLE(cudaFreeArray(t.goneArray)),
      VALUE(cudaGetChannelDesc(nullptr, t.array)),
      HANDLE(cudaGetChannelDesc(&t.format, t.goneArray)),
      HANDLE(cudaArrayGetInfo(&t.format, nullptr, nullptr, t.goneArray)),
      VALUE(cudaMemcpy2DToArray(t.array, 8, 0, h, 64, 60, 1, ToDevice)),
      VALUE(cudaMemcpy2DToArray(t.array, 0, 15, h, 64, 64, 2, ToDevice)),
      LINE(cudaErrorInvalidPitchValue,
           cudaMemcpy2DToArray(t.array, 0, 0, h, 8, 64, 2, ToDevice)),
      VALUE(cudaMemcpy2DFromArray(nullptr, 64, t.array, 0, 0, 64, 1, ToHost)),
      VALUE(cudaMemcpyToArray(t.array, 0, 0, h, 16 * 64 + 4, ToDevice)),
      VALUE(cudaMemcpyFromArray(h, t.array, 0, 16, 4, ToHost)),
      HANDLE(cudaMemcpyToArray(t.goneArray, 0, 0, h, 4, ToDevice)),
      // Pools
      VALUE(cudaMallocAsync(nullptr, 16, t.stream)),
      HANDLE(cudaMallocAsync(&t.pointer, 16, t.goneStream)),
      LINE(cudaErrorMemoryAllocation,
           cudaMallocAsync(&t.pointer, Huge, t.stream)),
      VALUE(cudaMallocFromPoolAsync(&t.pointer, 16, nullptr, t.stream)),
      VALUE(cudaMallocFromPoolAsync(&t.pointer, 16, h, t.stream)),
      VALUE(cudaFreeAsync(h, t.stream)),
      VALUE(cudaFreeAsync(t.pinned, t.stream)),
      HANDLE(cudaFreeAsync(m, t.goneStream)),
      VALUE(cudaDeviceGetDefaultMemPool(nullptr, 0)),
      DEVICE(cudaDeviceGetMemPool(&t.pointer, 77)),
      VALUE(cudaDeviceSetMemPool(0, nullptr)),
      VALUE(cudaMemPoolCreate(nullptr, nullptr)),
      VALUE(cudaMemPoolDestroy(t.pool)),
      VALUE(cudaMemPoolDestroy(nullptr)),
      VALUE(cudaMemPoolTrimTo(nullptr, 0)),
      VALUE(cudaMemPoolGetAttribute(t.pool, 99, &t.size)),
      VALUE(cudaMemPoolGetAttribute(t.pool, 4, nullptr)),
      VALUE(cudaMemPoolSetAttribute(t.pool, 7, &t.size)),
      // Peers and other processes
      VALUE(cudaDeviceCanAccessPeer(nullptr, 0, 0)),
      DEVICE(cudaDeviceCanAccessPeer(&t.number, 0, 77)),
      DEVICE(cudaDeviceEnablePeerAccess(0, 0)),
      DEVICE(cudaDeviceEnablePeerAccess(77, 0)),
      VALUE(cudaDeviceEnablePeerAccess(0, 1)),
      LINE(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0)),
      DEVICE(cudaMemcpyPeer(m, 77, m, 0, 16)),
      HANDLE(cudaMemcpyPeerAsync(m, 0, m, 0, 16, t.goneStream)),
      VALUE(cudaIpcGetMemHandle(nullptr, m)),
      VALUE(cudaIpcGetMemHandle(&t.handle, nullptr)),
      VALUE(cudaIpcOpenMemHandle(nullptr, t.handle, 1)),
      VALUE(cudaIpcOpenMemHandle(&t.pointer, t.handle, 0)),
      VALUE(cudaIpcCloseMemHandle(m)),
      // Graphs
      VALUE(cudaGraphCreate(nullptr, 0)),
      VALUE(cudaGraphCreate(&t.pointer, 1)),
      VALUE(cudaGraphDestroy(t.goneGraph)),
      VALUE(cudaGraphClone(&t.pointer, t.goneGraph)),
      VALUE(cudaGraphAddEmptyNode(nullptr, t.graph, nullptr, 0)),
      VALUE(cudaGraphAddEmptyNode(&t.node, t.goneGraph, nullptr, 0)),
      VALUE(cudaGraphAddEmptyNode(&t.node, t.graph, nullptr, 1)),
      VALUE(cudaGraphGetNodes(t.graph, nullptr, nullptr)),
      VALUE(cudaGraphGetNodes(t.goneGraph, nullptr, &t.size)),
      VALUE(cudaGraphGetEdges(t.graph, &t.node, nullptr, &t.size)),
      VALUE(cudaGraphNodeGetType(nullptr, &t.number)),
      VALUE(cudaGraphInstantiate(nullptr, t.graph, 0)),
      VALUE(cudaGraphInstantiate(&t.pointer, t.goneGraph, 0)),
      VALUE(cudaGraphInstantiate(&t.pointer, t.graph, 1024)),
      VALUE(cudaGraphLaunch(t.goneExec, t.stream)),
      HANDLE(cudaGraphLaunch(t.exec, t.goneStream)),
      VALUE(cudaGraphExecDestroy(t.goneExec)),
      VALUE(cudaGraphDebugDotPrint(t.graph, nullptr, 0)),
      LINE(cudaErrorOperatingSystem,
           cudaGraphDebugDotPrint(t.graph, "/no/such/folder/graph", 0)),
      VALUE(cudaStreamBeginCapture(t.stream, 3)),
      HANDLE(cudaStreamBeginCapture(t.goneStream, 0)),
      LINE(cudaErrorStreamCaptureUnsupported,
           cudaStreamBeginCapture(nullptr, 0)),
      VALUE(cudaStreamEndCapture(t.stream, nullptr)),
      LINE(cudaErrorIllegalState, cudaStreamEndCapture(t.stream, &t.pointer)),
      VALUE(cudaStreamIsCapturing(t.stream, nullptr)),
  };
  cudaGetLastError();
  for (const Call &c : calls) {
    EXPECT_STREQ(cudaGetErrorName(c.call()), cudaGetErrorName(c.expected))
        << c.text;
    EXPECT_EQ(cudaGetLastError(), c.expected) << c.text;
    EXPECT_EQ(cudaMemset(m, 1, 16), cudaSuccess) << "after " << c.text;
    EXPECT_EQ(cudaMemcpy(h, m, 16, ToHost), cudaSuccess) << "after " << c.text;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "after " << c.text;
  }
  std::printf("  %zu wrong calls\n", calls.size());
  for (const cudaError_t error :
       {cudaFree(m), cudaFree(t.managed), cudaFreeHost(t.pinned),
        cudaFreeArray(t.array), cudaGraphExecDestroy(t.exec),
        cudaGraphDestroy(t.graph), cudaStreamDestroy(t.stream),
        cudaEventDestroy(t.event), cudaEventDestroy(t.untimed)})
    EXPECT_EQ(error, cudaSuccess);
}

TEST(Arguments, NothingToDoIsNoError) {
  for (const cudaError_t error :
       {cudaFree(nullptr), cudaFreeHost(nullptr), cudaFreeArray(nullptr),
        cudaFreeAsync(nullptr, nullptr),
        cudaMemcpy(nullptr, nullptr, 0, ToDevice), cudaMemset(nullptr, 0, 0),
        cudaMemcpyAsync(nullptr, nullptr, 0, ToHost, nullptr),
        cudaMemcpy2D(nullptr, 0, nullptr, 0, 0, 5, ToHost),
        cudaMemset2D(nullptr, 0, 0, 5, 0),
        cudaMemset3D({nullptr, 0, 0, 0}, 0, {0, 0, 0})})
    EXPECT_EQ(error, cudaSuccess);
}

} // namespace
