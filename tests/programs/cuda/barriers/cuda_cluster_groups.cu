// Who a thread is in its cluster: cooperative_groups' cluster_group. Barriers
// of clusters are in cuda_cluster_barrier.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 2, 1) who(int *out) {
  cg::cluster_group cluster = cg::this_cluster();
  int block = blockIdx.x + gridDim.x * blockIdx.y;
  int *o = out + 6 * (block * blockDim.x + threadIdx.x);
  o[0] = cluster.num_blocks() * 1000 + cluster.block_rank();
  o[1] = cluster.block_index().x + 10 * cluster.block_index().y;
  o[2] = cluster.dim_blocks().x + 10 * cluster.dim_blocks().y +
         100 * cluster.dim_blocks().z;
  o[3] = cluster.thread_rank();
  o[4] = cluster.num_threads();
  o[5] = cluster.thread_index().x + 1000 * cluster.dim_threads().x;
}

int main() {
  constexpr int X = 4, Y = 4, Threads = 32;
  static int h[6 * X * Y * Threads];
  int *d, bad = 0;
  cudaMalloc(&d, sizeof(h));
  who<<<dim3(X, Y), Threads>>>(d);
  if (cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost) != cudaSuccess)
    return 2;
  for (int y = 0; y < Y; ++y)
    for (int x = 0; x < X; ++x)
      for (int t = 0; t < Threads; ++t) {
        const int *o = h + 6 * ((y * X + x) * Threads + t);
        const int rank = x % 2 + 2 * (y % 2);
        bad += o[0] != 4000 + rank || o[1] != x % 2 + 10 * (y % 2) ||
               o[2] != 122 || o[3] != rank * Threads + t ||
               o[4] != 4 * Threads ||
               o[5] != x % 2 * Threads + t + 1000 * 2 * Threads;
      }
  printf(bad ? "%d wrong\n" : "PASSED\n", bad);
  return bad != 0;
}
