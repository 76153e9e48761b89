//===- Launch.cpp - launches on the CPU engine ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "TestImage.h"
#include <chrono>
#include <cstdio>
#include <gtest/gtest.h>
#include <vector>

using namespace cufort;

namespace {

cudaError_t launch(const void *stub, dim3 grid, dim3 block, void **parameters,
                   size_t shared = 0) {
  return cudaLaunchKernel(stub, grid, block, parameters, shared, nullptr);
}

TEST(Launch, EveryBlockRunsOnce) {
  for (dim3 grid : {dim3{1, 1, 1}, dim3{7, 1, 1}, dim3{1000, 1, 1},
                    dim3{3, 5, 7}, dim3{1, 200, 2}, dim3{1, 1, 33}}) {
    const int n = static_cast<int>(grid.x * grid.y * grid.z * 32);
    double *device;
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), n * 8),
              cudaSuccess);
    std::vector<int> host(n, -1);
    int *out = reinterpret_cast<int *>(device), value = 3, count = n;
    void *parameters[] = {&out, &value, &count};
    ASSERT_EQ(cudaMemset(device, 0, n * 4), cudaSuccess);
    ASSERT_EQ(launch(&testimage::setStub, grid, {32, 1, 1}, parameters),
              cudaSuccess);
    ASSERT_EQ(cudaMemcpy(host.data(), device, n * 4, ToHost), cudaSuccess);
    EXPECT_EQ(host, std::vector<int>(n, 3));
    EXPECT_EQ(cudaFree(device), cudaSuccess);
  }
}

