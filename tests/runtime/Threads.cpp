//===- Threads.cpp - the threads that run kernels -------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each test runs in a fresh process, so the environment can be set before the
// device is chosen.
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "TestImage.h"
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <vector>

using namespace cufort;

namespace {

class Threads : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

int multiprocessors() {
  int count = 0;
  cudaDeviceGetAttribute(&count, 16, 0);
  return count;
}

TEST_F(Threads, TheAffinityMaskCountsAsCores) {
  const auto program = [] {
    unsetenv("CUFORT_NUM_THREADS");
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(sched_getcpu(), &set);
    sched_setaffinity(0, sizeof(set), &set);
    std::exit(cudaLaunchKernel(&testimage::emptyStub, {1, 1, 1}, {1, 1, 1},
                               nullptr, 0, nullptr) == cudaSuccess &&
                      cudaDeviceSynchronize() == cudaSuccess
                  ? 8 + multiprocessors()
                  : 1);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

/// Pages of \p memory that the system has given.
size_t pagesOf(void *memory, size_t bytes) {
  std::vector<unsigned char> resident(bytes / 4096);
  if (mincore(memory, bytes, resident.data()))
    return ~size_t(0);
  return static_cast<size_t>(
      std::count_if(resident.begin(), resident.end(),
                    [](unsigned char page) { return page & 1; }));
}

// Where pages lie is decided by who touches them first: allocating touches
// none, a kernel those that its blocks write and no others.
TEST_F(Threads, MemoryIsPlacedByWhoTouchesItFirst) {
  const auto program = [] {
    const size_t huge = size_t(2) << 20, bytes = 32 * huge;
    char *memory = nullptr;
    if (cudaMalloc(reinterpret_cast<void **>(&memory), bytes) != cudaSuccess)
      std::exit(1);
    if (pagesOf(memory, bytes) != 0)
      std::exit(2);
    char *middle = memory + bytes / 2;
    int value = 1, n = 4096 / 4;
    void *parameters[] = {&middle, &value, &n};
    cudaLaunchKernel(&testimage::setStub, {4, 1, 1}, {256, 1, 1}, parameters, 0,
                     nullptr);
    if (cudaDeviceSynchronize() != cudaSuccess)
      std::exit(3);
    const size_t placed = pagesOf(middle, huge);
    if (!placed || pagesOf(memory, bytes) != placed)
      std::exit(4);
    cudaMemset(memory, 0, bytes);
    cudaDeviceSynchronize();
    std::exit(pagesOf(memory, bytes) == bytes / 4096 ? 9 : 5);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(9), "");
}

// Every block waits for the one before: all must be running, in order, however
// many threads share a core.
TEST_F(Threads, BlocksMayWaitForEarlierBlocks) {
  const auto program = [](const char *threads) {
    setenv("CUFORT_NUM_THREADS", threads, 1);
    const int blocks = 3000;
    int *flags;
    cudaMallocManaged(reinterpret_cast<void **>(&flags), 4 * (blocks + 1), 1);
    std::fill_n(flags, blocks + 1, 0);
    flags[0] = 1;
    void *parameters[] = {&flags};
    cudaLaunchKernel(&testimage::chainStub, {unsigned(blocks), 1, 1}, {1, 1, 1},
                     parameters, 0, nullptr);
    const cudaError_t error = cudaDeviceSynchronize();
    std::exit(error == cudaSuccess && flags[blocks] == blocks + 1 ? 9 : 1);
  };
  for (const char *threads : {"1", "2", "8"})
    EXPECT_EXIT(program(threads), testing::ExitedWithCode(9), "") << threads;
}

} // namespace
