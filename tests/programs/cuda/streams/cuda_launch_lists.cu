// Grid, block, bytes and stream as lists in braces, which nvcc takes and Clang's
// grammar has not; in templates, lambdas, macros, in a header and beside what only looks like one.
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
#define LAUNCH_ALL(kernel, ...) kernel<<<{2}, {3}, {}, {}>>>(__VA_ARGS__)

struct Shape {
  dim3 grid, block;
  size_t bytes;
};

template <unsigned Z, typename... Arguments>
void launchIn(void (*kernel)(Arguments...), Shape shape, cudaStream_t stream,
              Arguments... arguments) {
  kernel<<<{shape.grid.x}, {shape.block.x, 2, Z}, {shape.bytes}, {stream}>>>(
      arguments...);
}

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
  record<<<2, 4, 0, {}>>>(result);
  check(result, 2 * 211411);
  record<<<{}, {}, {}, {}>>>(result);
  check(result, 111111);
  record<<<{1, 2}, dim3{1}, {}, stream>>>(result);
  check(result, 2 * 121111);
  LAUNCH_ALL(record, result);
  check(result, 2 * 211311);
  launchIn<3>(record, {{1}, {2}, 64}, stream, result);
  check(result, 111223);
  auto launch = [=](auto x) {
    record<<<{x, 1}, {x, 1u}, 8 * x, {stream}>>>(result);
  };
  launch(1u);
  check(result, 111111);
  cudaStreamDestroy(stream);
  cudaFree(result);
  if (!wrong)
    std::puts("PASSED");
  return wrong != 0;
}
