// GPUS: 3
// ENV: CUFORT_CPU_DEVICES=3
// Events hand work from device to device, in every order of the devices; the
// chain goes on although no host thread waits in between.
#include "Inputs/check.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void late(int *a) {
  long long begin = clock64();
  while (clock64() - begin < 2000000)
    ;
  *a += 1;
}
__global__ void next(int *a, int factor) { *a = *a * factor + 1; }

static void chain(const int (&order)[3]) {
  cudaStream_t streams[3];
  cudaEvent_t events[3];
  int *a, back = 0;
  CHECK(cudaMallocManaged(&a, sizeof(int)));
  *a = 0;
  for (int i = 0; i < 3; ++i) {
    CHECK(cudaSetDevice(order[i]));
    CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming));
  }
  for (int i = 0; i < 3; ++i) {
    CHECK(cudaSetDevice(order[i]));
    if (i == 0)
      late<<<1, 1, 0, streams[0]>>>(a);
    else // nothing but the wait and the record on the device in the middle
      CHECK(cudaStreamWaitEvent(streams[i], events[i - 1], 0));
    if (i == 2)
      next<<<1, 1, 0, streams[2]>>>(a, 10);
    CHECK(cudaEventRecord(events[i], streams[i]));
  }
  CHECK(cudaEventSynchronize(events[2]));
  back = *a;
  EXPECT(back == 11);
  for (int i = 0; i < 3; ++i) {
    CHECK(cudaSetDevice(order[i]));
    CHECK(cudaEventDestroy(events[i]));
    CHECK(cudaStreamDestroy(streams[i]));
  }
  CHECK(cudaFree(a));
}

int main() {
  const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                           {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int round = 0; round < 20; ++round)
    for (const auto &order : orders)
      chain(order);
  std::puts("PASSED");
}
