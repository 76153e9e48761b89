// The sum of 2**28 doubles with CUB's DeviceReduce; prints the best time in
// seconds, with the result on the host.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

int main() {
  const int n = 1 << 28;
  std::vector<double> h(n);
  double *a, *sum, *result, expected = 0;
  cudaMalloc(&a, sizeof(double) * n);
  cudaMalloc(&sum, sizeof(double));
  cudaMallocHost(&result, sizeof(double));
  for (int i = 0; i < n; ++i) {
    h[i] = (i + 1) % 1000;
    expected += h[i];
  }
  cudaMemcpy(a, h.data(), sizeof(double) * n, cudaMemcpyHostToDevice);
  void *workspace = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(workspace, bytes, a, sum, n);
  cudaMalloc(&workspace, bytes);
  double best = 1e30;
  for (int round = 0; round < 30; ++round) {
    auto start = std::chrono::steady_clock::now();
    cub::DeviceReduce::Sum(workspace, bytes, a, sum, n);
    cudaMemcpyAsync(result, sum, sizeof(double), cudaMemcpyDeviceToHost);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    if (*result != expected)
      return std::puts("the result is wrong"), 1;
    best = std::fmin(best, time.count());
  }
  std::printf("seconds %.6e\n", best);
}
