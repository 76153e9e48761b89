// Grid and block as lists in braces, which nvcc takes and Clang's grammar has
// not; in macros, in a header and beside what only looks like one.
#include <cstdio>
#include <vector>

__global__ void record(unsigned *result) {
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0)
    atomicAdd(result, gridDim.x * 100000 + gridDim.y * 10000 +
                          gridDim.z * 1000 + blockDim.x * 100 +
                          blockDim.y * 10 + blockDim.z);
}

__global__ void sum(unsigned *result, int first, int second) {
  if (threadIdx.x == 0)
    *result += first + second;
}

#include "Inputs/launch-lists.h"

#define LAUNCH(kernel, ...) kernel<<<{1, 1, 1}, {2, 3}>>>(__VA_ARGS__)

static unsigned wrong = 0;

static void check(unsigned *result, unsigned expected) {
  cudaDeviceSynchronize();
  if (*result != expected) {
    std::printf("%u, not %u\n", *result, expected);
    ++wrong;
  }
  *result = 0;
}

int main() {
  unsigned *result;
  if (cudaMallocManaged(&result, sizeof(unsigned)) != cudaSuccess)
    return 1;
  *result = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  record<<<{1, 1}, {4, 2, 1}>>>(result);
  check(result, 111421);
  launchInHeader<3, 2>(result, stream);
  check(result, 111321);
  LAUNCH(record, result);
  check(result, 111231);
  record<<<dim3{1, 1, 1}, dim3(2, 2)>>>(result);
  check(result, 111221);
  sum<<<std::vector<int>{1, 2}.size() - 1, {8}>>>(result, int{3}, 4);
  check(result, 7);
  cudaStreamDestroy(stream);
  cudaFree(result);
  if (!wrong)
    std::puts("PASSED");
  return wrong != 0;
}
