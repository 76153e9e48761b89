#include <cstdio>
#include <vector>
__constant__ float scale[4];
__device__ int counter;
template <typename T, int N>
__global__ void reduce(const T *in, T *out, int n) {
  __shared__ T s[N];
  int t = threadIdx.x;
  T sum = 0;
  for (int i = blockIdx.x * N + t; i < n; i += N * gridDim.x)
    sum += in[i] * scale[i & 3];
  s[t] = sum;
  __syncthreads();
  for (int d = N / 2; d > 0; d >>= 1) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) {
    out[blockIdx.x] = s[0];
    atomicAdd(&counter, 1);
  }
}
extern __shared__ double dyn[];
__global__ void dynamic(double *out) {
  dyn[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    double s = 0;
    for (int i = 0; i < blockDim.x; ++i)
      s += dyn[i];
    *out = s;
  }
}
__global__ void warp(int *out) {
  int v = threadIdx.x;
  for (int d = 16; d; d /= 2)
    v += __shfl_xor_sync(0xffffffff, v, d);
  unsigned b = __ballot_sync(~0u, threadIdx.x & 1);
  out[threadIdx.x] = v + __popc(b);
}
int main() {
  const int n = 100000;
  std::vector<float> h(n, 1.0f);
  float *d, *o;
  cudaMalloc(&d, n * 4);
  cudaMalloc(&o, 64 * 4);
  cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice);
  float sc[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(scale, sc, sizeof sc);
  reduce<float, 128><<<64, 128>>>(d, o, n);
  float r[64];
  cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float x : r)
    sum += x;
  int c;
  cudaMemcpyFromSymbol(&c, counter, 4);
  double *od, rd;
  cudaMalloc(&od, 8);
  cudaStream_t s;
  cudaStreamCreate(&s);
  dynamic<<<1, 100, 100 * sizeof(double), s>>>(od);
  cudaStreamSynchronize(s);
  cudaMemcpy(&rd, od, 8, cudaMemcpyDeviceToHost);
  int *oi, ri[64];
  cudaMalloc(&oi, sizeof ri);
  warp<<<1, 64>>>(oi);
  cudaMemcpy(ri, oi, sizeof ri, cudaMemcpyDeviceToHost);
  printf("%g %d %g %d %d\n", sum, c, rd, ri[0], ri[63]);
  if (sum == 250000 && c == 64 && rd == 4950 && ri[0] == 512 && ri[63] == 1536)
    printf("PASSED\n");
}
