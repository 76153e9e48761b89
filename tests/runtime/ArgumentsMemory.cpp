//===- ArgumentsMemory.cpp - wrong arguments: arrays, peers, sizes --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include <cstdint>

using namespace cufort;

// In the library only, for programs compiled with NVIDIA's header.
extern "C" cudaError_t cudaEventElapsedTime_v2(float *time, cudaEvent_t start,
                                               cudaEvent_t end);

namespace {

constexpr size_t Most = SIZE_MAX;

TEST(Arguments, OfArraysAndBoxes) {
  Things t;
  char *const m = t.memory;
  char *const h = t.host;
  const auto boxOf = [&](void *to, void *from, cudaExtent extent) {
    cudaMemcpy3DParms box{};
    box.srcPtr = {from, 64, 64, 8};
    box.dstPtr = {to, 64, 64, 8};
    box.extent = extent;
    box.kind = ToDevice;
    return box;
  };
  const cudaMemcpy3DParms good = boxOf(m, h, {16, 2, 2}),
                          deep = boxOf(m, h, {64, 8, 9}),
                          high = boxOf(m, h, {16, 9, 2}),
                          broad = boxOf(m, h, {65, 2, 2}),
                          highSlice = boxOf(m, h, {16, 9, 1}),
                          broadRow = boxOf(m, h, {65, 1, 1});
  cudaMemcpy3DParms outside = good, gone = good, both = good, odd = good;
  outside.dstPos = {0, 0, 8};
  gone.dstPtr = {};
  gone.dstArray = t.goneArray;
  both.dstArray = t.array;
  odd.kind = NoKind;
  cudaMemcpy3DParms shifted = good, lowered = good, nothing = odd;
  shifted.srcPos = {60, 0, 0};
  lowered.dstPos = {0, 7, 0};
  nothing.extent.width = 0;
  cudaMemcpy3DParms beyond = good;
  beyond.dstPtr = {};
  beyond.dstArray = t.array;
  beyond.dstPos = {10, 0, 0};
  beyond.extent = {7, 1, 1};
  const auto peerBox = [&](int to, int from, void *memory) {
    cudaMemcpy3DPeerParms box{};
    box.srcPtr = {m, 64, 64, 8};
    box.dstPtr = {memory, 64, 64, 8};
    box.srcDevice = from;
    box.dstDevice = to;
    box.extent = {16, 2, 2};
    return box;
  };
  const cudaMemcpy3DPeerParms goodPeer = peerBox(0, 0, m + 2048),
                              noDevice = peerBox(77, 0, m),
                              noSource = peerBox(0, -1, m),
                              nowhere = peerBox(0, 0, nullptr);
  checkCalls(
      t,
      {
          VALUE(cudaMemcpy3DAsync(nullptr, t.stream)),
          HANDLE(cudaMemcpy3DAsync(&good, t.goneStream)),
          VALUE(cudaMemcpy3DAsync(&deep, t.stream)),
          LINE(cudaErrorInvalidPitchValue, cudaMemcpy3DAsync(&high, t.stream)),
          VALUE(cudaMemcpy3D(&highSlice)),
          VALUE(cudaMemcpy3D(&broadRow)),
          VALUE(cudaMemcpy3D(&shifted)),
          VALUE(cudaMemcpy3D(&lowered)),
          LINE(cudaSuccess, cudaMemcpy3D(&nothing)),
          VALUE(cudaMemcpy3D(&outside)),
          VALUE(cudaMemcpy3D(&both)),
          VALUE(cudaMemcpy3D(&beyond)),
          HANDLE(cudaMemcpy3D(&gone)),
          LINE(cudaErrorInvalidPitchValue, cudaMemcpy3D(&broad)),
          LINE(cudaErrorInvalidMemcpyDirection, cudaMemcpy3D(&odd)),
          VALUE(cudaMemcpy3DPeer(nullptr)),
          DEVICE(cudaMemcpy3DPeer(&noDevice)),
          DEVICE(cudaMemcpy3DPeer(&noSource)),
          VALUE(cudaMemcpy3DPeer(&nowhere)),
          VALUE(cudaMemcpy3DPeerAsync(nullptr, t.stream)),
          DEVICE(cudaMemcpy3DPeerAsync(&noDevice, t.stream)),
          VALUE(cudaMemcpy3DPeerAsync(&nowhere, t.stream)),
          HANDLE(cudaMemcpy3DPeerAsync(&goodPeer, t.goneStream)),
          VALUE(cudaMemcpy2DArrayToArray(nullptr, 0, 0, t.array, 0, 0, 64, 8,
                                         OnDevice)),
          VALUE(cudaMemcpy2DArrayToArray(t.array, 0, 0, t.array, 0, 0, 65, 1,
                                         OnDevice)),
          VALUE(cudaMemcpy2DArrayToArray(t.array, 8, 0, t.array, 0, 0, 64, 1,
                                         OnDevice)),
          VALUE(cudaMemcpy2DArrayToArray(t.array, 0, 0, t.array, 0, 9, 64, 8,
                                         OnDevice)),
          HANDLE(cudaMemcpy2DArrayToArray(t.goneArray, 0, 0, t.array, 0, 0, 16,
                                          1, OnDevice)),
          HANDLE(cudaMemcpy2DArrayToArray(t.array, 0, 0, t.goneArray, 0, 0, 16,
                                          1, OnDevice)),
          HANDLE(cudaMemcpy2DFromArrayAsync(h, 64, t.goneArray, 0, 0, 16, 1,
                                            ToHost, t.stream)),
          HANDLE(cudaMemcpy2DFromArrayAsync(h, 64, t.array, 0, 0, 16, 1, ToHost,
                                            t.goneStream)),
          VALUE(cudaMemcpy2DFromArrayAsync(h, 64, t.array, 0, 16, 16, 1, ToHost,
                                           t.stream)),
          LINE(cudaErrorInvalidPitchValue,
               cudaMemcpy2DFromArrayAsync(h, 8, t.array, 0, 0, 16, 2, ToHost,
                                          t.stream)),
          HANDLE(cudaMemcpy2DToArrayAsync(t.goneArray, 0, 0, h, 64, 16, 1,
                                          ToDevice, t.stream)),
          HANDLE(cudaMemcpy2DToArrayAsync(t.array, 0, 0, h, 64, 16, 1, ToDevice,
                                          t.goneStream)),
          VALUE(cudaMemcpy2DToArrayAsync(t.array, 0, 0, nullptr, 64, 16, 1,
                                         ToDevice, t.stream)),
          HANDLE(cudaMemcpyToArrayAsync(t.goneArray, 0, 0, h, 4, ToDevice,
                                        t.stream)),
          HANDLE(cudaMemcpyToArrayAsync(t.array, 0, 0, h, 4, ToDevice,
                                        t.goneStream)),
          VALUE(cudaMemcpyToArrayAsync(t.array, 0, 0, h, 16 * 64 + 4, ToDevice,
                                       t.stream)),
          HANDLE(cudaMemcpyFromArrayAsync(h, t.goneArray, 0, 0, 4, ToHost,
                                          t.stream)),
          HANDLE(cudaMemcpyFromArrayAsync(h, t.array, 0, 0, 4, ToHost,
                                          t.goneStream)),
          VALUE(
              cudaMemcpyFromArrayAsync(h, t.array, 0, 16, 4, ToHost, t.stream)),
          HANDLE(cudaMemcpyArrayToArray(t.goneArray, 0, 0, t.array, 0, 0, 4,
                                        OnDevice)),
          HANDLE(cudaMemcpyArrayToArray(t.array, 0, 0, t.goneArray, 0, 0, 4,
                                        OnDevice)),
          VALUE(cudaMemcpyArrayToArray(t.array, 0, 0, t.array, 0, 16, 4,
                                       OnDevice)),
          HANDLE(cudaArrayGetInfo(&t.format, nullptr, nullptr, nullptr)),
          VALUE(cudaMemset2DAsync(m, 8, 0, 9, 2, t.stream)),
          HANDLE(cudaMemset2DAsync(m, 8, 0, 8, 2, t.goneStream)),
          VALUE(cudaMemset2DAsync(nullptr, 8, 0, 8, 2, t.stream)),
          VALUE(cudaMemset2DAsync(m, 1024, 0, 8, 6, t.stream)),
          HANDLE(cudaMemset3DAsync({m, 64, 8, 4}, 0, {8, 4, 2}, t.goneStream)),
          VALUE(cudaMemset3DAsync({m, 64, 8, 4}, 0, {8, 5, 2}, t.stream)),
          VALUE(cudaMemset3DAsync({nullptr, 64, 8, 4}, 0, {8, 4, 2}, t.stream)),
      });
}

// As an H200 with CUDA 13 has them.
TEST(Arguments, OfTheShapesOfArrays) {
  Things t;
  const cudaChannelFormatDesc three{32, 32, 32, 0, 2};
  constexpr unsigned Layered = 1, Surface = 2, Cube = 4, Gather = 8;
  const auto shape = [&](cudaExtent extent, unsigned flags) {
    return cudaMalloc3DArray(&t.pointer, &t.format, extent, flags);
  };
  const auto made = [&](cudaExtent extent, unsigned flags) {
    const cudaError_t error = shape(extent, flags);
    return error == cudaSuccess ? cudaFreeArray(t.pointer) : error;
  };
  checkCalls(t, {
                    LINE(cudaErrorInvalidChannelDescriptor,
                         cudaMallocArray(&t.pointer, &three, 4, 4, 0)),
                    VALUE(shape({131073, 0, 0}, 0)),
                    VALUE(shape({4, 65537, 0}, 0)),
                    VALUE(shape({16385, 4, 4}, 0)),
                    VALUE(shape({40000, 0, 0}, Surface)),
                    VALUE(shape({64, 64, 0}, Layered)),
                    VALUE(shape({64, 64, 2049}, Layered)),
                    VALUE(shape({32769, 0, 4}, Layered)),
                    VALUE(shape({64, 64, 5}, Cube)),
                    VALUE(shape({64, 32, 6}, Cube)),
                    VALUE(shape({64, 64, 12}, Cube)),
                    VALUE(shape({64, 64, 13}, Cube | Layered)),
                    VALUE(shape({64, 64, 4}, Gather)),
                    VALUE(shape({64, 0, 0}, Gather)),
                    VALUE(shape({64, 64, 0}, 16)),
                    VALUE(shape({64, 64, 0}, 32)), // for graphics
                    LINE(cudaSuccess, made({64, 64, 0}, 256)),
                    VALUE(shape({16384, 4, 16385}, 0)),
                    LINE(cudaSuccess, made({4, 4, 16385}, 0)),
                    LINE(cudaSuccess, made({131072, 0, 0}, 0)),
                    LINE(cudaSuccess, made({64, 0, 4}, Layered)),
                    LINE(cudaSuccess, made({64, 64, 6}, Cube)),
                    LINE(cudaSuccess, made({64, 64, 12}, Cube | Layered)),
                    LINE(cudaSuccess, made({64, 64, 0}, Gather)),
                });
}

// Products of sizes that exceed every number must not look small.
TEST(Arguments, SizesBeyondAllNumbers) {
  Things t;
  char *const m = t.memory;
  char *const h = t.host;
  constexpr size_t Half = size_t(1) << 32;
  cudaMemcpy3DParms box{};
  box.srcPtr = {h, Half, Half, Half};
  box.dstPtr = {m, Half, Half, Half};
  box.extent = {8, 1, Half + 1};
  box.kind = ToDevice;
  const cudaMemsetParams fill{m, Half, 1, 1, 8, Half + 1};
  checkCalls(
      t,
      {
          VALUE(cudaMemcpy2D(m, Half, h, Half, 8, Half + 1, ToDevice)),
          VALUE(cudaMemcpy2DAsync(m, Half, t.pinned, Half, 8, Half + 1,
                                  ToDevice, t.stream)),
          VALUE(cudaMemcpy3D(&box)),
          VALUE(cudaMemset2D(m, Half, 0, 8, Half + 1)),
          VALUE(cudaMemset3D({m, Half, 8, Half}, 0, {8, Half, Half})),
          VALUE(cudaMemcpy(m, h, Most, ToDevice)),
          VALUE(cudaMemset(m, 0, Most)),
          LINE(cudaErrorMemoryAllocation, cudaMalloc(&t.pointer, Most)),
          VALUE(cudaMallocPitch(&t.pointer, &t.size, Most, 1)),
          VALUE(cudaMallocPitch(&t.pointer, &t.size, Half, Half)),
          VALUE(cudaMalloc3D(&t.pitched, {Most, 1, 1})),
          VALUE(cudaMallocArray(&t.pointer, &t.format, (Most >> 2) - 1, 0, 0)),
          VALUE(
              cudaMalloc3DArray(&t.pointer, &t.format, {Half, Half, Half}, 0)),
          LINE(cudaErrorMemoryAllocation,
               cudaMallocAsync(&t.pointer, Most, t.stream)),
          LINE(cudaErrorMemoryAllocation, cudaMallocHost(&t.pointer, Most)),
          VALUE(cudaHostRegister(h, Most, 0)),
          VALUE(cudaMemPrefetchAsync(t.managed, Most, 0, nullptr)),
          VALUE(cudaMemcpyToSymbol(testimage::deviceVariableShadow, h, 4, Most,
                                   ToDevice)),
          VALUE(cudaMemcpyPeer(m, 0, m, 0, Most)),
          VALUE(cudaGraphAddMemsetNode(&t.node, t.graph, nullptr, 0, &fill)),
      });
  t.pointer = m;
  EXPECT_EQ(cudaMallocPitch(&t.pointer, &t.size, Half, Half),
            cudaErrorInvalidValue);
  EXPECT_EQ(t.pointer, nullptr);
  EXPECT_EQ(cudaHostGetFlags(&t.flags, t.managed), cudaSuccess);
  cudaGetLastError();
}

TEST(Arguments, OfWhatIsLeft) {
  Things t;
  char *const m = t.memory;
  char *const h = t.host;
  void *data[] = {&t.number};
  size_t sizes[] = {4};
  int attributes[] = {1}, unknownAttributes[] = {99};
  cudaIpcEventHandle_t event{};
  const auto place = [](int type, int id) { return cudaMemLocation{type, id}; };
  const char *name;
  void *parameters[] = {&t.memory};
  const dim3 one{1, 1, 1};
  checkCalls(
      t,
      {
          DEVICE(cudaDeviceGetP2PAttribute(&t.number, 1, 0, 0)),
          DEVICE(cudaDeviceGetP2PAttribute(&t.number, 1, 0, 77)),
          VALUE(cudaDeviceGetP2PAttribute(nullptr, 1, 0, 0)),
          DEVICE(cudaDeviceGetP2PAttribute(&t.number, 99, 0, 0)),
          DEVICE(cudaDeviceDisablePeerAccess(77)),
          DEVICE(cudaMemcpyPeer(m, 0, m, -1, 16)),
          LINE(cudaSuccess, cudaMemcpyPeer(m, 77, m, 0, 0)),
          VALUE(cudaMemcpyPeer(nullptr, 0, m, 0, 16)),
          VALUE(cudaMemcpyPeer(m, 0, m, 0, 4097)),
          VALUE(cudaEventElapsedTime_v2(nullptr, t.event, t.event)),
          HANDLE(cudaEventElapsedTime_v2(&t.time, t.goneEvent, t.event)),
          VALUE(cudaFuncGetName(nullptr, t.kernel)),
          LINE(cudaErrorInvalidDeviceFunction,
               cudaFuncGetName(&name, t.noKernel)),
          LINE(cudaErrorInvalidDeviceFunction,
               cudaFuncSetSharedMemConfig(t.noKernel, 0)),
          VALUE(cudaSetDoubleForHost(nullptr)),
          LINE(cudaErrorInvalidDeviceFunction,
               cudaLaunchCooperativeKernel(t.noKernel, one, one, parameters, 0,
                                           nullptr)),
          LINE(cudaErrorInvalidConfiguration,
               cudaLaunchCooperativeKernel(&testimage::gridBarrierStub,
                                           {0, 1, 1}, one, parameters, 0,
                                           nullptr)),
          HANDLE(cudaLaunchCooperativeKernel(&testimage::gridBarrierStub, one,
                                             one, parameters, 0, t.goneStream)),
          VALUE(cudaLaunchCooperativeKernel(&testimage::gridBarrierStub, one,
                                            one, parameters, Huge, nullptr)),
          VALUE(cudaOccupancyAvailableDynamicSMemPerBlock(nullptr, t.kernel, 1,
                                                          32)),
          VALUE(cudaOccupancyAvailableDynamicSMemPerBlock(&t.size, t.kernel, 0,
                                                          32)),
          VALUE(cudaOccupancyAvailableDynamicSMemPerBlock(&t.size, t.kernel, 1,
                                                          0)),
          LINE(cudaErrorInvalidDeviceFunction,
               cudaOccupancyAvailableDynamicSMemPerBlock(&t.size, t.noKernel, 1,
                                                         32)),
          LINE(cudaErrorMissingConfiguration,
               __cudaPopCallConfiguration(nullptr, nullptr, nullptr, nullptr)),
          HANDLE(cudaIpcGetEventHandle(nullptr, t.event)),
          HANDLE(cudaIpcGetEventHandle(&event, t.event)),
          VALUE(cudaIpcOpenEventHandle(nullptr, event)),
          LINE(cudaErrorMapBufferObjectFailed,
               cudaIpcOpenEventHandle(&t.pointer, event)),
          VALUE(cudaMemAdvise_v2(t.managed, 16, 99, place(1, 0))),
          VALUE(cudaMemAdvise_v2(h, 16, 1, place(1, 0))),
          VALUE(cudaMemAdvise_v2(t.managed, 16, 3, place(1, 77))),
          VALUE(cudaMemAdvise_v2(t.managed, 16, 5, place(0, 0))),
          VALUE(
              cudaMemPrefetchAsync_v2(t.managed, 16, place(0, 0), 0, nullptr)),
          VALUE(
              cudaMemPrefetchAsync_v2(t.managed, 16, place(1, 0), 1, nullptr)),
          VALUE(cudaMemPrefetchAsync_v2(m, 16, place(1, 0), 0, nullptr)),
          DEVICE(
              cudaMemPrefetchAsync_v2(t.managed, 16, place(1, 77), 0, nullptr)),
          HANDLE(cudaMemPrefetchAsync_v2(t.managed, 16, place(1, 0), 0,
                                         t.goneStream)),
          VALUE(cudaMemRangeGetAttributes(nullptr, sizes, attributes, 1,
                                          t.managed, 16)),
          VALUE(cudaMemRangeGetAttributes(data, nullptr, attributes, 1,
                                          t.managed, 16)),
          VALUE(cudaMemRangeGetAttributes(data, sizes, nullptr, 1, t.managed,
                                          16)),
          VALUE(cudaMemRangeGetAttributes(data, sizes, attributes, 0, t.managed,
                                          16)),
          VALUE(cudaMemRangeGetAttributes(data, sizes, unknownAttributes, 1,
                                          t.managed, 16)),
          VALUE(cudaMemRangeGetAttributes(data, sizes, attributes, 1, h, 16)),
          LINE(cudaErrorInvalidSymbol,
               cudaMemcpyFromSymbolAsync(h, h, 4, 0, ToHost, t.stream)),
          VALUE(cudaMemcpyFromSymbolAsync(h, testimage::deviceVariableShadow, 4,
                                          1, ToHost, t.stream)),
          HANDLE(cudaMemcpyFromSymbolAsync(t.pinned,
                                           testimage::deviceVariableShadow, 4,
                                           0, ToHost, t.goneStream)),
          VALUE(cudaMemcpyFromSymbolAsync(nullptr,
                                          testimage::deviceVariableShadow, 4, 0,
                                          ToHost, t.stream)),
          HANDLE(cudaEventQuery(nullptr)),
          HANDLE(cudaEventSynchronize(nullptr)),
          HANDLE(cudaEventRecord(nullptr, t.stream)),
          HANDLE(cudaStreamGetId(
              t.goneStream,
              reinterpret_cast<unsigned long long *>(&t.pointer))),
          VALUE(cudaFreeAsync(m + 1, t.stream)),
          VALUE(cudaFree(m + 4096)),
          VALUE(cudaFree(t.array)),
      });
}

// Twice is once too often, and memory of the wrong kind is not freed.
TEST(Arguments, SecondFreesAreRefused) {
  void *device, *pinned, *managed;
  ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 100, 1), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeAsync(device, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaErrorInvalidValue);
  ASSERT_EQ(cudaMallocAsync(&device, 100, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(device, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(device, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  cudaGetLastError();
}

} // namespace
