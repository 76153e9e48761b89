// Cooperative groups beyond one warp and one partition: tiles of 64 threads
// and more, partitions of partitions, by label and by condition, one thread
// for all.
// SLOW: the compiler takes many seconds of it
#include "../../Inputs/count.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <utility>
namespace cg = cooperative_groups;

template <unsigned Size> __global__ void large(int *out) {
  __shared__ cg::block_tile_memory<1024> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<Size>(block);
  int t = threadIdx.x;
  int *o = out + 8 * t;
  o[0] = tile.thread_rank() + 1000 * tile.meta_group_rank();
  o[1] = tile.num_threads() + 10000 * tile.meta_group_size();
  o[2] = cg::reduce(tile, t, cg::plus<int>());
  o[3] = cg::inclusive_scan(tile, 1);
  o[4] = cg::exclusive_scan(tile, t, cg::plus<int>());
  o[5] = tile.shfl(t, 5);
  o[6] = tile.any(t == 70) + 2 * tile.all(t >= 64);
  // Only some tiles meet, and each in a loop of its own length.
  __shared__ int relay[1024];
  relay[t] = t;
  for (unsigned i = 0; i <= tile.meta_group_rank(); ++i) {
    tile.sync();
    int other = relay[t ^ (Size / 2)];
    tile.sync();
    relay[t] = other + 1;
  }
  tile.sync();
  o[7] = relay[t];
  // What the tiles say, each at a pace of its own, stays theirs.
  for (unsigned i = 0; i <= 40 + 10 * tile.meta_group_rank(); ++i) {
    if (tile.shfl(t, i) / Size != t / Size)
      o[7] = -1;
    if (cg::reduce(tile, t, cg::greater<int>()) % Size != Size - 1)
      o[7] = -2;
    if (cg::exclusive_scan(tile, 1) != tile.thread_rank())
      o[7] = -3;
  }
  auto warp = cg::tiled_partition<32>(tile);
  auto four = cg::tiled_partition<4>(warp);
  o[0] += 1000000 * (warp.meta_group_rank() + 100 * four.meta_group_rank());
  o[1] += 1000000 * (warp.meta_group_size() + 100 * four.meta_group_size());
}

template <unsigned Size> static void tryLarge(int *d, int threads) {
  static int h[8 * 1024];
  cudaMemset(d, 0, sizeof(h));
  large<Size><<<1, threads>>>(d);
  CHECK(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int t = 0; t < threads; ++t) {
    const int size = Size, tile = t / size, first = tile * size,
              rank = t % size;
    const int *o = h + 8 * t;
    CHECK(o[0] ==
          rank + 1000 * tile + 1000000 * (rank / 32 + 100 * (rank % 32 / 4)));
    CHECK(o[1] ==
          size + 10000 * (threads / size) + 1000000 * (size / 32 + 100 * 8));
    CHECK(o[2] == size * first + size * (size - 1) / 2);
    CHECK(o[3] == rank + 1);
    CHECK(o[4] == rank * first + rank * (rank - 1) / 2);
    CHECK(o[5] == first + 5);
    CHECK(o[6] == (first <= 70 && 70 < first + size) + 2 * (first >= 64));
    const int iterations = tile + 1;
    CHECK(o[7] == (iterations % 2 ? t ^ (size / 2) : t) + iterations);
    if (bad > 20)
      return;
  }
}

// Tiles of two sizes in one block, which wait at the same time.
__global__ void mixed(int *out) {
  __shared__ int s[512];
  auto block = cg::this_thread_block();
  auto small = cg::tiled_partition<64>(block);
  auto large = cg::tiled_partition<128>(block);
  int t = threadIdx.x;
  s[t] = t;
  if (t < 256) {
    for (unsigned i = 0; i < 3 + small.meta_group_rank(); ++i) {
      small.sync();
      int other = s[t ^ 63];
      small.sync();
      s[t] = other + 1;
    }
  } else {
    for (unsigned i = 0; i < 9 - large.meta_group_rank(); ++i) {
      large.sync();
      int other = s[t ^ 127];
      large.sync();
      s[t] = other + 1;
    }
  }
  out[t] = s[t];
}

__global__ void parts(int *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int t = threadIdx.x;
  int *o = out + 8 * t;
  auto labelled = cg::labeled_partition(warp, (t * 7) % 3);
  o[0] = labelled.num_threads() + 100 * labelled.meta_group_size() +
         1000 * labelled.thread_rank();
  o[1] = labelled.shfl(t, 0);
  auto two = cg::binary_partition(warp, t % 5 == 0);
  o[2] = two.size() + 100 * two.thread_rank();
  o[3] = cg::reduce(two, t, cg::greater<int>());
  o[4] = cg::invoke_one_broadcast(warp, [&] { return 40 + t; });
  if (t % 2) {
    auto odd = cg::coalesced_threads();
    auto quads = cg::tiled_partition<4>(odd);
    o[5] = quads.size() + 100 * quads.thread_rank() +
           1000 * quads.meta_group_rank() + 100000 * quads.meta_group_size();
    o[6] = quads.shfl(t, 1);
  }
  cg::invoke_one(warp, [&](int add) { o[7] = t + add; }, 9);
}

__global__ void any(int *out) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
  cg::thread_group group = cg::tiled_partition<64>(block);
  int other = s[threadIdx.x ^ 63];
  group.sync();
  s[threadIdx.x] = other + group.thread_rank();
  cg::sync(group);
  out[threadIdx.x] = s[threadIdx.x ^ 1] + cg::group_size(group);
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  out[threadIdx.x] += 1000 * tile.thread_rank();
}

int main() {
  int *d, h[8 * 32];
  cudaMalloc(&d, 8 * 1024 * sizeof(int));
  tryLarge<64>(d, 256);
  tryLarge<64>(d, 1024);
  tryLarge<256>(d, 256);
  tryLarge<256>(d, 1024);
  static int m[512];
  mixed<<<1, 512>>>(d);
  CHECK(cudaMemcpy(m, d, sizeof(m), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int t = 0; t < 512; ++t) {
    const int iterations = t < 256 ? 3 + t / 64 : 9 - t / 128;
    CHECK(m[t] == (iterations % 2 ? t ^ (t < 256 ? 63 : 127) : t) + iterations);
  }
  parts<<<1, 32>>>(d);
  CHECK(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int t = 0; t < 32; ++t) {
    const int *o = h + 8 * t, label = t % 3;
    CHECK(o[0] == (label == 2 ? 10 : 11) + 300 + 1000 * (t / 3));
    CHECK(o[1] == label);
    CHECK(o[2] == (t % 5 ? 25 + 100 * (t - t / 5 - 1) : 7 + 100 * (t / 5)));
    CHECK(o[3] == (t % 5 ? 31 : 30));
    CHECK(o[4] == 40);
    if (t % 2) {
      CHECK(o[5] == 4 + 100 * (t / 2 % 4) + 1000 * (t / 8) + 400000);
      CHECK(o[6] == t / 8 * 8 + 3);
    }
    CHECK(t != 0 || o[7] == 9);
  }
  any<<<1, 128>>>(d);
  CHECK(cudaMemcpy(h, d, 128 * 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int t = 0; t < 128; ++t) {
    const int u = t ^ 1;
    CHECK(h[t] == (u ^ 63) + u % 64 + 64 + 1000 * (t % 16));
  }
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
