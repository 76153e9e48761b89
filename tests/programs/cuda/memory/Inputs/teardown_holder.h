// An object that uses the device when it is made and when it is destroyed.
#pragma once
#include <cstdio>
#include <cstdlib>

__global__ void count(int *a);

inline bool acceptable(cudaError_t error) {
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

  enum When { Now, Later };
  explicit Holder(When when) {
    if (when == Now)
      fill();
  }
  void fill() {
    int n = 0;
    if (cudaMalloc(&memory, 400) != cudaSuccess ||
        cudaMallocHost(&pinned, 400) != cudaSuccess ||
        cudaStreamCreate(&stream) != cudaSuccess ||
        cudaEventCreate(&event) != cudaSuccess ||
        cudaMemsetAsync(memory, 0, 400, stream) != cudaSuccess)
      std::exit(1);
    count<<<4, 64, 0, stream>>>(memory);
    if (cudaStreamSynchronize(stream) != cudaSuccess ||
        cudaMemcpy(&n, memory, 4, cudaMemcpyDeviceToHost) != cudaSuccess ||
        n != 256) {
      std::fprintf(stderr, "a kernel that a constructor launches: %d\n", n);
      std::_Exit(1);
    }
  }
  ~Holder() {
    count<<<4, 64, 0, stream>>>(memory);
    if (!acceptable(cudaGetLastError()) ||
        !acceptable(cudaEventRecord(event, stream)) ||
        !acceptable(cudaStreamSynchronize(stream)) ||
        !acceptable(cudaEventDestroy(event)) ||
        !acceptable(cudaStreamDestroy(stream)) ||
        !acceptable(cudaFreeHost(pinned)) || !acceptable(cudaFree(memory)) ||
        !acceptable(cudaDeviceSynchronize())) {
      std::fprintf(stderr, "an error at the end\n");
      std::_Exit(1);
    }
  }
};

// Of another file.
extern Holder otherBefore, otherNow;
