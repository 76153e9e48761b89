//===- Work.h - kernels, streams, threads and nodes -------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_TESTS_RUNTIME_RECORDED_WORK_H
#define CUFORT_TESTS_RUNTIME_RECORDED_WORK_H

#include "Recording.h"
#include <thread>

static __global__ void empty() {}
static __global__ void set(int *values, int value) {
  values[threadIdx.x] = value;
}
/// Runs until the host says so.
static __global__ void waits(volatile int *flag) {
  while (!*flag)
    ;
}
static __global__ void __launch_bounds__(128) bounded() {}
static __global__ void dynamic(int *values) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = 1;
  __syncthreads();
  if (values)
    values[threadIdx.x] = shared[threadIdx.x];
}

static void CUDART_CB nothing(void *) {}
static void CUDART_CB callback(cudaStream_t, cudaError_t, void *) {}

static int number;
/// The second of these does not wait for the others.
static cudaStream_t second, nonBlocking;

/// allocate() and the streams.
inline void allocateStreams() {
  allocate();
  SETUP(cudaStreamCreate(&second));
  SETUP(cudaStreamCreateWithFlags(&nonBlocking, cudaStreamNonBlocking));
}

/// What the calls take for a kernel.
template <typename T> const void *entry(T *kernel) {
  return (const void *)kernel;
}

inline cudaError_t launch(const void *kernel, dim3 grid, dim3 block,
                          size_t shared = 0, cudaStream_t in = nullptr) {
  int *nowhere = nullptr, value = 0;
  void *arguments[] = {&nowhere, &value};
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, in);
}

inline cudaError_t kernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                              const void *kernel, dim3 grid, dim3 block,
                              unsigned shared, bool hasArguments = true) {
  int *values = (int *)device, value = 3;
  void *arguments[] = {&values, &value};
  cudaKernelNodeParams parameters{};
  parameters.func = (void *)kernel;
  parameters.gridDim = grid;
  parameters.blockDim = block;
  parameters.sharedMemBytes = shared;
  parameters.kernelParams = hasArguments ? arguments : nullptr;
  return cudaGraphAddKernelNode(node, graph, nullptr, 0, &parameters);
}

/// What a call answers in another thread.
template <typename Call> cudaError_t inThread(Call call) {
  cudaError_t error = cudaSuccess;
  std::thread thread([&] {
    error = call();
    cudaGetLastError();
  });
  thread.join();
  return error;
}

#endif // CUFORT_TESTS_RUNTIME_RECORDED_WORK_H
