// GPUS: 2
// ENV: CUFORT_CPU_DEVICES=3
// Events hand work from device to device, in every order of the devices; the
// chain goes on although no host thread waits in between.
#include "../../Inputs/check.h"
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
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  EXPECT(count >= 2);
  const int devices = count < 3 ? count : 3;
  for (int round = 0; round < 8; ++round)
    for (int first = 0; first < devices; ++first)
      for (int middle = 0; middle < devices; ++middle)
        for (int last = 0; last < devices; ++last)
          if (first != middle || middle != last)
            chain({first, middle, last});
  std::puts("PASSED");
}
