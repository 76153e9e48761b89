// A kernel whose flow of control the GPU's passes change.
#include <cstdio>

// A pipeline: each thread takes what the one before it made in the last turn,
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
}
