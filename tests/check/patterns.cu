// Patterns of whole kernels, as programs have them.
#include "Inputs/cases.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int nt = 128, blocks = 8, n = nt * blocks;

// CASE scan_in_place: FAULTY race s
__global__ void scan_in_place(int *a) {
  __shared__ int s[nt];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int d = 1; d < nt; d *= 2) {
    if (threadIdx.x >= d)
      s[threadIdx.x] += s[threadIdx.x - d]; // CHECK-RACE: read write
    __syncthreads();
  }
  a[threadIdx.x] = s[threadIdx.x];
}

// CASE overlapping_dynamic: FAULTY race
__global__ void overlapping_dynamic(int *a) {
  extern __shared__ int room[];
  int *first = room, *second = room + nt / 2;
  first[threadIdx.x] = a[threadIdx.x]; // CHECK-RACE: write
  second[threadIdx.x] = 1;             // CHECK-RACE: write
  __syncthreads();
  a[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}

// CASE duplicate_indices: FAULTY race y
__global__ void duplicate_indices(int *y) {
  y[threadIdx.x / 2] += 1; // CHECK-RACE: read write
}

// CASE accumulator_not_cleared: FAULTY init sum
__global__ void accumulator_not_cleared(int *a) {
  __shared__ int sum;
  atomicAdd(&sum, 1); // CHECK-INIT: atomic
  __syncthreads();
  a[threadIdx.x] = sum;
}

// CASE thread_dependent_trips: FAULTY sync ALONE
__global__ void thread_dependent_trips(int *a) {
  for (int i = 0; i <= threadIdx.x / 64; ++i)
    __syncthreads(); // CHECK-SYNC: barrier
  a[threadIdx.x] = 1;
}

// CASE overflow_of_index: FAULTY memory a
__global__ void overflow_of_index(int *a, int big) {
  a[threadIdx.x * big] = 1; // CHECK-MEMORY: write
}

// CASE misaligned_vector: FAULTY memory a
__global__ void misaligned_vector(int *a) {
  int4 v = *reinterpret_cast<int4 *>(a + 1); // CHECK-MEMORY: read
  a[threadIdx.x] = v.x;
}

// CASE claimed_slots: RIGHT
__device__ int next_slot;
__global__ void claimed_slots(int *a) {
  if (threadIdx.x % 2 == 0)
    a[atomicAdd(&next_slot, 1)] = 1;
}

// CASE tiles: RIGHT
__global__ void tiles(int *a) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int sum = 1;
  for (int d = 8; d; d /= 2)
    sum += tile.shfl_down(sum, d);
  if (tile.thread_rank() == 0)
    a[(blockIdx.x * nt + threadIdx.x) / 16] = sum;
}

// CASE reused_room: RIGHT
__global__ void reused_room(int *a) {
  extern __shared__ int room[];
  room[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int other = room[nt - 1 - threadIdx.x];
  __syncthreads();
  float *reals = reinterpret_cast<float *>(room);
  reals[threadIdx.x] = other;
  __syncthreads();
  a[threadIdx.x] = static_cast<int>(reals[threadIdx.x ^ 1]);
}

// CASE counted_barriers: RIGHT
__global__ void counted_barriers(int *a) {
  __shared__ int trips;
  if (threadIdx.x == 0)
    trips = 3 + blockIdx.x;
  __syncthreads();
  const int count = trips;
  for (int i = 0; i < count; ++i)
    __syncthreads();
  a[blockIdx.x * nt + threadIdx.x] = __syncthreads_or(threadIdx.x == 5);
}

// CASE flagged: RIGHT
__global__ void flagged(int *a, int *changed) {
  if (a[blockIdx.x * nt + threadIdx.x] >= 0)
    *changed = 1;
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
#define RUN(NAME, BYTES)                                                       \
  if (run(#NAME)) {                                                            \
    int *a = numbers(n);                                                       \
    NAME<<<1, nt, BYTES>>>(a);                                                 \
    cudaDeviceSynchronize();                                                   \
    cudaFree(a);                                                               \
  }
  RUN(scan_in_place, 0)
  RUN(overlapping_dynamic, 2 * nt * 4)
  RUN(duplicate_indices, 0)
  RUN(accumulator_not_cleared, 0)
  RUN(thread_dependent_trips, 0)
  RUN(misaligned_vector, 0)
  RUN(claimed_slots, 0)
  RUN(tiles, 0)
  RUN(counted_barriers, 0)
  if (run("overflow_of_index")) {
    int *a = numbers(n);
    overflow_of_index<<<1, 2>>>(a, n);
    cudaDeviceSynchronize();
    cudaFree(a);
  }
  if (run("reused_room")) {
    int *a = numbers(n);
    reused_room<<<1, nt, nt * 4>>>(a);
    expect(fetch(a, n)[0] == nt - 2, "reused_room");
    cudaFree(a);
  }
  if (run("flagged")) {
    int *a = numbers(n), *changed = numbers(1);
    flagged<<<blocks, nt>>>(a, changed);
    expect(fetch(changed, 1)[0] == 1, "flagged");
    cudaFree(a);
    cudaFree(changed);
  }
  return finish();
}
