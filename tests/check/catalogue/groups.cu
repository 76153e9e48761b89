// Groups of threads: warps, tiles, what they reduce, barriers that count.
// FLAGS: -arch=sm_90
#include "../Inputs/cases.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
constexpr int nt = 128, nb = 4, n = nt * nb;

// CASE warp_tree_shared_volatile: FAULTY race s
__global__ void warp_tree_shared_volatile(const int *a, int *b) {
  __shared__ volatile int s[nt];
  const int t = threadIdx.x;
  s[t] = a[blockIdx.x * nt + t];
  __syncthreads();
  for (int w = nt / 2; w > 32; w /= 2) {
    if (t < w)
      s[t] += s[t + w];
    __syncthreads();
  }
  if (t < 32)
    for (int w = 32; w; w /= 2)
      s[t] += s[t + w]; // CHECK-RACE: read write
  if (t == 0)
    b[blockIdx.x] = s[0]; // MAY-RACE: read
}

// CASE shuffle_after_shared: FAULTY race s
__global__ void shuffle_after_shared(const int *a, int *b) {
  __shared__ int s[nt];
  const int t = threadIdx.x;
  s[t] = a[t]; // CHECK-RACE: write
  int v = __shfl_xor_sync(~0u, a[t], 1);
  b[blockIdx.x * nt + t] = v + s[t ^ 1]; // CHECK-RACE: read
}

// CASE tile_reduce: RIGHT
__global__ void tile_reduce(const int *a, int *b) {
  __shared__ int s[nt / 16];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int v = cg::reduce(tile, a[block.thread_rank()], cg::plus<int>());
  if (tile.thread_rank() == 0)
    s[tile.meta_group_rank()] = v;
  block.sync();
  if (block.thread_rank() == 0) {
    int all = 0;
    for (int i = 0; i < nt / 16; ++i)
      all += s[i];
    b[blockIdx.x] = all;
  }
}

// CASE tile_reduce_unsynced: FAULTY race s
__global__ void tile_reduce_unsynced(const int *a, int *b) {
  __shared__ int s[nt / 16];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int v = cg::reduce(tile, a[block.thread_rank()], cg::plus<int>());
  if (tile.thread_rank() == 0)
    s[tile.meta_group_rank()] = v; // CHECK-RACE: write
  tile.sync();
  if (block.thread_rank() == 0) {
    int all = 0;
    for (int i = 0; i < nt / 16; ++i)
      all += s[i]; // CHECK-RACE: read
    b[blockIdx.x] = all;
  }
}

// CASE coalesced_aggregate: RIGHT
__device__ int counter;
__global__ void coalesced_aggregate(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  if (a[i] % 3 == 0) {
    cg::coalesced_group g = cg::coalesced_threads();
    int base;
    if (g.thread_rank() == 0)
      base = atomicAdd(&counter, (int)g.size());
    base = g.shfl(base, 0);
    b[base + g.thread_rank()] = a[i];
  }
}

// CASE aggregate_without_atomic: FAULTY race counter2
__device__ int counter2;
__global__ void aggregate_without_atomic(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  if (a[i] % 3 == 0) {
    cg::coalesced_group g = cg::coalesced_threads();
    int base;
    if (g.thread_rank() == 0) {
      base = counter2;            // CHECK-RACE: read
      counter2 = base + g.size(); // CHECK-RACE: write
    }
    base = g.shfl(base, 0);
    b[base + g.thread_rank()] = a[i]; // MAY-RACE: write
  }
}

// CASE labeled: RIGHT
__global__ void labeled(const int *a, int *b) {
  __shared__ int s[nt];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto g = cg::labeled_partition(warp, a[threadIdx.x] % 3);
  int r = cg::reduce(g, a[threadIdx.x], cg::greater<int>());
  s[threadIdx.x] = r;
  warp.sync();
  b[blockIdx.x * nt + threadIdx.x] = s[threadIdx.x ^ 1];
}

