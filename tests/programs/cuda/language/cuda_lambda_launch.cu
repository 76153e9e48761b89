// Launches from lambdas of the host, from templates that take them, and from
// std::function: Clang takes such lambdas for device code as well.
#include <cstdio>
#include <cuda_runtime.h>
#include <functional>
#include <thread>

__global__ void add(int *sum, int value) { atomicAdd(sum, value); }

template <typename T> __global__ void addAll(T *sum, T value) {
  atomicAdd(sum, value + static_cast<T>(threadIdx.x));
}

template <typename F> void repeat(int count, F f) {
  for (int i = 0; i < count; ++i)
    f(i);
}

int main() {
  int *sum;
  if (cudaMallocManaged(&sum, sizeof(int)) != cudaSuccess)
    return 1;
  *sum = 0;
  auto launch = [&](int value) { add<<<1, 1>>>(sum, value); };
  launch(1);
  std::function<void(int)> kept = [=](int value) { add<<<2, 4>>>(sum, value); };
  kept(10);
  repeat(3, [=](int i) { addAll<<<1, 4>>>(sum, i); });
  std::thread([=] {
    add<<<1, 1>>>(sum, 1000);
    cudaDeviceSynchronize();
  }).join();
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  // 1 + 8 * 10 + 3 * (0 + 1 + 2 + 3) + 4 * (0 + 1 + 2) + 1000
  if (*sum != 1 + 80 + 18 + 12 + 1000) {
    std::printf("the sum is %d\n", *sum);
    return 1;
  }
  cudaFree(sum);
  std::puts("PASSED");
}
