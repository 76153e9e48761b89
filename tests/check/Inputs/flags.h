// What cases of one launch each do things to, and how they are run.
#pragma once
#include "cases.h"
#include <cuda/atomic>
#include <cuda/semaphore>
constexpr int nt = 64, nb = 6, n = nt * nb;
__device__ int total, lock, ticket, serving, flag, result, head, mapcount,
    stage;
__device__ int slots[n], next_of[n], keys[128], values[128], partial[nb];
__device__ unsigned int arrived;
__device__ float best;
__device__ volatile int vflag, vdata;

/// All as at the start of the program.
static void reset() {
  static int zero[n] = {}, minus = -1, all = n;
  for (const void *x :
       {(const void *)&total, (const void *)&lock, (const void *)&ticket,
        (const void *)&serving, (const void *)&flag, (const void *)&result,
        (const void *)&stage, (const void *)&arrived, (const void *)&vflag,
        (const void *)&vdata})
    cudaMemcpyToSymbol(x, zero, 4);
  cudaMemcpyToSymbol(head, &minus, 4);
  cudaMemcpyToSymbol(mapcount, &all, 4);
  cudaMemcpyToSymbol(slots, zero, sizeof slots);
  cudaMemcpyToSymbol(next_of, zero, sizeof next_of);
  cudaMemcpyToSymbol(keys, zero, sizeof keys);
  cudaMemcpyToSymbol(values, zero, sizeof values);
  cudaMemcpyToSymbol(partial, zero, sizeof partial);
}

// For the arrays a and b, and the result r.
#define RUN(NAME)                                                              \
  if (run(#NAME)) {                                                            \
    reset();                                                                   \
    NAME<<<nb, nt>>>(a, b);                                                    \
  }
#define RIGHT(NAME, H)                                                         \
  if (run(#NAME)) {                                                            \
    reset();                                                                   \
    NAME<<<nb, nt>>>(a, b);                                                    \
    r = fetch(b, n);                                                           \
    expect(H, #NAME);                                                          \
  }