// CASE binary_sync_part: FAULTY race s
__global__ void binary_sync_part(const int *a, int *b) {
  __shared__ int s[nt];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto g = cg::binary_partition(warp, threadIdx.x & 1);
  s[threadIdx.x] = a[threadIdx.x]; // CHECK-RACE: write
  g.sync();
  b[blockIdx.x * nt + threadIdx.x] = s[threadIdx.x ^ 1]; // CHECK-RACE: read
}

// CASE inclusive: RIGHT
__global__ void inclusive(const int *a, int *b) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  b[blockIdx.x * nt + threadIdx.x] =
      cg::inclusive_scan(tile, a[threadIdx.x], cg::plus<int>());
}

// CASE count_barrier: RIGHT
__global__ void count_barrier(const int *a, int *b) {
  __shared__ int s[nt];
  s[threadIdx.x] = a[threadIdx.x];
  int c = __syncthreads_count(a[threadIdx.x] > 3);
  b[blockIdx.x * nt + threadIdx.x] = c + s[nt - 1 - threadIdx.x];
  __syncthreads_and(1);
  s[threadIdx.x] = 1;
}

// CASE count_barrier_then_overwrite: FAULTY race s
__global__ void count_barrier_then_overwrite(const int *a, int *b) {
  __shared__ int s[nt];
  s[threadIdx.x] = a[threadIdx.x];
  int c = __syncthreads_count(a[threadIdx.x] > 3);
  b[blockIdx.x * nt + threadIdx.x] =
      c + s[nt - 1 - threadIdx.x]; // CHECK-RACE: read
  s[threadIdx.x] = 1;              // CHECK-RACE: write
}

// CASE down_from_half: FAULTY sync
__global__ void down_from_half(const int *a, int *b) {
  int v = a[threadIdx.x];
  if (threadIdx.x % 32 < 16)
    v += __shfl_down_sync(0xffffffffu, v, 8); // CHECK-SYNC: barrier
  b[blockIdx.x * nt + threadIdx.x] = v;
}

// CASE match_any: RIGHT
__global__ void match_any(const int *a, int *b) {
  unsigned m = __match_any_sync(~0u, a[threadIdx.x] & 3);
  int leader = __ffs(m) - 1;
  int v = __shfl_sync(m, a[threadIdx.x], leader);
  __syncwarp(m);
  b[blockIdx.x * nt + threadIdx.x] = v;
}

// CASE reduce_max_then_shared: RIGHT
__global__ void reduce_max_then_shared(const int *a, int *b) {
  __shared__ int s[nt / 32];
  int m = __reduce_max_sync(~0u, a[threadIdx.x]);
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = m;
  __syncthreads();
  if (threadIdx.x < 32) {
    int v = threadIdx.x < nt / 32 ? s[threadIdx.x] : 0;
    v = __reduce_max_sync(~0u, v);
    if (threadIdx.x == 0)
      b[blockIdx.x] = v;
  }
}

// CASE warp_slot_overwritten: FAULTY race s
__global__ void warp_slot_overwritten(const int *a, int *b) {
  __shared__ int s[nt / 32];
  for (int r = 0; r < 2; ++r) {
    int m = __reduce_add_sync(~0u, a[threadIdx.x] + r);
    if (threadIdx.x % 32 == 0)
      s[threadIdx.x / 32] = m; // CHECK-RACE: write
    __syncthreads();
    const int other = (threadIdx.x / 32 + 1) % (nt / 32);
    b[blockIdx.x * nt + threadIdx.x] = s[other]; // CHECK-RACE: read
  }
}

