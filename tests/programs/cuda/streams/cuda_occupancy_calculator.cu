// The calculator of cuda_occupancy.h says the same on the host and in a kernel,
// and on a GPU what the runtime says. (The CPU engine's multiprocessors are no
// GPU's, so its runtime has its own numbers.)
#include <cstdio>
#include <cstring>
#include <cuda_occupancy.h>

__global__ void tile(float *a) {
  __shared__ float s[3000];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

extern __shared__ double dynamic[];
__global__ void moments(double *a) {
  dynamic[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] += dynamic[threadIdx.x ^ 1] * 3;
}

__global__ void onDevice(cudaOccDeviceProp device, cudaOccFuncAttributes kernel,
                         int *blocks) {
  cudaOccDeviceState state;
  cudaOccResult result;
  int size = 32 * (threadIdx.x + 1);
  blocks[threadIdx.x] =
      cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state,
                                              size, 0) == CUDA_OCC_SUCCESS
          ? result.activeBlocksPerMultiprocessor
          : -1;
}

static int failures = 0;
static void expect(const char *what, long long is, long long must) {
  if (is == must)
    return;
  std::printf("%s is %lld, not %lld\n", what, is, must);
  ++failures;
}

template <typename Kernel> static void compare(Kernel kernel) {
  cudaDeviceProp properties;
  cudaFuncAttributes attributes;
  cudaGetDeviceProperties(&properties, 0);
  cudaFuncGetAttributes(&attributes, kernel);
  cudaOccDeviceProp device = properties;
  cudaOccFuncAttributes function = attributes;
  cudaOccDeviceState state;
  int *blocks;
  cudaMallocManaged(&blocks, 32 * sizeof(int));
  onDevice<<<1, 32>>>(device, function, blocks);
  cudaDeviceSynchronize();
  bool gpu = std::strncmp(properties.name, "NVIDIA", 6) == 0;
  for (int size = 32; size <= 1024; size += 32) {
    for (size_t bytes : {0, 1024, 20000}) {
      int must = -1;
      cudaOccResult result;
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&must, kernel, size, bytes);
      expect("status",
             cudaOccMaxActiveBlocksPerMultiprocessor(
                 &result, &device, &function, &state, size, bytes),
             CUDA_OCC_SUCCESS);
      if (gpu)
        expect("blocks", result.activeBlocksPerMultiprocessor, must);
      if (bytes == 0)
        expect("blocks in a kernel", blocks[size / 32 - 1],
               result.activeBlocksPerMultiprocessor);
    }
    if (!gpu)
      continue;
    int most = -1, must = -1;
    auto shared = [](int threads) { return size_t(threads) * 8; };
    cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(
        &most, &must, &device, &function, &state, shared);
    int grid, block;
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, kernel,
                                                   shared);
    expect("grid", most, grid);
    expect("block", must, block);
  }
  cudaFree(blocks);
  if (!gpu)
    return;
  int grid, block, mustGrid, mustBlock;
  cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &device, &function,
                                        &state);
  cudaOccupancyMaxPotentialBlockSize(&mustGrid, &mustBlock, kernel);
  expect("grid", grid, mustGrid);
  expect("block", block, mustBlock);
  // CUDA's calculator knows nothing of the memory that the driver may give a
  // kernel beyond the kernel's own attribute; the runtime's function does.
  size_t left = 0;
  expect("status",
         cudaOccAvailableDynamicSMemPerBlock(&left, &device, &function, &state,
                                             2, 128),
         CUDA_OCC_SUCCESS);
  expect("shared memory", left, attributes.maxDynamicSharedSizeBytes);
}

int main() {
  compare(tile);
  compare(moments);
  cudaOccDeviceProp none;
  cudaOccFuncAttributes function;
  cudaOccDeviceState state;
  cudaOccResult result;
  expect("no device",
         cudaOccMaxActiveBlocksPerMultiprocessor(&result, &none, &function,
                                                 &state, 32, 0),
         CUDA_OCC_ERROR_INVALID_INPUT);
  if (failures == 0)
    std::puts("PASSED");
  return failures != 0;
}
