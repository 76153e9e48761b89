//===- PublicArguments.h - wrong calls by the public header -----*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As Arguments.h, for functions whose parameters only the public header has.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_PUBLICARGUMENTS_H
#define CUFORT_TESTS_RUNTIME_PUBLICARGUMENTS_H

#include "TestImage.h"
#include "cuda_runtime_api.h"
#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace publicapi {

struct Call {
  const char *text;
  cudaError_t expected;
  std::function<cudaError_t()> call;
};

/// Makes the calls. After each the error must also be the thread's last one,
/// and a little work must succeed.
inline void checkCalls(const std::vector<Call> &calls) {
  char *memory = nullptr, host[16];
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&memory), 16), cudaSuccess);
  cudaGetLastError();
  for (const Call &c : calls) {
    EXPECT_STREQ(cudaGetErrorName(c.call()), cudaGetErrorName(c.expected))
        << c.text;
    EXPECT_EQ(cudaGetLastError(), c.expected) << c.text;
    EXPECT_EQ(cudaMemset(memory, 1, 16), cudaSuccess) << "after " << c.text;
    EXPECT_EQ(cudaMemcpy(host, memory, 16, cudaMemcpyDeviceToHost), cudaSuccess)
        << "after " << c.text;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "after " << c.text;
  }
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

#define LINE(error, call) {#call, error, [&] { return call; }}
#define VALUE(call) LINE(cudaErrorInvalidValue, call)
#define HANDLE(call) LINE(cudaErrorInvalidResourceHandle, call)
#define DEVICE(call) LINE(cudaErrorInvalidDevice, call)
#define REFUSED(call) LINE(cudaErrorNotSupported, call)

} // namespace publicapi

#endif // CUFORT_TESTS_RUNTIME_PUBLICARGUMENTS_H
