// Kernels whose flow of control the GPU's passes change.
#include <cstdio>

// A pipeline: each thread takes what the one before it made in the last iteration,
// the first one what lies in global memory. Then they go back by the same way.
__global__ void pipeline(const float *in, float *out, int steps) {
  __shared__ float passed[2][32];
  int t = threadIdx.x;
  passed[0][t] = 0;
  __syncthreads();
  for (int n = 0; n < steps; n++) {
    float x;
    if (t == 0)
      x = in[n];
    else
      x = passed[n % 2][t - 1];
    passed[(n + 1) % 2][t] = x * 0.5f + n;
    __syncthreads();
  }
  float *last = passed[steps % 2];
#pragma unroll 3
  for (int n = 0; n < steps; n++) {
    float x = last[(t + 1) % blockDim.x];
    __syncthreads();
    last[t] += x * 0.25f;
    __syncthreads();
  }
  out[t] = last[t];
}

#define LEFT(i)                                                                \
  if (cells[i] < limit || (seen[8 * t + i] = value[cells[i]]) >= 0)            \
  left--

// How many of eight cells have no value yet.
__global__ void remaining(const int *cells, const volatile int *value,
                          int *seen, int *left_of, int limit) {
  int t = threadIdx.x, left = 8;
  cells += 8 * t;
  LEFT(0);
  LEFT(1);
  LEFT(2);
  LEFT(3);
  LEFT(4);
  LEFT(5);
  LEFT(6);
  LEFT(7);
  left_of[t] = left;
}

int main() {
  float *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(float));
  cudaMallocManaged(&out, 32 * sizeof(float));
  for (int n = 0; n < 64; n++)
    in[n] = n % 7;
  for (int steps = 0; steps < 12; steps++) {
    pipeline<<<1, 8>>>(in, out, steps);
    cudaDeviceSynchronize();
    for (int t = 0; t < 8; t++)
      printf("%g ", out[t]);
    printf("\n");
  }
  int *cells, *value, *seen, *left;
  cudaMallocManaged(&cells, 256 * sizeof(int));
  cudaMallocManaged(&value, 64 * sizeof(int));
  cudaMallocManaged(&seen, 256 * sizeof(int));
  cudaMallocManaged(&left, 32 * sizeof(int));
  for (int i = 0; i < 256; i++)
    cells[i] = i * 37 % 64, seen[i] = -7;
  for (int i = 0; i < 64; i++)
    value[i] = i % 3 - 1;
  remaining<<<1, 32>>>(cells, value, seen, left, 20);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int t = 0; t < 32; t++) {
    int expected = 8;
    for (int i = 8 * t; i < 8 * t + 8; i++) {
      expected -= cells[i] < 20 || value[cells[i]] >= 0;
      wrong += seen[i] != (cells[i] < 20 ? -7 : value[cells[i]]);
    }
    wrong += left[t] != expected;
  }
  printf("wrong: %d\n", wrong);
}
