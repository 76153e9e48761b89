// Races in global memory.
#include "Inputs/cases.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int nt = 128, nb = 4, n = nt * nb;
__device__ int total, lock, flag, data;
__device__ unsigned counter;
__device__ int partial[nb];
__device__ volatile int status[nb];
__device__ int parent[n];

// CASE jacobi_in_place: FAULTY race
__global__ void jacobi_in_place(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    a[i] = // CHECK-RACE: write
        a[i - 1] + // MAY-RACE: read
        a[i + 1]; // MAY-RACE: read
}

// CASE blocks_overlap: FAULTY race
__global__ void blocks_overlap(int *a) {
  int first = blockIdx.x * blockDim.x;
  a[first + threadIdx.x] = first; // CHECK-RACE: write
  if (threadIdx.x == 0 && blockIdx.x > 0)
    a[first - 1] = -1; // CHECK-RACE: write
}

// CASE index_list: FAULTY race
__global__ void index_list(int *a, const int *list) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[list[i] % 8] += 1; // CHECK-RACE: read write
}

// CASE atomic_and_read: FAULTY race total
__global__ void atomic_and_read(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&total, 1); // CHECK-RACE: atomic
  a[i] = total; // CHECK-RACE: read
}

// CASE plain_total: FAULTY race total
__global__ void plain_total(const int *a) {
  total += a[threadIdx.x]; // CHECK-RACE: read write
}

// CASE block_scope_atomic: FAULTY race total
__global__ void block_scope_atomic(const int *a) {
  atomicAdd_block(&total, a[threadIdx.x]); // CHECK-RACE: atomic
}

// CASE last_block_without_fence: FAULTY race partial
__global__ void last_block_without_fence(const int *a) {
  if (threadIdx.x)
    return;
  partial[blockIdx.x] = a[blockIdx.x]; // CHECK-RACE: write
  if (atomicInc(&counter, nb - 1) == nb - 1) {
    int sum = 0;
    for (int i = 0; i < nb; ++i)
      sum += partial[i]; // CHECK-RACE: read
    total = sum;
  }
}

// CASE lock_without_fence: FAULTY race data
__global__ void lock_without_fence(const int *a) {
  if (threadIdx.x)
    return;
  while (atomicCAS(&lock, 0, 1) != 0)
    ;
  data += a[blockIdx.x]; // CHECK-RACE: read write
  atomicExch(&lock, 0);
}

// CASE flag_without_fence: FAULTY race data
__global__ void flag_without_fence(int *a) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data = 42; // CHECK-RACE: write
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0)
      ;
    a[blockIdx.x] = data; // CHECK-RACE: read
  }
}

// CASE different_values: FAULTY race data
__global__ void different_values() {
  data = blockIdx.x * blockDim.x + threadIdx.x; // CHECK-RACE: write
}

// CASE fence_of_block: FAULTY race data
__global__ void fence_of_block(int *a) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data = 42; // CHECK-RACE: write
    __threadfence_block();
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0)
      ;
    __threadfence_block();
    a[blockIdx.x] = data; // CHECK-RACE: read
  }
}

// CASE last_block: RIGHT
__global__ void last_block(const int *a) {
  if (threadIdx.x)
    return;
  partial[blockIdx.x] = a[blockIdx.x];
  __threadfence();
  if (atomicInc(&counter, nb - 1) == nb - 1) {
    __threadfence();
    int sum = 0;
    for (int i = 0; i < nb; ++i)
      sum += partial[i];
    total = sum;
  }
}

// CASE thread_fence_reduction: RIGHT
__global__ void thread_fence_reduction(const int *a) {
  __shared__ int s[nt];
  __shared__ bool last;
  int i = threadIdx.x;
  s[i] = a[blockIdx.x * nt + i];
  __syncthreads();
  for (int width = nt / 2; width > 0; width /= 2) {
    if (i < width)
      s[i] += s[i + width];
    __syncthreads();
  }
  if (i == 0) {
    ((volatile int *)partial)[blockIdx.x] = s[0];
    __threadfence();
    last = atomicInc(&counter, nb - 1) == nb - 1;
  }
  __syncthreads();
  if (!last)
    return;
  s[i] = i < nb ? ((volatile int *)partial)[i] : 0;
  __syncthreads();
  if (i == 0)
    total = s[0] + s[1] + s[2] + s[3];
}

// CASE spin_lock: RIGHT
__global__ void spin_lock(const int *a) {
  if (threadIdx.x)
    return;
  while (atomicCAS(&lock, 0, 1) != 0)
    ;
  __threadfence();
  data += a[blockIdx.x];
  __threadfence();
  atomicExch(&lock, 0);
}

// CASE flag_with_fence: RIGHT
__global__ void flag_with_fence(int *a) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data = 42;
    __threadfence();
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0)
      ;
    __threadfence();
    a[blockIdx.x] = data;
  }
}

