// Within a warp and a block: parts of warps, named barriers, asynchronous
// copies, bytes.
#include "../Inputs/cases.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
constexpr int nt = 128, n = 2 * nt;
#define SYNC(ID, COUNT)                                                        \
  asm volatile("bar.sync %0, %1;" ::"r"(ID), "r"(COUNT) : "memory")
#define ARRIVE(ID, COUNT)                                                      \
  asm volatile("bar.arrive %0, %1;" ::"r"(ID), "r"(COUNT) : "memory")

// CASE half_warps: RIGHT
__global__ void half_warps(const int *a, int *b) {
  __shared__ int s[nt];
  const int t = threadIdx.x, half = t & ~15;
  s[t] = a[t];
  __syncwarp(t % 32 < 16 ? 0xffffu : 0xffff0000u);
  b[t] = s[half + 15 - (t & 15)];
}

// CASE across_half_warps: FAULTY race s
__global__ void across_half_warps(const int *a, int *b) {
  __shared__ int s[nt];
  const int t = threadIdx.x;
  s[t] = a[t]; // CHECK-RACE: write
  __syncwarp(t % 32 < 16 ? 0xffffu : 0xffff0000u);
  b[t] = s[t ^ 16]; // CHECK-RACE: read
}

// CASE stepwise_sum: FAULTY race s
__global__ void stepwise_sum(const int *a, int *b) {
  __shared__ int s[nt];
  const int t = threadIdx.x, lane = t % 32;
  s[t] = a[t]; // MAY-RACE: write
  __syncwarp();
  for (int w = 16; w; w /= 2) {
    if (lane < w)
      s[t] += s[t + w]; // CHECK-RACE: read write
  }
  b[t] = s[t]; // MAY-RACE: read
}

// CASE stepwise_sum_right: RIGHT
__global__ void stepwise_sum_right(const int *a, int *b) {
  __shared__ int s[nt];
  const int t = threadIdx.x, lane = t % 32;
  s[t] = a[t];
  for (int w = 16; w; w /= 2) {
    __syncwarp();
    int other = lane < w ? s[t + w] : 0;
    __syncwarp();
    if (lane < w)
      s[t] += other;
  }
  __syncwarp();
  b[t] = s[t - lane];
}

// CASE vote_is_no_barrier: FAULTY race s
__global__ void vote_is_no_barrier(const int *a, int *b) {
  __shared__ int s[nt];
  const int t = threadIdx.x;
  s[t] = a[t]; // CHECK-RACE: write
  if (__all_sync(~0u, a[t] >= 0))
    b[t] = s[t ^ 1]; // CHECK-RACE: read
}

// CASE warp_of_other_block_part: FAULTY race s
__global__ void warp_of_other_block_part(const int *a, int *b) {
  __shared__ int s[nt];
  const int t = threadIdx.x;
  s[t] = a[t]; // CHECK-RACE: write
  __syncwarp();
  b[t] = s[(t + 32) % nt]; // CHECK-RACE: read
}

// CASE tile_sync: RIGHT
__global__ void tile_sync(const int *a, int *b) {
  __shared__ int s[nt];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int t = threadIdx.x;
  s[t] = a[t];
  tile.sync();
  b[t] = s[(t & ~7) + 7 - (t & 7)];
}

// CASE beyond_tile: FAULTY race s
__global__ void beyond_tile(const int *a, int *b) {
  __shared__ int s[nt];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int t = threadIdx.x;
  s[t] = a[t]; // CHECK-RACE: write
  tile.sync();
  b[t] = s[t ^ 8]; // CHECK-RACE: read
}

// CASE coalesced_sync: RIGHT
__global__ void coalesced_sync(const int *a, int *b) {
  __shared__ int s[nt];
  const int t = threadIdx.x;
  if (t % 2) {
    auto group = cg::coalesced_threads();
    s[t] = a[t];
    group.sync();
    b[t] = s[t ^ 2];
  }
}

// CASE pairs_of_warps: RIGHT
__global__ void pairs_of_warps(const int *a, int *b) {
  __shared__ int s[nt];
  const int t = threadIdx.x, pair = t / 64;
  s[t] = a[t];
  SYNC(pair + 1, 64);
  b[t] = s[t ^ 32];
}

// CASE other_pair: FAULTY race s
__global__ void other_pair(const int *a, int *b) {
  __shared__ int s[nt];
  const int t = threadIdx.x, pair = t / 64;
  s[t] = a[t]; // CHECK-RACE: write
  SYNC(pair + 1, 64);
  b[t] = s[t ^ 64]; // CHECK-RACE: read
}

// CASE arrives_too_early: FAULTY race s
__global__ void arrives_too_early(const int *a, int *b) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t < 64) {
    ARRIVE(1, nt);
    s[t] = a[t]; // CHECK-RACE: write
  } else {
    SYNC(1, nt);
    b[t] = s[t - 64]; // CHECK-RACE: read ! MAY-INIT: read
  }
}

