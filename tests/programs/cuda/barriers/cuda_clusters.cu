// Launches in clusters of blocks: attributes of a launch, occupancy, what does
// not fit. The kernel looks at nothing that only clusters have.
#include "../../Inputs/check.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void count(int *blocks, int n, float add) {
  const int block =
      blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  if (block < n)
    atomicAdd(&blocks[block], int(add));
}

constexpr int Blocks = 16 * 4 * 2;

int main() {
  int has = 0;
  CHECK(cudaDeviceGetAttribute(&has, cudaDevAttrClusterLaunch, 0));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(properties.clusterLaunch == has);

  int *blocks, host[Blocks];
  CHECK(cudaMalloc(&blocks, sizeof(host)));
  CHECK(cudaMemset(blocks, 0, sizeof(host)));
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeIgnore;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(16, 4, 2);
  config.blockDim = dim3(32, 2);
  config.attrs = attributes;
  const auto cluster = [&](unsigned x, unsigned y, unsigned z) {
    attributes[1].val.clusterDim.x = x;
    attributes[1].val.clusterDim.y = y;
    attributes[1].val.clusterDim.z = z;
  };

  // Without clusters every device takes it.
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, count, blocks, int(Blocks), 1));
  CHECK(cudaDeviceSynchronize());
  int launches = 1;
  config.numAttrs = 2;
  cluster(2, 1, 1);
  if (!has) {
    EXPECT(cudaLaunchKernelEx(&config, count, blocks, int(Blocks), 1.0f) ==
           cudaErrorNotSupported);
    std::puts("PASSED");
    return 0;
  }
  const unsigned shapes[][3] = {{1, 1, 1}, {2, 1, 1}, {8, 1, 1},
                                {2, 2, 2}, {1, 4, 1}, {4, 1, 2}};
  for (const auto &s : shapes) {
    cluster(s[0], s[1], s[2]);
    CHECK(cudaLaunchKernelEx(&config, count, blocks, int(Blocks), 1.0f));
    ++launches;
  }
  CHECK(cudaMemcpy(host, blocks, sizeof(host), cudaMemcpyDeviceToHost));
  for (int i = 0; i < Blocks; ++i)
    EXPECT(host[i] == 64 * launches);

  // Occupancy.
  int size = 0, active = 0, fewer = 0;
  cluster(2, 1, 1);
  CHECK(cudaOccupancyMaxPotentialClusterSize(&size, count, &config));
  EXPECT(size >= 8);
  CHECK(cudaOccupancyMaxActiveClusters(&active, count, &config));
  EXPECT(active >= 1);
  cluster(8, 1, 1);
  CHECK(cudaOccupancyMaxActiveClusters(&fewer, count, &config));
  EXPECT(fewer >= 1 && fewer <= active);

  // What does not fit.
  cluster(3, 1, 1);
  EXPECT(cudaLaunchKernelEx(&config, count, blocks, int(Blocks), 1.0f) ==
         cudaErrorInvalidClusterSize);
  cluster(16, 4, 1);
  EXPECT(cudaLaunchKernelEx(&config, count, blocks, int(Blocks), 1.0f) ==
         cudaErrorInvalidClusterSize);
  cluster(0, 1, 1);
  EXPECT(cudaLaunchKernelEx(&config, count, blocks, int(Blocks), 1.0f) ==
         cudaErrorInvalidClusterSize);
  cudaGetLastError();
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(blocks));
  std::puts("PASSED");
}
