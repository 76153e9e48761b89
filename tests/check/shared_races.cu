// Races in shared memory.
#include "Inputs/cases.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int nt = 128, nb = 4, n = nt * nb;

// CASE tile_first_barrier_only: FAULTY race s
__global__ void tile_first_barrier_only(const int *a, int *b) {
  __shared__ int s[nt];
  int i = threadIdx.x, sum = 0;
  for (int k = 0; k < nb; ++k) {
    s[i] = a[k * nt + i]; // CHECK-RACE: write
    __syncthreads();
    sum += s[nt - 1 - i]; // CHECK-RACE: read
  }
  b[blockIdx.x * nt + i] = sum;
}

// CASE guarded_barrier_missing: FAULTY race s
__global__ void guarded_barrier_missing(const int *a, int *b) {
  __shared__ int s[nt];
  int i = threadIdx.x;
  s[i] = a[i]; // CHECK-RACE: write
  if (a[0] > 0) // not so
    __syncthreads();
  b[blockIdx.x * nt + i] = s[nt - 1 - i]; // CHECK-RACE: read
}

// CASE reduction_without_barrier: FAULTY race s
__global__ void reduction_without_barrier(const int *a, int *b) {
  __shared__ int s[nt];
  int i = threadIdx.x;
  s[i] = a[blockIdx.x * nt + i]; // MAY-RACE: write
  __syncthreads();
  for (int width = nt / 2; width > 0; width /= 2)
    if (i < width)
      s[i] += s[i + width]; // CHECK-RACE: read write
  if (i == 0)
    b[blockIdx.x] = s[0]; // MAY-RACE: read
}

// CASE reduction_warp_without_syncwarp: FAULTY race s
__global__ void reduction_warp_without_syncwarp(const int *a, int *b) {
  __shared__ int s[nt];
  int i = threadIdx.x;
  s[i] = a[blockIdx.x * nt + i];
  __syncthreads();
  for (int width = nt / 2; width > 16; width /= 2) {
    if (i < width)
      s[i] += s[i + width];
    __syncthreads();
  }
  for (int width = 16; width > 0; width /= 2)
    if (i < width)
      s[i] += s[i + width]; // CHECK-RACE: read write
  if (i == 0)
    b[blockIdx.x] = s[0]; // MAY-RACE: read
}

// CASE transpose_without_barrier: FAULTY race t
__global__ void transpose_without_barrier(const int *a, int *b) {
  __shared__ int t[8][16];
  int i = threadIdx.x;
  t[i / 16][i % 16] = a[blockIdx.x * nt + i]; // CHECK-RACE: write
  b[blockIdx.x * nt + i] = t[i % 8][i / 8]; // CHECK-RACE: read
}

// CASE scan_one_buffer: FAULTY race s
__global__ void scan_one_buffer(const int *a, int *b) {
  __shared__ int s[nt];
  int i = threadIdx.x;
  s[i] = a[blockIdx.x * nt + i];
  for (int d = 1; d < nt; d *= 2) {
    __syncthreads();
    if (i >= d)
      s[i] += s[i - d]; // CHECK-RACE: read write
  }
  b[blockIdx.x * nt + i] = s[i];
}

// CASE all_write_one: FAULTY race s
__global__ void all_write_one(const int *a, int *b) {
  __shared__ int s;
  s = a[threadIdx.x]; // CHECK-RACE: write
  __syncthreads();
  b[blockIdx.x * nt + threadIdx.x] = s;
}

// CASE histogram_plain: FAULTY race s
__global__ void histogram_plain(const int *a, int *b) {
  __shared__ int s[16];
  int i = threadIdx.x;
  if (i < 16)
    s[i] = 0;
  __syncthreads();
  s[a[blockIdx.x * nt + i] % 16]++; // CHECK-RACE: read write
  __syncthreads();
  if (i < 16)
    b[blockIdx.x * nt + i] = s[i];
}

