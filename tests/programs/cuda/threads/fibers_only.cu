// Warps that cannot become vectors on the CPU: warp operations beside calls
// through pointers, also in loops that lanes leave at different iterations.
#include <cstdio>

typedef int (*Function)(int);
__device__ int square(int x) { return x * x; }
__device__ int half(int x) { return x / 2; }
__device__ Function plain[2] = {square, half};

__global__ void beside(int *out, int which) {
  int x = plain[which](threadIdx.x);
  x += __shfl_xor_sync(0xffffffff, x, 3);
  out[threadIdx.x] = x;
}

// A loop of which lanes take different numbers of iterations.
__global__ void parted(int *out, int which) {
  int x = 0;
  for (int i = 0; i <= threadIdx.x % 5; ++i)
    x += plain[(which + i) % 2](threadIdx.x) +
         (__ballot_sync(__activemask(), 1) == 0);
  __syncwarp();
  x += __shfl_down_sync(0xffffffff, x, 1, 8);
  out[threadIdx.x] = x;
}

static int call(int which, int x) { return which ? x / 2 : x * x; }
static int sum(int which, int t) {
  int x = 0;
  for (int i = 0; i <= t % 5; ++i)
    x += call((which + i) % 2, t);
  return x;
}

int main() {
  int *out;
  static int host[1024];
  cudaMalloc(&out, sizeof host);
  for (int w = 0; w < 2; ++w) {
    beside<<<1, 96>>>(out, w);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 96; ++i)
      if (host[i] != call(w, i) + call(w, i ^ 3)) {
        printf("beside %d: %d\n", i, host[i]);
        return 1;
      }
    parted<<<1, 1024>>>(out, w);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 1024; ++i) {
      int other = i % 8 < 7 ? i + 1 : i;
      if (host[i] != sum(w, i) + sum(w, other)) {
        printf("parted %d: %d\n", i, host[i]);
        return 1;
      }
    }
  }
  if (cudaError_t error = cudaDeviceSynchronize()) {
    puts(cudaGetErrorString(error));
    return 1;
  }
  puts("PASSED");
}
