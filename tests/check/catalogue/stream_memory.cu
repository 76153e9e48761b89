// Memory that begins and ends in the order of a stream.
#include "../Inputs/streams.h"
#include <unistd.h>
constexpr int nt = 64, n = 256;

// CASE used_before_allocation: FAULTY race
__global__ void early_writer(int *a) {
  a[blockIdx.x * nt + threadIdx.x] = 1; // CHECK-RACE: write
}
static void used_before_allocation() {
  int *a;
  StreamPair x(cudaStreamNonBlocking);
  cudaMallocAsync(&a, n * 4, x.s); // CHECK-RACE: host
  early_writer<<<n / nt, nt, 0, x.t>>>(a);
  cudaDeviceSynchronize();
  cudaFreeAsync(a, x.s);
}

// CASE used_after_release: FAULTY race
__global__ void late_reader(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  b[i] = a[i]; // CHECK-RACE: read
}
static void used_after_release() {
  int *a, *b = numbers(n);
  StreamPair x(cudaStreamNonBlocking);
  cudaMallocAsync(&a, n * 4, x.s);
  cudaMemsetAsync(a, 0, n * 4, x.s);
  cudaStreamSynchronize(x.s);
  late_reader<<<n / nt, nt, 0, x.t>>>(a, b);
  // Time orders nothing. Were the kernel later, it would read freed memory.
  usleep(500000);
  cudaFreeAsync(a, x.s); // CHECK-RACE: host
}

// CASE allocated_by_other: RIGHT
static void allocated_by_other() {
  int *a, *b = numbers(n);
  StreamPair x(cudaStreamNonBlocking);
  cudaEvent_t e = event();
  cudaMallocAsync(&a, n * 4, x.s);
  cudaEventRecord(e, x.s);
  cudaStreamWaitEvent(x.t, e, 0);
  fill<<<n / nt, nt, 0, x.t>>>(a, 3);
  cudaEventRecord(e, x.t);
  cudaStreamWaitEvent(x.s, e, 0);
  add<<<n / nt, nt, 0, x.s>>>(a, b);
  cudaFreeAsync(a, x.s);
  // What the allocator gives again is ordered by the stream.
  cudaMallocAsync(&a, n * 4, x.s);
  fill<<<n / nt, nt, 0, x.s>>>(a, 4);
  add<<<n / nt, nt, 0, x.s>>>(a, b);
  cudaStreamSynchronize(x.s);
  cudaFree(a);
  expect(fetch(b, n)[0] == 5, "allocated_by_other");
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
#define RUN(NAME)                                                              \
  if (run(#NAME))                                                              \
    NAME();
  RUN(used_before_allocation)
  RUN(used_after_release)
  RUN(allocated_by_other)
  return finish();
}
