// Clusters whose shape the launch gives: places, a histogram whose bins are
// divided among the shared memories of a cluster's blocks, arriving and waiting
// apart, blocks of which some threads have ended, barriers of the grid beside
// those of clusters.
#include "../../Inputs/check.h"
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>
namespace cg = cooperative_groups;

__global__ void places(int *out) {
  cg::cluster_group cluster = cg::this_cluster();
  const int block =
      blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const dim3 i = cluster.block_index(), n = cluster.dim_blocks();
  if (threadIdx.x == 0) {
    out[4 * block] = cluster.block_rank();
    out[4 * block + 1] = i.x + 10 * i.y + 100 * i.z;
    out[4 * block + 2] = n.x + 10 * n.y + 100 * n.z;
    out[4 * block + 3] = cluster.num_blocks();
  }
}

__global__ void histogram(int *bins, int nbins, int perBlock, const int *input,
                          int n) {
  extern __shared__ int mine[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < perBlock; i += blockDim.x)
    mine[i] = 0;
  cluster.sync();
  const int step = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    int bin = input[i];
    bin = bin < 0 ? 0 : bin >= nbins ? nbins - 1 : bin;
    int *theirs = cluster.map_shared_rank(mine, bin / perBlock);
    atomicAdd(theirs + bin % perBlock, 1);
  }
  cluster.sync();
  const int first = cluster.block_rank() * perBlock;
  for (int i = threadIdx.x; i < perBlock; i += blockDim.x)
    if (first + i < nbins)
      atomicAdd(&bins[first + i], mine[i]);
}

// Each iteration a block adds what its neighbour had in the iteration before.
__global__ void iterations(int *out, int count) {
  __shared__ int value[2][32];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x;
  value[0][t] = blockIdx.x + t;
  auto token = cluster.barrier_arrive();
  int local = t * t;
  cluster.barrier_wait(std::move(token));
  for (int iteration = 0; iteration < count; ++iteration) {
    const int rank = (cluster.block_rank() + 1) % cluster.num_blocks();
    const int *other = cluster.map_shared_rank(value[iteration & 1], rank);
    value[iteration + 1 & 1][t] = value[iteration & 1][t] + other[31 - t];
    cluster.sync();
  }
  out[blockIdx.x * 32 + t] = value[count & 1][t] + local;
}

__global__ void withGrid(int *sums, int *out) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  cg::grid_group grid = cg::this_grid();
  for (int iteration = 1; iteration <= 3; ++iteration) {
    if (threadIdx.x == 0)
      mine = iteration * (blockIdx.x + 1);
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 0)
      for (unsigned r = 0; r < cluster.num_blocks(); ++r)
        atomicAdd(sums + iteration, *cluster.map_shared_rank(&mine, r));
    grid.sync();
    if (threadIdx.x == 0)
      out[3 * blockIdx.x + iteration - 1] = sums[iteration];
    cluster.sync();
  }
}

template <class... Formal, class... Actual>
cudaError_t launch(void (*kernel)(Formal...), dim3 grid, dim3 block,
                   size_t bytes, dim3 cluster, bool cooperative,
                   Actual... arguments) {
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = cluster.x;
  attributes[0].val.clusterDim.y = cluster.y;
  attributes[0].val.clusterDim.z = cluster.z;
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = cooperative;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = bytes;
  config.attrs = attributes;
  config.numAttrs = 2;
  return cudaLaunchKernelEx(&config, kernel, Formal(arguments)...);
}

int main() {
  int has = 0;
  CHECK(cudaDeviceGetAttribute(&has, cudaDevAttrClusterLaunch, 0));
  if (!has) {
    std::puts("PASSED");
    return 0;
  }
  int *out;
  CHECK(cudaMalloc(&out, 1 << 16));
  std::vector<int> host(1 << 14);
  auto fetch = [&] {
    CHECK(cudaMemcpy(host.data(), out, 1 << 16, cudaMemcpyDeviceToHost));
  };

  CHECK(launch(places, dim3(4, 6, 4), 32, 0, dim3(2, 3, 1), false, out));
  fetch();
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 4; ++x) {
        const int *o = &host[4 * (x + 4 * (y + 6 * z))];
        EXPECT(o[0] == x % 2 + 2 * (y % 3) && o[1] == x % 2 + 10 * (y % 3) &&
               o[2] == 132 && o[3] == 6);
      }

  const int n = 100000, nbins = 1000, blocks = 16, size = 4;
  std::vector<int> input(n), bins(nbins);
  for (int i = 0; i < n; ++i) {
    input[i] = i * 7919 % 1100 - 50;
    ++bins[input[i] < 0 ? 0 : input[i] >= nbins ? nbins - 1 : input[i]];
  }
  int *in;
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMemcpy(in, input.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out, 0, 1 << 16));
  CHECK(launch(histogram, blocks, 128, nbins / size * sizeof(int), size, false,
               out, nbins, nbins / size, in, n));
  fetch();
  for (int i = 0; i < nbins; ++i)
    EXPECT(host[i] == bins[i]);

  CHECK(launch(iterations, 16, 32, 0, 8, false, out, 5));
  fetch();
  std::vector<int> now(16 * 32), next(16 * 32);
  for (int i = 0; i < 16 * 32; ++i)
    now[i] = i / 32 + i % 32;
  for (int iteration = 0; iteration < 5; ++iteration) {
    for (int b = 0; b < 16; ++b)
      for (int t = 0; t < 32; ++t)
        next[b * 32 + t] =
            now[b * 32 + t] + now[(b / 8 * 8 + (b + 1) % 8) * 32 + 31 - t];
    now.swap(next);
  }
  for (int i = 0; i < 16 * 32; ++i)
    EXPECT(host[i] == now[i] + i % 32 * (i % 32));

  CHECK(cudaMemset(in, 0, 64));
  CHECK(launch(withGrid, 8, 64, 0, 2, true, in, out));
  fetch();
  for (int b = 0; b < 8; ++b)
    for (int iteration = 1; iteration <= 3; ++iteration)
      EXPECT(host[3 * b + iteration - 1] == iteration * 36);

  // Shapes that do not fit.
  EXPECT(launch(iterations, 15, 32, 0, 8, false, out, 1) != cudaSuccess);
  (void)cudaGetLastError();
  CHECK(launch(iterations, 15, 32, 0, 1, false, out, 1));
  CHECK(cudaDeviceSynchronize());
  std::puts("PASSED");
  return 0;
}
