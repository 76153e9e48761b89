// ENV: CUFORT_CPU_DEVICES=2 CUFORT_NUM_THREADS=2
// A host function may wait for anything that does not wait for it: kernels of
// other streams run meanwhile, also where a CPU device has a single core.
#include "../../Inputs/check.h"
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>

__global__ void add(int *a, int x) { a[threadIdx.x] += x; }

static std::atomic<int> phase{0};

static void hold(void *released) {
  phase = 1;
  for (int i = 0; i < 20000 && phase < 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  *static_cast<bool *>(released) = phase == 2;
}
static void next(void *number) { ++*static_cast<std::atomic<int> *>(number); }

int main() {
  cudaStream_t held, other;
  cudaEvent_t event;
  CHECK(cudaStreamCreateWithFlags(&held, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&event));
  int *a, back[32];
  std::atomic<int> number{0};
  bool released = false;
  CHECK(cudaMalloc(&a, sizeof(back)));
  CHECK(cudaMemset(a, 0, sizeof(back)));
  // A GPU's driver loads a kernel when it is first launched, and may wait for
  // everything else then.
  add<<<1, 32>>>(a, 0);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaLaunchHostFunc(held, hold, &released));
  add<<<1, 32, 0, held>>>(a, 100);
  while (phase < 1)
    std::this_thread::yield();
  // The caller waits in every way there is.
  for (int i = 0; i < 50; ++i) {
    add<<<1, 32, 0, other>>>(a, 1);
    CHECK(cudaEventRecord(event, other));
    CHECK(cudaEventSynchronize(event));
    add<<<1, 32, 0, other>>>(a, 1);
    CHECK(
        cudaMemcpyAsync(back, a, sizeof(back), cudaMemcpyDeviceToHost, other));
    CHECK(cudaStreamSynchronize(other));
    EXPECT(back[31] == 2 * (i + 1));
  }
  // Host functions of one stream come in its order, in a graph too.
  EXPECT(cudaStreamQuery(held) == cudaErrorNotReady);
  phase = 2;
  CHECK(cudaStreamSynchronize(held));
  EXPECT(released);
  for (int i = 0; i < 100; ++i)
    CHECK(cudaLaunchHostFunc(i % 2 ? held : other, next, &number));
  CHECK(cudaDeviceSynchronize());
  EXPECT(number == 100);
  CHECK(cudaMemcpy(back, a, sizeof(back), cudaMemcpyDeviceToHost));
  EXPECT(back[0] == 200);
  std::puts("PASSED");
}