// CASE atomic_and_plain: FAULTY race s
__global__ void atomic_and_plain(const int *a, int *b) {
  __shared__ int s;
  if (threadIdx.x == 0)
    s = 0;
  __syncthreads();
  atomicAdd(&s, a[threadIdx.x]); // CHECK-RACE: atomic
  b[blockIdx.x * nt + threadIdx.x] = s; // CHECK-RACE: read
}

// CASE dynamic_overlap: FAULTY race dynamic
extern __shared__ int dynamic[];
__global__ void dynamic_overlap(const int *a, int *b) {
  int *first = dynamic, *second = dynamic + nt / 2;
  int i = threadIdx.x;
  first[i] = a[i]; // CHECK-RACE: write
  second[i] = -a[i]; // CHECK-RACE: write
  __syncthreads();
  b[blockIdx.x * nt + i] = first[i] + second[i];
}

// CASE subword_race: FAULTY race s
__global__ void subword_race(const int *a, int *b) {
  __shared__ short s[nt];
  int i = threadIdx.x;
  s[i] = short(a[i]); // CHECK-RACE: write
  b[blockIdx.x * nt + i] = s[i ^ 1]; // CHECK-RACE: read
}

// CASE partition_without_sync: FAULTY race s
__global__ void partition_without_sync(const int *a, int *b) {
  __shared__ int s[nt];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = threadIdx.x;
  s[i] = a[i]; // CHECK-RACE: write
  tile.sync();
  b[blockIdx.x * nt + i] = s[(i + 16) % nt]; // CHECK-RACE: read
}

// CASE double_buffer: RIGHT
__global__ void double_buffer(const int *a, int *b) {
  __shared__ int s[2][nt];
  int i = threadIdx.x, sum = 0;
  for (int k = 0; k < nb; ++k) {
    s[k % 2][i] = a[k * nt + i];
    __syncthreads();
    sum += s[k % 2][nt - 1 - i];
  }
  b[blockIdx.x * nt + i] = sum;
}

// CASE warp_slots: RIGHT
__global__ void warp_slots(const int *a, int *b) {
  __shared__ int s[nt];
  int i = threadIdx.x, first = i / 32 * 32;
  s[i] = a[blockIdx.x * nt + i];
  __syncwarp();
  b[blockIdx.x * nt + i] = s[first + 31 - i % 32];
}

// CASE partition_with_sync: RIGHT
__global__ void partition_with_sync(const int *a, int *b) {
  __shared__ int s[nt];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = threadIdx.x;
  s[i] = a[blockIdx.x * nt + i];
  tile.sync();
  b[blockIdx.x * nt + i] = s[i / 16 * 16 + 15 - i % 16];
}

// CASE group_barrier: RIGHT
__global__ void group_barrier(const int *a, int *b) {
  __shared__ int s[nt];
  auto block = cg::this_thread_block();
  s[block.thread_rank()] = a[block.thread_rank()];
  block.sync();
  b[blockIdx.x * nt + threadIdx.x] = s[nt - 1 - threadIdx.x];
}

// CASE or_as_barrier: RIGHT
__global__ void or_as_barrier(const int *a, int *b) {
  __shared__ int s[nt];
  int i = threadIdx.x;
  s[i] = a[i];
  int any = __syncthreads_or(a[i]);
  b[blockIdx.x * nt + i] = s[nt - 1 - i] + (any ? 0 : 1);
}

// CASE bytes_apart: RIGHT
__global__ void bytes_apart(const int *a, int *b) {
  __shared__ unsigned char s[nt];
  int i = threadIdx.x;
  s[i] = (unsigned char)a[i];
  __syncthreads();
  b[blockIdx.x * nt + i] = s[nt - 1 - i];
}

// CASE reuse_of_dynamic: RIGHT
__global__ void reuse_of_dynamic(const int *a, int *b) {
  extern __shared__ int dynamic[];
  int i = threadIdx.x;
  dynamic[i] = a[i];
  __syncthreads();
  int other = dynamic[nt - 1 - i];
  __syncthreads();
  float *as = reinterpret_cast<float *>(dynamic);
  as[nt - 1 - i] = float(other);
  __syncthreads();
  b[blockIdx.x * nt + i] = int(as[i]);
}

