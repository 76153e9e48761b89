#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
__device__ int sumOf(cg::thread_group g, int *s, int v) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    s[lane] = v;
    g.sync();
    if (lane < i)
      v += s[lane + i];
    g.sync();
  }
  return v;
}
__global__ void block(int *out) {
  extern __shared__ int s[];
  cg::thread_block b = cg::this_thread_block();
  int v = sumOf(b, s, b.thread_rank());
  if (b.thread_rank() == 0)
    out[0] = v;
  auto t16 = cg::tiled_partition<16>(b);
  int off = b.thread_rank() - t16.thread_rank();
  v = sumOf(t16, s + off, t16.thread_rank());
  if (t16.thread_rank() == 0)
    atomicAdd(out + 1, v);
  auto t8 = cg::tiled_partition<8>(b);
  int r = cg::reduce(t8, (int)b.thread_rank(), cg::plus<int>());
  if (t8.thread_rank() == 3)
    atomicMax(out + 2, r);
  int sc = cg::inclusive_scan(t8, 1);
  if (t8.meta_group_rank() == 1 && t8.thread_rank() == 5)
    out[3] = sc;
  if (threadIdx.x % 3 == 0) {
    cg::coalesced_group c = cg::coalesced_threads();
    if (c.thread_rank() == 0)
      atomicAdd(out + 4, c.size());
    int f = c.shfl((int)threadIdx.x, 1);
    if (threadIdx.x == 0)
      out[5] = f;
  }
  unsigned bal = t16.ballot(threadIdx.x & 1);
  if (threadIdx.x == 17)
    out[6] = bal;
  auto t32 = cg::tiled_partition(b, 32);
  t32.sync();
  if (threadIdx.x == 40)
    out[7] = t32.thread_rank();
}
__global__ void grid(int *a, int n) {
  auto g = cg::this_grid();
  for (int i = g.thread_rank(); i < n; i += g.size())
    a[i] = i;
  g.sync();
  for (int i = g.thread_rank(); i < n; i += g.size())
    a[n + i] = a[n - 1 - i];
}
int main() {
  int *d, h[8] = {};
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  block<<<1, 64, 64 * sizeof(int)>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  const int want[8] = {2016, 480, 476, 6, 22, 3, 0xaaaa, 8};
  int bad = 0;
  for (int i = 0; i < 8; ++i)
    if (h[i] != want[i]) {
      ++bad;
      printf("%d: %d, not %d\n", i, h[i], want[i]);
    }
  const int n = 1000;
  int *a, ha[2 * n];
  cudaMalloc(&a, sizeof ha);
  int m = n;
  void *args[] = {&a, &m};
  int blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, grid, 64, 0);
  cudaError_t e =
      cudaLaunchCooperativeKernel((void *)grid, dim3(2), dim3(64), args, 0, 0);
  if (e)
    printf("%s\n", cudaGetErrorString(e)), ++bad;
  cudaMemcpy(ha, a, sizeof ha, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    bad += ha[n + i] != n - 1 - i;
  if (!bad)
    printf("PASSED\n");
}
