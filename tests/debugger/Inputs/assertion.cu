#include <cassert>
__device__ void test(int thread) {
  assert(thread < 5);
}
__global__ void asserts() {
  if (threadIdx.x < 6)
    test(threadIdx.x);
}
int main() {
  asserts<<<1, 32>>>();
  return cudaDeviceSynchronize() == cudaErrorAssert ? 3 : 0;
}
