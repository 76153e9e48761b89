// FLAGS: -arch=sm_90
// Atomic exchange and compare-and-swap of 128 bits.
#include <cstdio>

typedef unsigned __int128 Wide;

__global__ void swap(Wide *first, Wide *sum) {
  const Wide one = (Wide(1) << 64) | 1;
  // Both halves grow together, whichever thread is in between.
  Wide seen = *sum, before;
  do {
    before = seen;
    seen = atomicCAS(sum, before, before + one);
  } while (seen != before);
  if (threadIdx.x == 0 && blockIdx.x == 0)
    first[1] = atomicExch(&first[0], (Wide(7) << 64) | 9);
}

int main() {
  Wide *first, *sum, host[3];
  cudaMalloc(&first, 2 * sizeof(Wide));
  cudaMalloc(&sum, sizeof(Wide));
  const Wide start[2] = {(Wide(3) << 64) | 5, 0};
  cudaMemcpy(first, start, sizeof start, cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof(Wide));
  swap<<<4, 64>>>(first, sum);
  cudaMemcpy(host, first, 2 * sizeof(Wide), cudaMemcpyDeviceToHost);
  cudaMemcpy(host + 2, sum, sizeof(Wide), cudaMemcpyDeviceToHost);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  if (host[0] != ((Wide(7) << 64) | 9) || host[1] != start[0] ||
      host[2] != ((Wide(256) << 64) | 256))
    return 2;
  std::puts("PASSED");
}
