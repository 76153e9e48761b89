// Copies that kernels do not wait for, pipelines, barrier objects, clusters.
// FLAGS: -arch=sm_90
#include "../Inputs/cases.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
constexpr int nt = 64, nb = 4, n = nt * nb;

// CASE pipeline_two_stages: RIGHT
__global__ void pipeline_two_stages(const int *a, int *b) {
  __shared__ int s[2][nt];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, s[0], a, sizeof(int) * nt, pipe);
  pipe.producer_commit();
  for (int k = 0; k < nb; ++k) {
    if (k + 1 < nb) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s[(k + 1) % 2], a + (k + 1) * nt,
                         sizeof(int) * nt, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    b[k * nt + threadIdx.x] = s[k % 2][nt - 1 - threadIdx.x];
    pipe.consumer_release();
  }
}

// CASE pipeline_not_waited: FAULTY race
__global__ void pipeline_not_waited(const int *a, int *b) {
  __shared__ int s[nt];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, s, a, sizeof(int) * nt, pipe); // CHECK-RACE: write
  pipe.producer_commit();
  b[blockIdx.x * nt + threadIdx.x] =
      s[nt - 1 - threadIdx.x]; // CHECK-RACE: read ! MAY-INIT: read
  pipe.consumer_wait();
  pipe.consumer_release();
}

// CASE own_pipeline: RIGHT
__global__ void own_pipeline(const int *a, int *b) {
  __shared__ int s[nt];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[threadIdx.x], &a[threadIdx.x], sizeof(int), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  b[blockIdx.x * nt + threadIdx.x] = s[threadIdx.x];
  pipe.consumer_release();
}

// CASE own_pipeline_reads_neighbour: FAULTY race
__global__ void own_pipeline_reads_neighbour(const int *a, int *b) {
  __shared__ int s[nt];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  const int t = threadIdx.x;
  cuda::memcpy_async(&s[t], &a[t], sizeof(int), pipe); // CHECK-RACE: write
  pipe.producer_commit();
  pipe.consumer_wait();
  b[blockIdx.x * nt + threadIdx.x] =
      s[(threadIdx.x + 40) % nt]; // CHECK-RACE: read
  pipe.consumer_release();
}

// CASE primitives: RIGHT
__global__ void primitives(const int *a, int *b) {
  __shared__ __align__(16) int s[nt * 4];
  __pipeline_memcpy_async(&s[threadIdx.x * 4], &a[threadIdx.x * 4 % n], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  b[blockIdx.x * nt + threadIdx.x] = s[255 - threadIdx.x];
}

// CASE primitives_unsynced: FAULTY race s
__global__ void primitives_unsynced(const int *a, int *b) {
  __shared__ __align__(16) int s[nt * 4];
  const int t = threadIdx.x * 4;
  __pipeline_memcpy_async(&s[t], &a[t % n], 16); // CHECK-RACE: write
  __pipeline_commit();
  __pipeline_wait_prior(0);
  b[blockIdx.x * nt + threadIdx.x] = s[255 - threadIdx.x]; // CHECK-RACE: read
}

// CASE group_copy_two: RIGHT
__global__ void group_copy_two(const int *a, int *b) {
  extern __shared__ int s[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, a, sizeof(int) * nt);
  cg::memcpy_async(block, s + nt, a + nt, sizeof(int) * nt);
  cg::wait_prior<1>(block);
  b[blockIdx.x * nt + threadIdx.x] = s[nt - 1 - threadIdx.x];
  cg::wait(block);
  b[blockIdx.x * nt + threadIdx.x] += s[nt + threadIdx.x];
}

// CASE group_copy_overrun: FAULTY memory
__global__ void group_copy_overrun(const int *a, int *b) {
  extern __shared__ int s[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, a, sizeof(int) * 3 * nt); // CHECK-MEMORY: write
  cg::wait(block);
  b[blockIdx.x * nt + threadIdx.x] = s[threadIdx.x];
}

// CASE barrier_with_copy: RIGHT
__global__ void barrier_with_copy(const int *a, int *b) {
  __shared__ int s[nt];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0)
    init(&bar, nt);
  __syncthreads();
  cuda::memcpy_async(&s[threadIdx.x], &a[threadIdx.x], sizeof(int), bar);
  bar.arrive_and_wait();
  b[blockIdx.x * nt + threadIdx.x] = s[nt - 1 - threadIdx.x];
}

