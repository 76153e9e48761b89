// Objects that outlive main give back what they hold, in any order and from
// several files: those made before the device was used are destroyed after
// everything else. Their constructors launch kernels, too. What a function of
// atexit does works, and threads may still use the device. So do destructors of
// a thread's own objects that are older than its first use of the runtime.
// SOURCES: Inputs/teardown_holder.cu
#include "Inputs/teardown_holder.h"
#include <atomic>
#include <thread>

__global__ void count(int *a) { atomicAdd(a, 1); }

static Holder before(Holder::Later);
static Holder now(Holder::Now);

static void atTheEnd() {
  void *memory = nullptr;
  if (!acceptable(cudaMalloc(&memory, 100)) || !acceptable(cudaFree(memory)))
    std::_Exit(1);
}

static std::atomic<bool> works{false};

static void work() {
  Holder own(Holder::Now);
  works = true;
  for (;;) {
    count<<<4, 64, 0, own.stream>>>(own.memory);
    if (cudaStreamSynchronize(own.stream) != cudaSuccess)
      std::this_thread::sleep_for(std::chrono::seconds(60));
  }
}

/// Ends with launches, one of them in the thread's own stream.
struct Launching {
  Holder holder{Holder::Later};
  ~Launching() {
    count<<<4, 64, 0, cudaStreamPerThread>>>(holder.memory);
    if (!acceptable(cudaStreamSynchronize(cudaStreamPerThread)))
      std::_Exit(1);
  }
};

static void endLate() {
  thread_local Launching own;
  own.holder.fill();
  count<<<4, 64, 0, cudaStreamPerThread>>>(own.holder.memory);
}

int main() {
  std::atexit(atTheEnd);
  for (int i = 0; i < 8; ++i)
    std::thread(endLate).join();
  endLate();
  before.fill();
  otherBefore.fill();
  static Holder after(Holder::Now); // made once the device is in use
  thread_local Holder own(Holder::Now);
  std::atexit(atTheEnd);
  std::thread(work).detach();
  while (!works)
    std::this_thread::yield();
  std::printf(own.memory && otherNow.memory ? "PASSED\n" : "FAILED\n");
  // Work that is still running is no reason to hang or to fail.
  count<<<1000, 64, 0, before.stream>>>(after.memory);
  return 0;
}
