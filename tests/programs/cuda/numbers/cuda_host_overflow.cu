// Squares that overflow: host code wraps around as the device does, also where
// it is optimised (programs compare the two).
#include <cstdio>

__global__ void square(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = values[i] * values[i];
}

static int verify(const int *values, int n) {
  for (int i = 0; i < n; i += 1)
    if (values[i] != i * i) {
      std::printf("element %d: %d, expected %d\n", i, values[i], i * i);
      return 1;
    }
  return 0;
}

int main() {
  constexpr int n = 1000000;
  int *values;
  if (cudaMallocManaged(&values, n * sizeof(int)) != cudaSuccess)
    return 1;
  for (int i = 0; i < n; ++i)
    values[i] = i;
  square<<<(n + 255) / 256, 256>>>(values, n);
  if (cudaDeviceSynchronize() != cudaSuccess || verify(values, n))
    return 1;
  std::puts("PASSED");
}
