#include <cstdio>

const int blocks = 4, threads = 64, n = blocks * threads;

__global__ void scattered(const int *at, const float *x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[at[i]] = 2 * x[i];
}
__global__ void counted(const float *x, float *y, int *count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
  __threadfence();
  if (atomicAdd(count, 1) == n - 1)
    y[0] += 1;
}
__global__ void far(float *y, long distance) {
  y[threadIdx.x] = 1;
  if (threadIdx.x == 3)
    y[distance] = 2;
  if (threadIdx.x == 4)
    y[4] = y[distance] + 1;
}
__global__ void ranges(float *y, long distance, int bytes) {
  memcpy(y + 5, y + distance, bytes);
  memcpy(y + distance, y, bytes);
  memset(y + distance, 1, bytes);
}

int main() {
  int at[n], *where, *count;
  float *x, *y, results[n];
  cudaMalloc(&where, sizeof at);
  cudaMalloc(&count, sizeof *count);
  cudaMalloc(&x, sizeof results);
  cudaMalloc(&y, sizeof results);
  for (int i = 0; i < n; ++i)
    results[i] = i;
  cudaMemcpy(x, results, sizeof results, cudaMemcpyHostToDevice);
  cudaMemset(y, 0, sizeof results);
  cudaMemset(count, 0, sizeof *count);
  for (int i = 0; i < n; ++i)
    at[i] = (37 * i + 5) % n;
  cudaMemcpy(where, at, sizeof at, cudaMemcpyHostToDevice);
  scattered<<<blocks, threads>>>(where, x, y);
  counted<<<blocks, threads>>>(x, y, count);
  at[n - 1] = at[2];
  cudaMemcpy(where, at, sizeof at, cudaMemcpyHostToDevice);
  scattered<<<blocks, threads>>>(where, x, y);
  far<<<1, threads>>>(y, 1L << 40);
  ranges<<<1, 1>>>(y, 1L << 40, 2 * sizeof *y);
  cudaMemcpy(results, y, sizeof results, cudaMemcpyDeviceToHost);
  std::printf("went on: %g %g, %g %g %g\n", results[3], results[4], results[5],
              results[6], results[7]);
}