// CASE overwritten_by_producer: FAULTY race s
__global__ void overwritten_by_producer(const int *a, int *b) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  for (int r = 0; r < 3; ++r)
    if (t < 64) {
      s[t] = a[t] + r; // CHECK-RACE: write
      SYNC(1, nt);
    } else {
      SYNC(1, nt);
      b[t] = s[t - 64]; // CHECK-RACE: read
    }
}

// CASE async_copy: RIGHT
__global__ void async_copy(const int *a, int *b) {
  __shared__ int s[nt];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &a[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  b[t] = s[nt - 1 - t];
}

// CASE async_without_barrier: FAULTY race s
__global__ void async_without_barrier(const int *a, int *b) {
  __shared__ int s[nt];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &a[t], 4); // CHECK-RACE: write
  __pipeline_commit();
  __pipeline_wait_prior(0);
  b[t] = s[nt - 1 - t]; // CHECK-RACE: read ! MAY-INIT: read
}

// CASE group_copy: RIGHT
__global__ void group_copy(const int *a, int *b) {
  __shared__ int s[nt];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, a, sizeof s);
  cg::wait(block);
  b[threadIdx.x] = s[nt - 1 - threadIdx.x];
}

// CASE bits: FAULTY race
struct Bits {
  unsigned low : 4, high : 4;
};
__global__ void bits(const int *a, int *b) {
  __shared__ Bits s[nt / 2];
  const int t = threadIdx.x;
  if (t < nt / 2) {
    s[t].low = 0;
    s[t].high = 0;
  }
  __syncthreads();
  if (t % 2)
    s[t / 2].low = a[t] & 15; // CHECK-RACE: write ! MAY-RACE: read
  else
    s[t / 2].high = a[t] & 15; // MAY-RACE: read write
}

// CASE half_of_a_double: FAULTY race s
__global__ void half_of_a_double(const int *a, int *b) {
  __shared__ double s[nt];
  const int t = threadIdx.x;
  s[t] = a[t]; // CHECK-RACE: write
  b[t] = ((int *)s)[(2 * t + 3) % (2 * nt)]; // CHECK-RACE: read ! MAY-INIT: read
}

// CASE shorts_apart: RIGHT
__global__ void shorts_apart(const int *a, int *b) {
  __shared__ short s[nt];
  const int t = threadIdx.x;
  s[t] = (short)a[t];
  s[t] += 1;
  __syncthreads();
  b[t] = s[t ^ 1];
}

// CASE last_reads_first: FAULTY race s
__global__ void last_reads_first(const int *a, int *b) {
  __shared__ int s[nt];
  const int t = threadIdx.x;
  for (int r = 0; r < 2; ++r) {
    s[t] = a[t] + r; // CHECK-RACE: write
    __syncthreads();
    b[t] = s[nt - 1 - t]; // CHECK-RACE: read
  }
}

// CASE uniform_break: RIGHT
__global__ void uniform_break(const int *a, int *b) {
  __shared__ int s[nt], stop;
  const int t = threadIdx.x;
  if (t == 0)
    stop = 0;
  __syncthreads();
  for (int r = 0;; ++r) {
    s[t] = a[t] + r;
    __syncthreads();
    if (t == 5 && s[6] > 10)
      stop = 1;
    __syncthreads();
    if (stop)
      break;
    __syncthreads();
  }
  b[t] = s[t];
}

// CASE stop_read_too_late: FAULTY race stop
__global__ void stop_read_too_late(const int *a, int *b) {
  __shared__ int stop;
  const int t = threadIdx.x;
  if (t == 0)
    stop = 0;
  __syncthreads();
  for (int r = 0; r < 5; ++r) {
    if (t == 5 && r == 3)
      stop = 1; // CHECK-RACE: write
    __syncthreads();
    b[t] = a[t] + stop; // CHECK-RACE: read
  }
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(n), *b = numbers(n);
  std::vector<int> r;
#define RUN(NAME)                                                              \
  if (run(#NAME))                                                              \
    NAME<<<1, nt>>>(a, b);
#define RIGHT(NAME, HOLDS)                                                     \
  if (run(#NAME)) {                                                            \
    NAME<<<1, nt>>>(a, b);                                                     \
    r = fetch(b, n);                                                           \
    expect(HOLDS, #NAME);                                                      \
  }
  RIGHT(half_warps, r[0] == 15)
  RUN(across_half_warps)
  RUN(stepwise_sum)
  RIGHT(stepwise_sum_right, r[1] == 31 * 16)
  RUN(vote_is_no_barrier)
  RUN(warp_of_other_block_part)
  RIGHT(tile_sync, r[0] == 7)
  RUN(beyond_tile)
  RIGHT(coalesced_sync, r[1] == 3)
  RIGHT(pairs_of_warps, r[0] == 32)
  RUN(other_pair)
  RUN(arrives_too_early)
  RUN(overwritten_by_producer)
  RIGHT(async_copy, r[0] == nt - 1)
  RUN(async_without_barrier)
  RIGHT(group_copy, r[0] == nt - 1)
  RUN(bits)
  RUN(half_of_a_double)
  RIGHT(shorts_apart, r[0] == 2)
  RUN(last_reads_first)
  RIGHT(uniform_break, r[0] == 5)
  RUN(stop_read_too_late)
  return finish();
}
