// Windows that begin at a negated radius, which each thread reads: an iteration
// that is missing shows in what the atomic operations leave.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int Side = 64, Edge = 4;

__global__ void count(const int *radii, int *sums, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + Edge,
            y = blockIdx.y + Edge, r = radii[y * n + x];
  for (int k = -r; k <= r; ++k)
    for (int l = -r; l <= r; ++l)
      atomicAdd(&sums[(x + k) + (y + l) * n], 1);
}

int main() {
  std::vector<int> radii(Side * Side), sums(Side * Side), wanted(Side * Side);
  for (int i = 0; i < Side * Side; ++i)
    radii[i] = i * 5 / 4 & 3;
  for (int y = Edge; y < Side - Edge; ++y)
    for (int x = Edge; x < Edge + 32; ++x)
      for (int r = radii[y * Side + x], k = -r; k <= r; ++k)
        for (int l = -r; l <= r; ++l)
          ++wanted[(x + k) + (y + l) * Side];
  int *from, *to;
  cudaMalloc(&from, sizeof(int) * Side * Side);
  cudaMalloc(&to, sizeof(int) * Side * Side);
  cudaMemcpy(from, radii.data(), sizeof(int) * Side * Side,
             cudaMemcpyHostToDevice);
  cudaMemset(to, 0, sizeof(int) * Side * Side);
  count<<<dim3(1, Side - 2 * Edge), 32>>>(from, to, Side);
  cudaMemcpy(sums.data(), to, sizeof(int) * Side * Side,
             cudaMemcpyDeviceToHost);
  std::puts(cudaGetLastError() == cudaSuccess && sums == wanted ? "PASSED"
                                                                : "wrong");
}
