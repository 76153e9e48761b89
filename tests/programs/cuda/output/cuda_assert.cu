// A failed assertion: the message, and the error of the next call that waits.
// FAILS: Assertion `threadIdx.x < n` failed.
// FAILS: thread: [20,0,0]
// FAILS: asserted: cudaErrorAssert
#include <cassert>
#include <cstdio>
__global__ void check(int n) { assert(threadIdx.x < n); }
int main() {
  check<<<2, 32>>>(32);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 0;
  check<<<2, 32>>>(20);
  cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaErrorAssert)
    printf("asserted: %s\n", cudaGetErrorName(error));
  return 3;
}
