//===- Arguments.h - calls with wrong arguments -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line is a call and the error that CUDA documents for it.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_ARGUMENTS_H
#define CUFORT_TESTS_RUNTIME_ARGUMENTS_H

#include "CudaApi.h"
#include "TestImage.h"
#include <cstdio>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace cufort {

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
  ~Things() {
    for (const cudaError_t error :
         {cudaFree(memory), cudaFree(managed), cudaFreeHost(pinned),
          cudaFreeArray(array), cudaGraphExecDestroy(exec),
          cudaGraphDestroy(graph), cudaStreamDestroy(stream),
          cudaEventDestroy(event), cudaEventDestroy(untimed)})
      EXPECT_EQ(error, cudaSuccess);
  }
};

/// Makes the calls. After each the error must also be the thread's last one,
/// and a little work must succeed.
inline void checkCalls(Things &t, const std::vector<Call> &calls) {
  cudaGetLastError();
  for (const Call &c : calls) {
    EXPECT_STREQ(cudaGetErrorName(c.call()), cudaGetErrorName(c.expected))
        << c.text;
    EXPECT_EQ(cudaGetLastError(), c.expected) << c.text;
    EXPECT_EQ(cudaMemset(t.memory, 1, 16), cudaSuccess) << "after " << c.text;
    EXPECT_EQ(cudaMemcpy(t.host, t.memory, 16, ToHost), cudaSuccess)
        << "after " << c.text;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "after " << c.text;
  }
  std::printf("  %zu wrong calls\n", calls.size());
}

#define LINE(error, call) {#call, error, [&] { return call; }}
#define VALUE(call) LINE(cudaErrorInvalidValue, call)
#define HANDLE(call) LINE(cudaErrorInvalidResourceHandle, call)
#define DEVICE(call) LINE(cudaErrorInvalidDevice, call)

} // namespace cufort

#endif // CUFORT_TESTS_RUNTIME_ARGUMENTS_H