// CASE warps_leave: RIGHT
__global__ void warps_leave(const int *a, int *b) {
  __shared__ int s[nt];
  int i = threadIdx.x;
  s[i] = a[i];
  __syncthreads();
  if (i >= 64)
    return;
  b[blockIdx.x * nt + i] = s[i] + s[i + 64];
}

// CASE atomic_slot: RIGHT
__global__ void atomic_slot(const int *a, int *b) {
  __shared__ int s[nt], top;
  int i = threadIdx.x;
  if (i == 0)
    top = 0;
  __syncthreads();
  s[atomicAdd(&top, 1)] = a[i];
  __syncthreads();
  b[blockIdx.x * nt + i] = s[i];
}

// CASE histogram_atomic: RIGHT
__global__ void histogram_atomic(const int *a, int *b) {
  __shared__ int s[16];
  int i = threadIdx.x;
  if (i < 16)
    s[i] = 0;
  __syncthreads();
  atomicAdd(&s[a[blockIdx.x * nt + i] % 16], 1);
  __syncthreads();
  if (i < 16)
    b[blockIdx.x * nt + i] = s[i];
}

// CASE named_barrier: RIGHT
__global__ void named_barrier(const int *a, int *b) {
  __shared__ int s[nt];
  int i = threadIdx.x;
  s[i] = a[i];
  if (i < 64) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    b[blockIdx.x * nt + i] = s[63 - i];
  } else {
    b[blockIdx.x * nt + i] = s[i];
  }
}

// CASE ballot_then_sync: RIGHT
__global__ void ballot_then_sync(const int *a, int *b) {
  __shared__ unsigned s[4];
  int i = threadIdx.x;
  unsigned odd = __ballot_sync(~0u, a[i] & 1);
  if (i % 32 == 0)
    s[i / 32] = odd;
  __syncthreads();
  b[blockIdx.x * nt + i] = __popc(s[0]) + __popc(s[3]);
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(n), *b = numbers(n);
  constexpr int bytes = nt * sizeof(int);
#define RUN(NAME, BYTES)                                                       \
  if (run(#NAME))                                                              \
  NAME<<<nb, nt, BYTES>>>(a, b)
#define RIGHT(NAME, BYTES, HOLDS)                                              \
  if (run(#NAME)) {                                                            \
    NAME<<<nb, nt, BYTES>>>(a, b);                                             \
    auto r = fetch(b, n);                                                      \
    expect(HOLDS, #NAME);                                                      \
  }
  RUN(tile_first_barrier_only, 0);
  RUN(guarded_barrier_missing, 0);
  RUN(reduction_without_barrier, 0);
  RUN(reduction_warp_without_syncwarp, 0);
  RUN(transpose_without_barrier, 0);
  RUN(scan_one_buffer, 0);
  RUN(all_write_one, 0);
  RUN(histogram_plain, 0);
  RUN(atomic_and_plain, 0);
  RUN(dynamic_overlap, 2 * bytes);
  RUN(subword_race, 0);
  RUN(partition_without_sync, 0);
  RIGHT(double_buffer, 0, r[0] == 127 + 255 + 383 + 511)
  RIGHT(warp_slots, 0, r[0] == 31 && r[32] == 63)
  RIGHT(partition_with_sync, 0, r[0] == 15 && r[16] == 31)
  RIGHT(group_barrier, 0, r[0] == nt - 1)
  RIGHT(or_as_barrier, 0, r[0] == nt - 1)
  RIGHT(bytes_apart, 0, r[1] == nt - 2)
  RIGHT(reuse_of_dynamic, bytes, r[1] == 1)
  RIGHT(warps_leave, 0, r[1] == 66)
  RIGHT(atomic_slot, 0, r[0] + r[1] >= 0)
  RIGHT(histogram_atomic, 0, r[0] == nt / 16)
  RIGHT(named_barrier, 0, r[0] == 63 && r[64] == 64)
  RIGHT(ballot_then_sync, 0, r[0] == 32)
  return finish();
}