// CASE bar_sync_some: RIGHT
__global__ void bar_sync_some(const int *a, int *b) {
  __shared__ int s[nt];
  s[threadIdx.x] = a[threadIdx.x];
  if (threadIdx.x < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");
  b[blockIdx.x * nt + threadIdx.x] = s[threadIdx.x ^ 63];
}

// CASE bar_sync_wrong_part: FAULTY race s
__global__ void bar_sync_wrong_part(const int *a, int *b) {
  __shared__ int s[nt];
  s[threadIdx.x] = a[threadIdx.x]; // CHECK-RACE: write
  if (threadIdx.x < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");
  b[blockIdx.x * nt + threadIdx.x] = s[threadIdx.x ^ 64]; // CHECK-RACE: read
}

// CASE grid_sync_second: FAULTY race
__global__ void grid_sync_second(const int *a, int *b) {
  auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  b[i] = a[i];
  grid.sync();
  int v = b[n - 1 - i]; // CHECK-RACE: read
  b[i] = v + 1;         // CHECK-RACE: write
}

// CASE grid_sync_both: RIGHT
__global__ void grid_sync_both(const int *a, int *b) {
  auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  b[i] = a[i];
  grid.sync();
  int v = b[n - 1 - i];
  grid.sync();
  b[i] = v + 1;
}

// CASE block_sync_not_grid: FAULTY race
__global__ void block_sync_not_grid(const int *a, int *b) {
  auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  b[i] = a[i]; // CHECK-RACE: write
  cg::this_thread_block().sync();
  int v = b[n - 1 - i]; // CHECK-RACE: read
  grid.sync();
  b[i] = v + 1; // MAY-RACE: write
}

// CASE thread_loops_differ_in_grid_sync: FAULTY sync ALONE
__global__ void thread_loops_differ_in_grid_sync(const int *a, int *b) {
  auto grid = cg::this_grid();
  if (threadIdx.x < 64)
    grid.sync(); // CHECK-SYNC: barrier
  b[grid.thread_rank()] = 1;
}

// CASE one_dimension_shared_2d: FAULTY race tile
__global__ void one_dimension_shared_2d(const int *a, int *b) {
  __shared__ int tile[8][16];
  int x = threadIdx.x % 16, y = threadIdx.x / 16;
  tile[y][x] = a[threadIdx.x]; // CHECK-RACE: write
  __syncwarp();
  b[blockIdx.x * nt + threadIdx.x] = tile[(y + 2) % 8][x]; // CHECK-RACE: read
}

// CASE same_warp_rows: RIGHT
__global__ void same_warp_rows(const int *a, int *b) {
  __shared__ int tile[8][16];
  int x = threadIdx.x % 16, y = threadIdx.x / 16;
  tile[y][x] = a[threadIdx.x];
  __syncwarp();
  b[blockIdx.x * nt + threadIdx.x] = tile[y ^ 1][x];
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(n), *b = numbers(n);
  std::vector<int> r;
#define RUN(NAME)                                                              \
  if (run(#NAME))                                                              \
  NAME<<<nb, nt>>>(a, b)
#define COOP(NAME)                                                             \
  if (run(#NAME)) {                                                            \
    void *args[] = {&a, &b};                                                   \
    cudaLaunchCooperativeKernel((void *)NAME, nb, nt, args);                   \
  }
#define RIGHT(NAME, H)                                                         \
  if (run(#NAME)) {                                                            \
    NAME<<<nb, nt>>>(a, b);                                                    \
    r = fetch(b, n);                                                           \
    expect(H, #NAME);                                                          \
  }
  RUN(warp_tree_shared_volatile);
  RUN(shuffle_after_shared);
  RIGHT(tile_reduce, r[1] == nt * (nt - 1) / 2)
  RUN(tile_reduce_unsynced);
  RIGHT(coalesced_aggregate, true);
  RUN(aggregate_without_atomic);
  RIGHT(labeled, true);
  RUN(binary_sync_part);
  RIGHT(inclusive, r[2] == 3);
  RIGHT(count_barrier, r[0] == 124 + 127);
  RUN(count_barrier_then_overwrite);
  RUN(down_from_half);
  RIGHT(match_any, true);
  RIGHT(reduce_max_then_shared, r[3] == 127);
  RUN(warp_slot_overwritten);
  RIGHT(bar_sync_some, r[0] == 63);
  RUN(bar_sync_wrong_part);
  COOP(grid_sync_second);
  if (run("grid_sync_both")) {
    COOP(grid_sync_both);
  }
  COOP(block_sync_not_grid);
  COOP(thread_loops_differ_in_grid_sync);
  RUN(one_dimension_shared_2d);
  RIGHT(same_warp_rows, r[0] == 16);
  return finish();
}
