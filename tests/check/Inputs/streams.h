// Two streams, events, and kernels for them.
#pragma once
#include "cases.h"

struct StreamPair {
  cudaStream_t s, t;
  explicit StreamPair(unsigned flags) {
    cudaStreamCreateWithFlags(&s, flags);
    cudaStreamCreateWithFlags(&t, flags);
  }
  ~StreamPair() {
    cudaDeviceSynchronize();
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
  }
};

static cudaEvent_t event() {
  cudaEvent_t made;
  cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
  return made;
}

__global__ void fill(int *a, int value) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
__global__ void add(const int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] + 1;
}
