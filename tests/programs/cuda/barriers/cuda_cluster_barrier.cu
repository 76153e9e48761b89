// Barriers of a cluster and the shared memory of its other blocks.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) rotate(int *out) {
  __shared__ int mine[64];
  cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
  cluster.sync();
  int *next = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) %
                                                cluster.num_blocks());
  out[blockIdx.x * blockDim.x + threadIdx.x] = next[63 - threadIdx.x];
  cluster.sync();
}
int main() {
  int *d, h[8 * 64], bad = 0;
  cudaMalloc(&d, sizeof(h));
  rotate<<<8, 64>>>(d);
  if (cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost) != cudaSuccess)
    return 2;
  for (int b = 0; b < 8; ++b)
    for (int t = 0; t < 64; ++t)
      bad += h[64 * b + t] != 100 * (b / 4 * 4 + (b + 1) % 4) + 63 - t;
  printf(bad ? "%d wrong\n" : "PASSED\n", bad);
  return bad != 0;
}
