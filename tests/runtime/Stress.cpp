//===- Stress.cpp - many threads, many streams ----------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "TestImage.h"
#include <atomic>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <vector>

using namespace cufort;

namespace {

// Host threads with streams of their own launch, copy, record and wait at
// random; every stream's data must come out as if it ran alone.
TEST(Stress, IndependentStreams) {
  const int hostThreads = 4, rounds = 150, n = 3000;
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int id = 0; id < hostThreads; ++id)
    threads.emplace_back([&, id] {
      std::mt19937 random(static_cast<unsigned>(id));
      cudaStream_t stream;
      cudaEvent_t event;
      double *device;
      if (cudaStreamCreateWithFlags(&stream, id % 2) != cudaSuccess ||
          cudaEventCreate(&event) != cudaSuccess ||
          cudaMalloc(reinterpret_cast<void **>(&device), n * 8) !=
              cudaSuccess) {
        ++failures;
        return;
      }
      std::vector<double> expected(n, 0.0), host(n, 0.0);
      cudaMemcpyAsync(device, host.data(), n * 8, ToDevice, stream);
      for (int round = 0; round < rounds; ++round) {
        double factor = 0.5;
        int count = n;
        void *parameters[] = {&device, &factor, &count};
        switch (random() % 5) {
        case 0:
          cudaMemcpyAsync(host.data(), device, n * 8, ToHost, stream);
          if (host != expected)
            ++failures;
          break;
        case 1:
          cudaEventRecord(event, stream);
          cudaStreamWaitEvent(stream, event, 0);
          break;
        case 2:
          cudaEventRecord(event, stream);
          cudaEventSynchronize(event);
          break;
        default:
          if (cudaLaunchKernel(&testimage::scaleStub, {94, 1, 1}, {32, 1, 1},
                               parameters, 0, stream) != cudaSuccess)
            ++failures;
          for (int i = 0; i < n; ++i)
            expected[i] = expected[i] * factor + i;
        }
      }
      cudaStreamSynchronize(stream);
      cudaMemcpy(host.data(), device, n * 8, ToHost);
      if (host != expected)
        ++failures;
      if (cudaFree(device) != cudaSuccess ||
          cudaEventDestroy(event) != cudaSuccess ||
          cudaStreamDestroy(stream) != cudaSuccess)
        ++failures;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
}

// Streams that hand one array around by events.
TEST(Stress, ChainsAcrossStreams) {
  const int n = 2000, steps = 400;
  std::vector<cudaStream_t> streams(5);
  for (auto &stream : streams)
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, 1), cudaSuccess);
  cudaEvent_t event;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  double *device;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), n * 8), cudaSuccess);
  ASSERT_EQ(cudaMemset(device, 0, n * 8), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  double factor = 0.25;
  int count = n;
  void *parameters[] = {&device, &factor, &count};
  std::vector<double> expected(n, 0.0), host(n);
  for (int step = 0; step < steps; ++step) {
    cudaStream_t stream = streams[static_cast<size_t>(step) % streams.size()];
    if (step)
      ASSERT_EQ(cudaStreamWaitEvent(stream, event, 0), cudaSuccess);
    ASSERT_EQ(cudaLaunchKernel(&testimage::scaleStub, {63, 1, 1}, {32, 1, 1},
                               parameters, 0, stream),
              cudaSuccess);
    ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
    for (int i = 0; i < n; ++i)
      expected[i] = expected[i] * factor + i;
  }
  ASSERT_EQ(cudaEventSynchronize(event), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(host.data(), device, n * 8, ToHost), cudaSuccess);
  EXPECT_TRUE(host == expected);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  for (auto stream : streams)
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

} // namespace
