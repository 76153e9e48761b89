// FLAGS: -lcuda
// A program that has used the runtime API need not call cuInit.
#include "../../Inputs/driver_check.h"
#include <cuda_runtime.h>

int main() {
  CUdevice device = 7;
  EXPECT(cuCtxGetDevice(&device) == CUDA_ERROR_NOT_INITIALIZED);
  EXPECT(cudaSetDevice(0) == cudaSuccess);
  CHECK(cuCtxGetDevice(&device));
  EXPECT(device == 0);
  CUdeviceptr memory = 0;
  CHECK(cuMemAlloc(&memory, 64));
  CHECK(cuMemsetD32(memory, 5, 16));
  int back = 0;
  EXPECT(cudaMemcpy(&back, (void *)memory, sizeof(back),
                    cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(back == 5);
  EXPECT(cudaFree((void *)memory) == cudaSuccess);
  std::printf("PASSED\n");
}