// CASE barrier_not_initialised: FAULTY init
__global__ void barrier_not_initialised(const int *a, int *b) {
  __shared__ int s[nt];
  __shared__ int start;
  s[threadIdx.x] = a[threadIdx.x];
  if (threadIdx.x == 0 && a[0] == 7)
    start = 3;
  __syncthreads();
  b[blockIdx.x * nt + threadIdx.x] =
      s[(threadIdx.x + start) % nt]; // CHECK-INIT: read
}

// CASE cluster_neighbour: RIGHT
__global__ void __cluster_dims__(2, 1, 1)
    cluster_neighbour(const int *a, int *b) {
  __shared__ int s[nt];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = a[blockIdx.x * nt + threadIdx.x];
  cluster.sync();
  int *peer = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  b[blockIdx.x * nt + threadIdx.x] = peer[threadIdx.x];
  cluster.sync();
}

// CASE cluster_exits_early: FAULTY race s
__global__ void __cluster_dims__(2, 1, 1)
    cluster_exits_early(const int *a, int *b) {
  __shared__ int s[nt];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = a[blockIdx.x * nt + threadIdx.x];
  cluster.sync();
  int *peer = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  b[blockIdx.x * nt + threadIdx.x] = peer[threadIdx.x]; // CHECK-RACE: read
  __syncthreads();
  s[threadIdx.x] = 0; // CHECK-RACE: write
}

// CASE cluster_block_barrier_only: FAULTY race s
__global__ void __cluster_dims__(2, 1, 1)
    cluster_block_barrier_only(const int *a, int *b) {
  __shared__ int s[nt];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = a[blockIdx.x * nt + threadIdx.x]; // CHECK-RACE: write
  __syncthreads();
  int *peer = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  b[blockIdx.x * nt + threadIdx.x] =
      peer[threadIdx.x]; // CHECK-RACE: read ! MAY-INIT: read
  cluster.sync();
}

// CASE cluster_atomics: RIGHT
__global__ void __cluster_dims__(4, 1, 1)
    cluster_atomics(const int *a, int *b) {
  __shared__ int bins[8];
  auto cluster = cg::this_cluster();
  if (threadIdx.x < 8)
    bins[threadIdx.x] = 0;
  cluster.sync();
  int v = a[blockIdx.x * nt + threadIdx.x];
  int *there = cluster.map_shared_rank(bins, v % 4);
  atomicAdd(&there[v % 8], 1);
  cluster.sync();
  if (threadIdx.x < 8)
    b[blockIdx.x * 8 + threadIdx.x] = bins[threadIdx.x];
}

// CASE cluster_overrun: FAULTY memory
__global__ void __cluster_dims__(2, 1, 1)
    cluster_overrun(const int *a, int *b) {
  __shared__ int s[nt];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = a[blockIdx.x * nt + threadIdx.x];
  cluster.sync();
  int *peer = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  b[blockIdx.x * nt + threadIdx.x] =
      peer[threadIdx.x + 1]; // CHECK-MEMORY: read
  cluster.sync();
}

// CASE cluster_split_barrier: RIGHT
__global__ void __cluster_dims__(2, 1, 1)
    cluster_split_barrier(const int *a, int *b) {
  __shared__ int s[nt];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = a[blockIdx.x * nt + threadIdx.x];
  auto token = cluster.barrier_arrive();
  int v = a[threadIdx.x];
  cluster.barrier_wait(std::move(token));
  int *peer = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  b[blockIdx.x * nt + threadIdx.x] = peer[threadIdx.x] + v;
  cluster.sync();
}

