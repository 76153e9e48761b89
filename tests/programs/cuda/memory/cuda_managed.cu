// Managed memory: variables of both sides, cudaMallocManaged.
#include <cstdio>
__managed__ int counter = 5;
__device__ __managed__ float values[64];
static __managed__ double total;
struct Pair {
  int a, b;
};
__managed__ Pair pair = {3, 4};
__global__ void work(int *more) {
  atomicAdd(&counter, 1);
  values[threadIdx.x] = 2.0f * threadIdx.x + pair.b;
  more[threadIdx.x] += pair.a;
  if (threadIdx.x == 0)
    total += 0.5;
}
static int twice(int *p) { return 2 * *p; }
int main() {
  int *more;
  cudaMallocManaged(&more, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    more[i] = i;
  int bad = counter != 5;
  counter = 10;
  total = 1;
  pair.a = 7;
  work<<<1, 64>>>(more);
  cudaError_t e = cudaDeviceSynchronize();
  if (e)
    printf("%s\n", cudaGetErrorString(e)), ++bad;
  bad += counter != 74;
  bad += twice(&counter) != 148;
  bad += total != 1.5;
  for (int i = 0; i < 64; ++i)
    bad += values[i] != 2 * i + 4 || more[i] != i + 7;
  if (!bad)
    printf("PASSED\n");
  else
    printf("%d wrong: %d %g\n", bad, counter, total);
}
