// Objects that outlive main give back what they hold, in any order: one made
// before the device was used is destroyed after everything else.
#include <cstdio>
#include <cstdlib>

static bool acceptable(cudaError_t error) {
  // At the end of the program the runtime may be gone already.
  return error == cudaSuccess || error == cudaErrorCudartUnloading ||
         error == cudaErrorContextIsDestroyed ||
         error == cudaErrorInvalidResourceHandle;
}

struct Holder {
  int *memory = nullptr;
  int *pinned = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;

  void fill() {
    if (cudaMalloc(&memory, 400) != cudaSuccess ||
        cudaMallocHost(&pinned, 400) != cudaSuccess ||
        cudaStreamCreate(&stream) != cudaSuccess ||
        cudaEventCreate(&event) != cudaSuccess)
      std::exit(1);
  }
  ~Holder() {
    if (!acceptable(cudaEventRecord(event, stream)) ||
        !acceptable(cudaEventDestroy(event)) ||
        !acceptable(cudaStreamDestroy(stream)) ||
        !acceptable(cudaFreeHost(pinned)) || !acceptable(cudaFree(memory)) ||
        !acceptable(cudaDeviceSynchronize())) {
      std::fprintf(stderr, "an error at the end\n");
      std::_Exit(1);
    }
  }
};

__global__ void count(int *a) { atomicAdd(a, 1); }

static Holder before;

int main() {
  before.fill();
  static Holder after; // made once the device is in use
  after.fill();
  thread_local Holder own;
  own.fill();
  cudaMemset(after.memory, 0, 400);
  count<<<4, 64, 0, after.stream>>>(after.memory);
  int n = 0;
  cudaStreamSynchronize(after.stream);
  cudaMemcpy(&n, after.memory, 4, cudaMemcpyDeviceToHost);
  std::printf(n == 256 ? "PASSED\n" : "FAILED: %d\n", n);
  // Work that is still running is no reason to hang or to fail.
  count<<<1000, 64, 0, before.stream>>>(after.memory);
  return n == 256 ? 0 : 1;
}