// CASE cluster_read_between: FAULTY race s
__global__ void __cluster_dims__(2, 1, 1)
    cluster_read_between(const int *a, int *b) {
  __shared__ int s[nt];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = a[blockIdx.x * nt + threadIdx.x]; // CHECK-RACE: write
  auto token = cluster.barrier_arrive();
  int *peer = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  int v = peer[threadIdx.x]; // CHECK-RACE: read ! MAY-INIT: read
  cluster.barrier_wait(std::move(token));
  b[blockIdx.x * nt + threadIdx.x] = v;
  cluster.sync();
}

// CASE half_arrive: RIGHT
__global__ void half_arrive(const int *a, int *b) {
  __shared__ int s[nt];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0)
    init(&bar, nt);
  __syncthreads();
  if (threadIdx.x < 32) {
    s[threadIdx.x] = a[threadIdx.x];
    (void)bar.arrive();
  } else {
    bar.wait(bar.arrive());
    b[blockIdx.x * nt + threadIdx.x] = s[threadIdx.x - 32];
  }
}

// CASE arrive_before_write: FAULTY race s
__global__ void arrive_before_write(const int *a, int *b) {
  __shared__ int s[nt];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0)
    init(&bar, nt);
  __syncthreads();
  if (threadIdx.x < 32) {
    (void)bar.arrive();
    s[threadIdx.x] = a[threadIdx.x]; // CHECK-RACE: write
  } else {
    bar.wait(bar.arrive());
    b[blockIdx.x * nt + threadIdx.x] =
        s[threadIdx.x - 32]; // CHECK-RACE: read ! MAY-INIT: read
  }
}

// CASE arrive_and_drop: RIGHT
__global__ void arrive_and_drop(const int *a, int *b) {
  __shared__ int s[nt];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0)
    init(&bar, nt);
  __syncthreads();
  if (threadIdx.x >= 48) {
    bar.arrive_and_drop();
    return;
  }
  for (int k = 0; k < 3; ++k) {
    s[threadIdx.x] = a[threadIdx.x] + k;
    bar.arrive_and_wait();
    b[blockIdx.x * nt + threadIdx.x] = s[47 - threadIdx.x];
    bar.arrive_and_wait();
  }
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(n), *b = numbers(n);
  std::vector<int> r;
  constexpr int bytes = 2 * nt * sizeof(int);
#define RUN(NAME)                                                              \
  if (run(#NAME))                                                              \
  NAME<<<nb, nt, bytes>>>(a, b)
#define CLUSTER(NAME)                                                          \
  if (run(#NAME))                                                              \
  NAME<<<nb, nt>>>(a, b)
#define RIGHT(NAME, H)                                                         \
  if (run(#NAME)) {                                                            \
    NAME<<<nb, nt, bytes>>>(a, b);                                             \
    r = fetch(b, n);                                                           \
    expect(H, #NAME);                                                          \
  }
  RIGHT(pipeline_two_stages, r[0] == 63);
  RUN(pipeline_not_waited);
  RIGHT(own_pipeline, true);
  RUN(own_pipeline_reads_neighbour);
  RIGHT(primitives, r[0] == 255);
  RUN(primitives_unsynced);
  RIGHT(group_copy_two, r[0] == 63 + 64);
  RUN(group_copy_overrun);
  RIGHT(barrier_with_copy, r[0] == 63);
  RUN(barrier_not_initialised);
  RIGHT(cluster_neighbour, r[0] == 64);
  RUN(cluster_exits_early);
  RUN(cluster_block_barrier_only);
  RIGHT(cluster_atomics, true);
  CLUSTER(cluster_overrun);
  RIGHT(cluster_split_barrier, r[0] == 64);
  RUN(cluster_read_between);
  RIGHT(half_arrive, r[32] == 0);
  RUN(arrive_before_write);
  RIGHT(arrive_and_drop, r[0] == 49);
  return finish();
}