// CASE volatile_flag: RIGHT
__global__ void volatile_flag(int *a) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    data = 42;
    __threadfence();
    *(volatile int *)&flag = 1;
  } else {
    while (*(volatile int *)&flag == 0)
      ;
    __threadfence();
    a[blockIdx.x] = data;
  }
}

// CASE chain_of_blocks: RIGHT
__global__ void chain_of_blocks(const int *a) {
  if (threadIdx.x)
    return;
  int before = 0;
  if (blockIdx.x) {
    while (!status[blockIdx.x - 1])
      ;
    __threadfence();
    before = partial[blockIdx.x - 1];
  }
  partial[blockIdx.x] = before + a[blockIdx.x];
  __threadfence();
  status[blockIdx.x] = 1;
}

// CASE claim: RIGHT
__global__ void claim(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[atomicAdd(&total, 1)] = i;
}

// CASE union_find: RIGHT
__global__ void union_find(const int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int root = a[i] / 8 * 8;
  int old = atomicCAS(&parent[i], i, root);
  if (old != i)
    atomicMin(&parent[i], root);
}

// CASE same_value: RIGHT
__global__ void same_value(const int *a) {
  if (a[threadIdx.x] > 3)
    flag = 1;
}

// CASE grid_sync: RIGHT
__global__ void grid_sync(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  cg::this_grid().sync();
  b[i] = a[n - 1 - i];
}

// CASE packed_bytes: RIGHT
__global__ void packed_bytes(char *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = char(i);
}

// CASE vectors: RIGHT
__global__ void vectors(int4 *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int4 mine = v[i];
  v[i] = make_int4(mine.w, mine.z, mine.y, mine.x);
}

// CASE float_atomics: RIGHT
__global__ void float_atomics(float *f) {
  atomicAdd(f + threadIdx.x % 4, 1.0f);
}
// END CASES

static void reset() {
  int zero[nb] = {}, ids[n];
  for (int i = 0; i < n; ++i)
    ids[i] = i;
  cudaMemcpyToSymbol(total, zero, 4);
  cudaMemcpyToSymbol(lock, zero, 4);
  cudaMemcpyToSymbol(flag, zero, 4);
  cudaMemcpyToSymbol(data, zero, 4);
  cudaMemcpyToSymbol(counter, zero, 4);
  cudaMemcpyToSymbol(partial, zero, sizeof zero);
  cudaMemcpyToSymbol(status, zero, sizeof zero);
  cudaMemcpyToSymbol(parent, ids, sizeof ids);
}

template <typename T> static int get(const T &symbol) {
  int value;
  cudaMemcpyFromSymbol(&value, symbol, 4);
  return value;
}

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(n), *b = numbers(n);
#define RUN(NAME, ...)                                                         \
  if (run(#NAME)) {                                                            \
    reset();                                                                   \
    NAME<<<nb, nt>>>(__VA_ARGS__);                                             \
  }
#define RIGHT(NAME, HOLDS, ...)                                                \
  if (run(#NAME)) {                                                            \
    reset();                                                                   \
    int *a = numbers(n);                                                       \
    NAME<<<nb, nt>>>(__VA_ARGS__);                                             \
    auto r = fetch(a, n);                                                      \
    expect(HOLDS, #NAME);                                                      \
    cudaFree(a);                                                               \
  }
  RUN(jacobi_in_place, b)
  RUN(blocks_overlap, b)
  RUN(index_list, b, a)
  RUN(atomic_and_read, b)
  RUN(plain_total, a)
  RUN(block_scope_atomic, a)
  RUN(last_block_without_fence, a)
  RUN(lock_without_fence, a)
  RUN(flag_without_fence, b)
  RUN(different_values)
  RUN(fence_of_block, b)
  RIGHT(last_block, get(total) == 6, a)
  RIGHT(thread_fence_reduction, get(total) == n * (n - 1) / 2, a)
  RIGHT(spin_lock, get(data) == 6, a)
  RIGHT(flag_with_fence, r[1] == 42, a)
  RIGHT(volatile_flag, r[3] == 42, a)
  RIGHT(chain_of_blocks, get(status) == 1, a)
  RIGHT(claim, get(total) == n, a)
  RIGHT(union_find, r[1] == 1, a)
  RIGHT(same_value, get(flag) == 1, a)
  if (run("grid_sync")) {
    void *arguments[] = {&a, &b};
    cudaLaunchCooperativeKernel((void *)grid_sync, dim3(nb), dim3(nt),
                                arguments, 0, nullptr);
    expect(fetch(b, n)[0] == n - 1, "grid_sync");
  }
  RIGHT(packed_bytes, r[0] == 0x03020100, (char *)a)
  if (run("vectors")) {
    int *v = numbers(4 * n);
    vectors<<<nb, nt>>>((int4 *)v);
    expect(fetch(v, 4)[0] == 3, "vectors");
  }
  RIGHT(float_atomics, r[0] != 0, (float *)a)
  return finish();
}
