// STREAM triad, double; prints the best time of a launch in seconds.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void triad(double *a, const double *b, const double *c, double s,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[i] + s * c[i];
}

int main() {
  const int n = 1 << 28;
  std::vector<double> h(n);
  double *a, *b, *c;
  size_t bytes = sizeof(double) * n;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  for (int i = 0; i < n; ++i)
    h[i] = 1 + (i + 1) % 1000;
  cudaMemcpy(b, h.data(), bytes, cudaMemcpyHostToDevice);
  for (int i = 0; i < n; ++i)
    h[i] *= 0.5;
  cudaMemcpy(c, h.data(), bytes, cudaMemcpyHostToDevice);
  double best = 1e30;
  for (int round = 0; round < 30; ++round) {
    auto start = std::chrono::steady_clock::now();
    triad<<<(n + 255) / 256, 256>>>(a, b, c, 3.0, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    best = std::fmin(best, time.count());
  }
  cudaMemcpy(h.data(), a, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    if (h[i] != 2.5 * (1 + (i + 1) % 1000))
      return std::puts("the result is wrong"), 1;
  std::printf("seconds %.6e\n", best);
}
