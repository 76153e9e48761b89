// Host code that reads device memory: a crash on a GPU, and on the CPU with
// CUFORT_CPU_GUARD=1.
#include <cstdio>
#include <vector>

__global__ void fill(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i + 1;
}

int main(int argc, char **) {
  // A small piece, one that is copied on streams, one of several megabytes.
  for (int n : {100, 300000, 3000000}) {
    int *a, *managed;
    cudaMalloc(&a, n * sizeof(int));
    cudaMallocManaged(&managed, n * sizeof(int));
    fill<<<(n + 127) / 128, 128>>>(a, n);
    std::vector<int> host(n);
    cudaMemcpy(host.data(), a, n * sizeof(int), cudaMemcpyDefault);
    cudaMemcpyAsync(managed, a, n * sizeof(int), cudaMemcpyDefault);
    cudaMemsetAsync(a, 1, n * sizeof(int));
    cudaMemset(a, 2, sizeof(int));
    if (cudaDeviceSynchronize() != cudaSuccess || host[n - 1] != n ||
        managed[n - 1] != n)
      return 3;
    if (argc > 1 && a[n - 1] != 0x01010101)
      return 4;
    cudaFree(managed);
    cudaFree(a);
  }
  std::puts("PASSED");
}
