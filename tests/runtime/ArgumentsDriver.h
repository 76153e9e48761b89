//===- ArgumentsDriver.h - wrong arguments of the driver API ----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line is a call and the error that CUDA documents for it.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_ARGUMENTSDRIVER_H
#define CUFORT_TESTS_RUNTIME_ARGUMENTSDRIVER_H

#include "cuda.h"
#include "cuda_runtime_api.h"
#include <cstdio>
#include <gtest/gtest.h>
#include <vector>

struct WrongCall {
  const char *text;
  CUresult result, expected;
};

#define LINE(expected, call)                                                   \
  WrongCall { #call, call, CUDA_ERROR_##expected }
#define VALUE(call) LINE(INVALID_VALUE, call)
#define HANDLE(call) LINE(INVALID_HANDLE, call)
#define CONTEXT(call) LINE(INVALID_CONTEXT, call)
#define DEVICE(call) LINE(INVALID_DEVICE, call)

inline void check(const std::vector<WrongCall> &calls) {
  for (const WrongCall &each : calls)
    EXPECT_EQ(each.result, each.expected) << each.text;
  std::printf("  %zu wrong calls\n", calls.size());
}

/// Addresses that are no handle of anything, and memory that is.
class DriverArguments : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cuMemAlloc(&memory, 1024), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    ASSERT_EQ(cuEventCreate(&event, CU_EVENT_DEFAULT), CUDA_SUCCESS);
    ASSERT_EQ(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cuGraphDestroy(graph), CUDA_SUCCESS);
    EXPECT_EQ(cuEventDestroy(event), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamDestroy(stream), CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(memory), CUDA_SUCCESS);
    // The runtime API's last error is none of the driver API's business.
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  }

  template <typename Handle> Handle none() {
    return reinterpret_cast<Handle>(&room);
  }

  CUdeviceptr memory = 0;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUgraph graph = nullptr;
  char room[64] = {};
  char text[64] = {};
  int number = 0;
  unsigned count = 0;
  size_t bytes = 0;
  CUdeviceptr place = 0;
  CUcontext context = nullptr;
};

#endif // CUFORT_TESTS_RUNTIME_ARGUMENTSDRIVER_H
