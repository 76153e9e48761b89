// Barriers and warp operations.
#include "Inputs/cases.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int nt = 64, nb = 2, n = nt * nb;

// CASE divergent_branch: FAULTY sync ALONE
__global__ void divergent_branch(int *b) {
  if (threadIdx.x < 48)
    __syncthreads(); // CHECK-SYNC: barrier
  b[blockIdx.x * nt + threadIdx.x] = 1;
}

// CASE divergent_trips: FAULTY sync ALONE
__global__ void divergent_trips(int *b) {
  for (int i = 0; i <= threadIdx.x % 3; ++i)
    __syncthreads(); // CHECK-SYNC: barrier
  b[blockIdx.x * nt + threadIdx.x] = 1;
}

// CASE two_barriers: FAULTY sync ALONE
__global__ void two_barriers(int *b) {
  if (threadIdx.x < 32) {
    __syncthreads(); // CHECK-SYNC: barrier
    b[threadIdx.x] = 1;
  } else {
    __syncthreads(); // CHECK-SYNC: barrier
    b[threadIdx.x] = 2;
  }
}

// CASE half_arrives: FAULTY sync ALONE
__global__ void half_arrives(int *b) {
  // 64 threads are waited for, of which only these come.
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory"); // CHECK-SYNC: barrier
  b[threadIdx.x] = 1;
}

// CASE early_return: FAULTY sync ALONE
__global__ void early_return(int *b) {
  if (threadIdx.x > 50)
    return;
  b[threadIdx.x] = 1;
  __syncthreads(); // CHECK-SYNC: barrier
  b[threadIdx.x] = 2;
}

// CASE warps_gone_before_barrier: FAULTY sync ALONE
__global__ void warps_gone_before_barrier(int *b) {
  if (threadIdx.x >= 32)
    return;
  b[threadIdx.x] = 1;
  __syncthreads(); // CHECK-SYNC: barrier
  b[threadIdx.x] = 2;
}

// CASE syncwarp_without_caller: FAULTY sync ALONE
__global__ void syncwarp_without_caller(int *b) {
  if (threadIdx.x == 5)
    __syncwarp(1); // CHECK-SYNC: barrier
  b[threadIdx.x] = 1;
}

// CASE half_warp_shuffle: FAULTY sync ALONE
__global__ void half_warp_shuffle(int *b) {
  int v = threadIdx.x;
  if (v % 32 < 16)
    v = __shfl_sync(~0u, v, 20); // CHECK-SYNC: barrier
  b[threadIdx.x] = v;
}

// CASE divergent_ballot: FAULTY sync ALONE
__global__ void divergent_ballot(int *b) {
  if (threadIdx.x % 2)
    b[threadIdx.x] = __ballot_sync(~0u, 1); // CHECK-SYNC: barrier
}

// CASE exited_lanes: FAULTY sync ALONE
__global__ void exited_lanes(int *b) {
  if (threadIdx.x >= 40)
    return;
  b[threadIdx.x] =
      __shfl_down_sync(~0u, int(threadIdx.x), 1); // CHECK-SYNC: barrier
}

// CASE uniform_branch: RIGHT
__global__ void uniform_branch(int *b) {
  if (blockIdx.x == 1)
    __syncthreads();
  b[blockIdx.x * nt + threadIdx.x] = 1;
}

// CASE leave_without_barrier: RIGHT
__global__ void leave_without_barrier(int *b) {
  __syncthreads();
  if (threadIdx.x >= 20)
    return;
  b[threadIdx.x] = 1;
}

// CASE whole_warps_leave: RIGHT
__global__ void whole_warps_leave(int *b) {
  if (threadIdx.x >= 32)
    return;
  b[threadIdx.x] = __shfl_xor_sync(~0u, int(threadIdx.x), 1);
}

// CASE masked_ballot: RIGHT
__global__ void masked_ballot(int *b) {
  if (threadIdx.x % 32 < 16)
    b[threadIdx.x] = __ballot_sync(0xffffu, 1);
}

// CASE active_mask: RIGHT
__global__ void active_mask(int *b) {
  if (threadIdx.x % 3 == 0) {
    unsigned mask = __activemask();
    __syncwarp(mask);
    b[threadIdx.x] = __popc(mask);
  }
}

// CASE ballot_as_mask: RIGHT
__global__ void ballot_as_mask(int *b) {
  bool odd = threadIdx.x % 2;
  unsigned mask = __ballot_sync(~0u, odd);
  if (odd)
    b[threadIdx.x] = __shfl_sync(mask, int(threadIdx.x), 1);
}

// CASE coalesced: RIGHT
__global__ void coalesced(int *b) {
  if (threadIdx.x % 2) {
    auto group = cg::coalesced_threads();
    group.sync();
    b[threadIdx.x] = group.size();
  }
}

// CASE tiles: RIGHT
__global__ void tiles(int *b) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  b[threadIdx.x] = tile.shfl(int(threadIdx.x), 0);
  if (tile.meta_group_rank() % 2)
    tile.sync();
}

// CASE tiles_of_two_warps: RIGHT
__global__ void tiles_of_two_warps(int *b) {
  __shared__ cg::block_tile_memory<n> memory;
  auto tile = cg::tiled_partition<nt>(cg::this_thread_block(memory));
  for (unsigned i = 0; i <= tile.meta_group_rank(); ++i)
    tile.sync();
  if (tile.meta_group_rank() == 1)
    tile.sync();
  b[threadIdx.x] = 1;
}

// CASE warps_of_their_own: RIGHT
__global__ void warps_of_their_own(int *b) {
  if (threadIdx.x < 32)
    __syncwarp();
  else
    b[threadIdx.x] = __any_sync(~0u, 1);
}

// CASE inlined_barrier: RIGHT
__device__ void meet() { __syncthreads(); }
__global__ void inlined_barrier(int *b) {
  meet();
  b[blockIdx.x * nt + threadIdx.x] = 1;
  meet();
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *b = numbers(n);
#define RUN(NAME)                                                              \
  if (run(#NAME))                                                              \
    NAME<<<nb, nt>>>(b);
#define RUN_ONE(NAME)                                                          \
  if (run(#NAME))                                                              \
    NAME<<<1, nt>>>(b);
  RUN(divergent_branch)
  RUN(divergent_trips)
  RUN_ONE(two_barriers)
  RUN_ONE(half_arrives)
  RUN_ONE(early_return)
  RUN_ONE(warps_gone_before_barrier)
  RUN_ONE(syncwarp_without_caller)
  RUN_ONE(half_warp_shuffle)
  RUN_ONE(divergent_ballot)
  RUN_ONE(exited_lanes)
  RUN(uniform_branch)
  RUN_ONE(leave_without_barrier)
  RUN_ONE(whole_warps_leave)
  RUN_ONE(masked_ballot)
  RUN_ONE(active_mask)
  RUN_ONE(ballot_as_mask)
  RUN_ONE(coalesced)
  RUN_ONE(tiles)
  if (run("tiles_of_two_warps"))
    tiles_of_two_warps<<<1, n>>>(b);
  RUN_ONE(warps_of_their_own)
  RUN(inlined_barrier)
  cudaDeviceSynchronize();
  return finish();
}
