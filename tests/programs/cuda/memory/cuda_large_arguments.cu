// Arguments of up to 32764 bytes together, which CUDA has from 12.1 on.
#include <cstdio>

constexpr int Count = (32764 - 12) / 4;

struct Many {
  int values[Count];
};

__global__ void sum(Many many, int *result) {
  int total = 0;
  for (int i = threadIdx.x; i < Count; i += blockDim.x)
    total += many.values[i];
  atomicAdd(result, total);
}

// What lies beyond 4 KB is read at a place that each thread computes.
__global__ void reversed(const __grid_constant__ Many many, int *result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Count)
    result[i] = many.values[Count - 1 - i];
}

int main() {
  static Many many;
  int expected = 0;
  for (int i = 0; i < Count; ++i)
    expected += many.values[i] = i % 1000 - 300;
  int *result;
  if (cudaMallocManaged(&result, sizeof(Many)) != cudaSuccess)
    return 1;
  *result = 0;
  sum<<<1, 128>>>(many, result);
  many.values[5] = 7777; // too late: the launch has taken a copy
  if (cudaDeviceSynchronize() != cudaSuccess || *result != expected) {
    std::printf("sum %d, expected %d\n", *result, expected);
    return 1;
  }
  reversed<<<(Count + 255) / 256, 256>>>(many, result);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int i = 0; i < Count; ++i)
    if (result[i] != many.values[Count - 1 - i]) {
      std::printf("element %d\n", i);
      return 1;
    }
  std::puts("PASSED");
}