TEST(Launch, LaunchesOfOneStreamRunInOrder) {
  const int n = 5000;
  double *device;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), n * 8), cudaSuccess);
  ASSERT_EQ(cudaMemset(device, 0, n * 8), cudaSuccess);
  double factor = 2;
  int count = n;
  void *parameters[] = {&device, &factor, &count};
  for (int step = 0; step < 20; ++step)
    ASSERT_EQ(launch(&testimage::scaleStub, {79, 1, 1}, {64, 1, 1}, parameters),
              cudaSuccess);
  std::vector<double> host(n);
  ASSERT_EQ(cudaMemcpy(host.data(), device, n * 8, ToHost), cudaSuccess);
  for (int i = 0; i < n; ++i)
    ASSERT_EQ(host[i], i * 1048575.0) << i; // i * (2^20 - 1)
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Launch, ParametersAreCopiedBeforeTheCallReturns) {
  int *device;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), 4096), cudaSuccess);
  int value = 0, n = 1024;
  void *parameters[] = {&device, &value, &n};
  for (value = 1; value <= 100; ++value)
    ASSERT_EQ(launch(&testimage::setStub, {32, 1, 1}, {32, 1, 1}, parameters),
              cudaSuccess);
  value = -5;
  int host[1024];
  ASSERT_EQ(cudaMemcpy(host, device, 4096, ToHost), cudaSuccess);
  for (int x : host)
    ASSERT_EQ(x, 100);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Launch, SharedMemoryAndArenaAreAlignedAndLargeEnough) {
  int *device;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), 400), cudaSuccess);
  void *parameters[] = {&device};
  for (unsigned threads : {1u, 31u, 64u, 100u, 1024u}) {
    ASSERT_EQ(launch(&testimage::sharedSumStub, {100, 1, 1}, {threads, 1, 1},
                     parameters, threads * 4),
              cudaSuccess);
    int host[100];
    ASSERT_EQ(cudaMemcpy(host, device, 400, ToHost), cudaSuccess);
    for (int sum : host)
      ASSERT_EQ(sum, static_cast<int>(threads * (threads - 1) / 2));
  }
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Launch, TakesTheCodeOfTheMachineAndTheShape) {
  const int machine = __builtin_cpu_supports("x86-64-v4")   ? 4
                      : __builtin_cpu_supports("x86-64-v3") ? 3
                                                            : 2;
  int *device, level;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), 4), cudaSuccess);
  void *parameters[] = {&device};
  const auto levelFor = [&](dim3 block) {
    EXPECT_EQ(launch(&testimage::levelStub, {1, 1, 1}, block, parameters),
              cudaSuccess);
    EXPECT_EQ(cudaMemcpy(&level, device, 4, ToHost), cudaSuccess);
    return level;
  };
  EXPECT_EQ(levelFor({9, 1, 1}), machine);
  EXPECT_EQ(levelFor({1, 8, 1}), machine);
  EXPECT_EQ(levelFor({8, 1, 2}), machine);
  EXPECT_EQ(levelFor({8, 1, 1}), machine == 2 ? 2 : 10 + machine);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Launch, LimitsAreThoseOfAGpu) {
  const auto config = [](dim3 grid, dim3 block, size_t shared = 0,
                         const void *stub = &testimage::emptyStub) {
    cudaError_t error = launch(stub, grid, block, nullptr, shared);
    EXPECT_EQ(cudaGetLastError(), error);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    return error;
  };
  EXPECT_EQ(config({1, 1, 1}, {1024, 1, 1}), cudaSuccess);
  EXPECT_EQ(config({1, 1, 1}, {1, 1024, 1}), cudaSuccess);
  EXPECT_EQ(config({1, 1, 1}, {4, 4, 64}), cudaSuccess);
  EXPECT_EQ(config({1, 1, 1}, {1025, 1, 1}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(config({1, 1, 1}, {32, 33, 1}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(config({1, 1, 1}, {1, 1, 65}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(config({0, 1, 1}, {1, 1, 1}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(config({1, 1, 1}, {0, 1, 1}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(config({1, 65535, 1}, {1, 1, 1}), cudaSuccess);
  EXPECT_EQ(config({1, 65536, 1}, {1, 1, 1}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(config({1, 1, 65536}, {1, 1, 1}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(config({0x80000000u, 1, 1}, {1, 1, 1}),
            cudaErrorInvalidConfiguration);
  EXPECT_EQ(config({1, 1, 1}, {1, 1, 1}, 227 * 1024), cudaSuccess);
  EXPECT_EQ(config({1, 1, 1}, {1, 1, 1}, 227 * 1024 + 1),
            cudaErrorInvalidConfiguration);
  EXPECT_EQ(config({1, 1, 1}, {64, 1, 1}, 0, &testimage::boundedStub),
            cudaSuccess);
  EXPECT_EQ(config({1, 1, 1}, {65, 1, 1}, 0, &testimage::boundedStub),
            cudaErrorInvalidConfiguration);
  EXPECT_EQ(config({1, 1, 1}, {1, 1, 1}, 0, &testimage::unknownStub),
            cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(config({1, 1, 1}, {1, 1, 1}, 0, &testimage::gpuOnlyStub),
            cudaErrorNoKernelImageForDevice);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(Launch, CooperativeBlocksMeetAtGridBarriers) {
  const unsigned blocks = 300;
  int *device;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), (blocks + 1) * 4),
            cudaSuccess);
  ASSERT_EQ(cudaMemset(device, 0, (blocks + 1) * 4), cudaSuccess);
  void *parameters[] = {&device};
  ASSERT_EQ(cudaLaunchCooperativeKernel(&testimage::gridBarrierStub,
                                        {blocks, 1, 1}, {32, 1, 1}, parameters,
                                        0, nullptr),
            cudaSuccess);
  std::vector<int> host(blocks + 1);
  ASSERT_EQ(cudaMemcpy(host.data(), device, host.size() * 4, ToHost),
            cudaSuccess);
  EXPECT_EQ(host, std::vector<int>(blocks + 1, blocks));
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Launch, ConfigurationsOfChevronsNest) {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
            cudaErrorMissingConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMissingConfiguration);
  __cudaPushCallConfiguration({1, 2, 3}, {4, 5, 6}, 7, nullptr);
  __cudaPushCallConfiguration({8, 1, 1}, {1, 1, 1}, 9, nullptr);
  ASSERT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
            cudaSuccess);
  EXPECT_EQ(grid.x, 8u);
  EXPECT_EQ(shared, 9u);
  ASSERT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
            cudaSuccess);
  EXPECT_EQ(grid.z, 3u);
  EXPECT_EQ(block.y, 5u);
}

TEST(Launch, KernelAttributes) {
  cudaFuncAttributes a;
  ASSERT_EQ(cudaFuncGetAttributes(&a, &testimage::boundedStub), cudaSuccess);
  EXPECT_EQ(a.maxThreadsPerBlock, 64);
  ASSERT_EQ(cudaFuncGetAttributes(&a, &testimage::sharedSumStub), cudaSuccess);
  EXPECT_EQ(a.sharedSizeBytes, 16u);
  EXPECT_EQ(a.maxThreadsPerBlock, 1024);
  EXPECT_EQ(cudaFuncGetAttributes(&a, &testimage::unknownStub),
            cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDeviceFunction);
}

TEST(Symbols, AddressSizeAndCopies) {
  void *address;
  ASSERT_EQ(cudaGetSymbolAddress(&address, testimage::deviceVariableShadow),
            cudaSuccess);
  EXPECT_EQ(address, &testimage::deviceVariable);
  size_t size;
  ASSERT_EQ(cudaGetSymbolSize(&size, testimage::deviceVariableShadow),
            cudaSuccess);
  EXPECT_EQ(size, sizeof(int));
  int value = 42, back = 0;
  EXPECT_EQ(cudaMemcpyToSymbol(testimage::deviceVariableShadow, &value, 4, 0,
                               ToDevice),
            cudaSuccess);
  EXPECT_EQ(testimage::deviceVariable, 42);
  EXPECT_EQ(cudaMemcpyFromSymbol(&back, testimage::deviceVariableShadow, 4, 0,
                                 ToHost),
            cudaSuccess);
  EXPECT_EQ(back, 42);
  EXPECT_EQ(cudaMemcpyToSymbol(testimage::deviceVariableShadow, &value, 4, 1,
                               ToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetSymbolAddress(&address, &value), cudaErrorInvalidSymbol);
  cudaGetLastError();
}

// Printed, not judged: the machine may be busy.
TEST(Launch, Latency) {
  const int rounds = 5000;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    ASSERT_EQ(launch(&testimage::emptyStub, {1, 1, 1}, {32, 1, 1}, nullptr),
              cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  const std::chrono::duration<double, std::micro> time =
      std::chrono::steady_clock::now() - start;
  std::printf("  empty launch and synchronise: %.2f microseconds\n",
              time.count() / rounds);
}

} // namespace
