// The bits of half and bfloat16 numbers as CUDA's programs take them apart:
// __half_raw and the like, on the host and on the device.

#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

static __host__ __device__ half negative(half a) {
  __half_raw bits = a;
  bits.x ^= 0x8000;
  return half(bits);
}
static __host__ __device__ __nv_bfloat16 negative(__nv_bfloat16 a) {
  __nv_bfloat16_raw bits = static_cast<__nv_bfloat16_raw>(a);
  bits.x ^= 0x8000;
  return bits;
}

__global__ void turn(half *h, __nv_bfloat16 *b, half2 *pair) {
  int i = threadIdx.x;
  h[i] = negative(h[i]);
  b[i] = negative(b[i]);
  __half2_raw both = pair[i];
  pair[i] = __half2_raw{both.y, both.x};
}

int main() {
  constexpr int n = 32;
  half *h;
  __nv_bfloat16 *b;
  half2 *pair;
  cudaMallocManaged(&h, n * sizeof *h);
  cudaMallocManaged(&b, n * sizeof *b);
  cudaMallocManaged(&pair, n * sizeof *pair);
  for (int i = 0; i < n; ++i) {
    h[i] = negative(half(0.5f * i));
    b[i] = negative(__nv_bfloat16(4.0f * i));
    pair[i] = half2(half((float)i), half(-1.5f * i));
  }
  turn<<<1, n>>>(h, b, pair);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < n; ++i)
    right &= (float)h[i] == 0.5f * i && (float)b[i] == 4.0f * i &&
             (float)pair[i].x == -1.5f * i && (float)pair[i].y == (float)i;
  puts(right ? "PASSED" : "FAILED");
}
