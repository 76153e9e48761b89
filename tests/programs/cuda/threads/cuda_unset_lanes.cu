// What only some lanes have set goes to all: through shuffles, votes, matches,
// reductions, cooperative groups and functions. Those lanes alone execute what
// stands under the condition; what the others had to give is nobody's.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

constexpr unsigned All = 0xffffffffu;
constexpr int Blocks = 16, Threads = 256, Warps = Blocks * Threads / 32;

__device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ bool leads() { return threadIdx.x % 32 == 0; }

// A kernel whose first lane of each warp sets a number, and one expression of
// what every thread makes of it.
#define KERNEL(name, Type, expression)                                         \
  __global__ void name(int *counter, int *out) {                               \
    Type value;                                                                \
    if (leads())                                                               \
      value = (Type)(atomicAdd(counter, 16) + 1);                              \
    out[thread()] = (int)(expression);                                         \
  }

KERNEL(integer, int, __shfl_sync(All, value, 0))
KERNEL(natural, unsigned, __shfl_sync(All, value, 0))
KERNEL(wide, long long, __shfl_sync(All, value, 0))
KERNEL(single, float, __shfl_sync(All, value, 0))
KERNEL(real, double, __shfl_sync(All, value, 0))
KERNEL(up, int, __shfl_up_sync(All, value, threadIdx.x % 32))
KERNEL(down, int, __shfl_sync(All, __shfl_down_sync(All, value, 0), 0))
KERNEL(exchange, int, __shfl_xor_sync(All, value, threadIdx.x % 32))
KERNEL(root, double, __shfl_sync(All, sqrt(value * value), 0))
KERNEL(ballot, int, __ballot_sync(All, value > 0 && leads()))
KERNEL(any, int, __any_sync(All, leads() && value > 0))
KERNEL(all, int, __all_sync(All, value > 0 || !leads()))
KERNEL(match, int, __match_any_sync(All, value) != 0)
KERNEL(quotient, unsigned, __shfl_sync(All, 1000000 / (value | 1), 0))
KERNEL(chosen, int, __shfl_sync(All, value > 100 ? value : -value, 0))
KERNEL(decided, bool, __any_sync(All, value) || 1)
KERNEL(counted, int, __syncthreads_count(value) >= 0)
KERNEL(either, int, __syncthreads_or(value) != -1)

__global__ void reduced(int *counter, int *out) {
  int value;
  if (leads())
    value = atomicAdd(counter, 16);
#if __CUDA_ARCH__ >= 800
  out[thread()] = __reduce_add_sync(All, value);
#else
  out[thread()] = __shfl_sync(All, value, 0);
#endif
}

__global__ void behindWarp(int *counter, int *out) {
  __shared__ int starts[Threads / 32];
  int value;
  if (leads())
    value = atomicAdd(counter, 16);
  if (leads())
    starts[threadIdx.x / 32] = value;
  __syncwarp();
  out[thread()] = starts[threadIdx.x / 32];
}

__global__ void coalesced(int *counter, int *out) {
  auto group = cg::coalesced_threads();
  int value;
  if (group.thread_rank() == 0)
    value = atomicAdd(counter, 16);
  out[thread()] = group.shfl(value, 0);
}

__global__ void tile(int *counter, int *out) {
  auto group = cg::tiled_partition<32>(cg::this_thread_block());
  int value;
  if (group.thread_rank() == 0)
    value = atomicAdd(counter, 16);
  out[thread()] = group.shfl(value, 0);
}

struct Range {
  int start, length;
};

__device__ Range take(int *counter) {
  Range range;
  if (leads()) {
    range.start = atomicAdd(counter, 16);
    range.length = 16;
  }
  return range;
}
__global__ void structure(int *counter, int *out) {
  Range range = take(counter);
  out[thread()] = __shfl_sync(All, range.start, 0) +
                  __shfl_sync(All, range.length, 0);
}

__device__ __noinline__ int takeStart(int *counter) {
  int start;
  if (leads())
    start = atomicAdd(counter, 16);
  return start;
}
__device__ __noinline__ int first(int value) {
  return __shfl_sync(All, value, 0);
}
__global__ void calls(int *counter, int *out) {
  out[thread()] = first(takeStart(counter));
}

__device__ void takeInto(int *counter, int &start) {
  if (leads())
    start = atomicAdd(counter, 16);
}
__global__ void reference(int *counter, int *out) {
  int start;
  takeInto(counter, start);
  out[thread()] = __shfl_sync(All, start, 0);
}

__global__ void address(int *counter, int *out) {
  int *place;
  if (leads())
    place = out + atomicAdd(counter, 16);
  place = (int *)__shfl_sync(All, (unsigned long long)place, 0);
  place[threadIdx.x % 16] = threadIdx.x % 16;
}

__global__ void branches(int *counter, int *out) {
  int value;
  if (leads())
    value = atomicAdd(counter, 16);
  int found = 0;
  if (value >= 0)
    found = 1;
  switch (value) {
  case 0:
    found = 1;
    break;
  case 16:
    found |= 2;
  }
  out[thread()] = __any_sync(All, found && leads());
}

/// What one lane of each warp found is the whole warp's.
static int starts(const int *out) {
  bool taken[Warps] = {};
  for (int warp = 0; warp < Warps; ++warp) {
    const int start = out[32 * warp];
    for (int lane = 1; lane < 32; ++lane)
      if (out[32 * warp + lane] != start)
        return 1;
    if (start < 0 || start / 16 >= Warps || taken[start / 16])
      return 1;
    taken[start / 16] = true;
  }
  return 0;
}
static int ones(const int *out) {
  for (int i = 0; i < Blocks * Threads; ++i)
    if (out[i] != 1)
      return 1;
  return 0;
}
static int rows(const int *out) {
  for (int i = 0; i < Warps * 16; ++i)
    if (out[i] != i % 16)
      return 1;
  return 0;
}
static int anything(const int *) { return 0; }

int main() {
  int *counter, *out, failures = 0;
  cudaMallocManaged(&counter, sizeof(int));
  cudaMallocManaged(&out, Blocks * Threads * sizeof(int));
  auto run = [&](const char *name, auto kernel, auto wrong) {
    *counter = 0;
    kernel<<<Blocks, Threads>>>(counter, out);
    if (cudaDeviceSynchronize() != cudaSuccess || *counter != 16 * Warps ||
        wrong(out)) {
      printf("%s: %d\n", name, *counter);
      ++failures;
    }
  };
#define RUN(kernel, wrong) run(#kernel, kernel, wrong)
  RUN(integer, starts);
  RUN(natural, starts);
  RUN(wide, starts);
  RUN(single, starts);
  RUN(real, starts);
  RUN(up, starts);
  RUN(down, starts);
  RUN(exchange, starts);
  RUN(root, starts);
  RUN(ballot, ones);
  RUN(any, ones);
  RUN(all, ones);
  RUN(match, ones);
  RUN(quotient, anything);
  RUN(chosen, anything);
  RUN(decided, ones);
  RUN(counted, ones);
  RUN(either, ones);
  RUN(reduced, anything);
  RUN(behindWarp, starts);
  RUN(coalesced, starts);
  RUN(tile, starts);
  RUN(structure, anything);
  RUN(calls, starts);
  RUN(reference, starts);
  RUN(address, rows);
  RUN(branches, ones);
  puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}
