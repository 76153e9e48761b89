// Atomic operations of all scopes and sizes, counters, lists, the last block.
#include "../Inputs/flags.h"

// CASE last_block_no_barrier: FAULTY race partial
__global__ void last_block_no_barrier(const int *a, int *b) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = a[blockIdx.x]; // CHECK-RACE: write
    last = atomicInc(&arrived, nb) == nb - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < nb)
    b[threadIdx.x] = partial[threadIdx.x]; // CHECK-RACE: read
}
// CASE last_block_right: RIGHT
__global__ void last_block_right(const int *a, int *b) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = a[blockIdx.x];
    __threadfence();
    last = atomicInc(&arrived, nb) == nb - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < nb)
    b[threadIdx.x] = partial[threadIdx.x];
}
// CASE second_to_last: FAULTY race partial
__global__ void second_to_last(const int *a, int *b) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = a[blockIdx.x]; // CHECK-RACE: write
    __threadfence();
    last = atomicInc(&arrived, nb) == nb - 2;
  }
  __syncthreads();
  if (last && threadIdx.x < nb)
    b[threadIdx.x] = partial[threadIdx.x]; // CHECK-RACE: read
}
// CASE float_max_by_cas: RIGHT
__global__ void float_max_by_cas(const int *a, int *b) {
  float v = a[blockIdx.x * nt + threadIdx.x];
  int old = __float_as_int(best), assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= v)
      break;
    old = atomicCAS((int *)&best, assumed, __float_as_int(v));
  } while (old != assumed);
}
// CASE min_checked_plainly: FAULTY race total
__global__ void min_checked_plainly(const int *a, int *b) {
  int v = a[blockIdx.x * nt + threadIdx.x];
  if (v > total)          // CHECK-RACE: read
    atomicMax(&total, v); // CHECK-RACE: atomic
}
// CASE hash_insert: RIGHT
__global__ void hash_insert(const int *a, int *b) {
  int key = a[blockIdx.x * nt + threadIdx.x] % 50 + 1, h = key * 7 % 128;
  while (true) {
    int old = atomicCAS(&keys[h], 0, key);
    if (old == 0 || old == key) {
      atomicAdd(&values[h], 1);
      break;
    }
    h = (h + 1) % 128;
  }
}
// CASE hash_insert_plain_value: FAULTY race values
__global__ void hash_insert_plain_value(const int *a, int *b) {
  int key = a[blockIdx.x * nt + threadIdx.x] % 50 + 1, h = key * 7 % 128;
  while (true) {
    int old = atomicCAS(&keys[h], 0, key);
    if (old == 0 || old == key) {
      values[h] += 1; // CHECK-RACE: read write
      break;
    }
    h = (h + 1) % 128;
  }
}
// CASE push_list: RIGHT
__global__ void push_list(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  next_of[i] = atomicExch(&head, i);
}
// CASE push_and_walk: FAULTY race next_of
__global__ void push_and_walk(const int *a, int *b) {
  int i = blockIdx.x * nt + threadIdx.x;
  int old = atomicExch(&head, i);
  next_of[i] = old; // CHECK-RACE: write
  if (old >= 0)
    b[i] = next_of[old]; // CHECK-RACE: read
}
// CASE system_scope: RIGHT
__global__ void system_scope(const int *a, int *b) {
  atomicAdd_system(&total, 1);
  __threadfence_system();
  atomicAdd(&total, 2);
}
// CASE block_and_device_scope: FAULTY race total
__global__ void block_and_device_scope(const int *a, int *b) {
  if (blockIdx.x == 0)
    atomicAdd_block(&total, 1); // CHECK-RACE: atomic
  else
    atomicAdd(&total, 1); // CHECK-RACE: atomic
}
// CASE cuda_atomic_lock: RIGHT
__device__ cuda::atomic<int, cuda::thread_scope_device> alock{0};
__global__ void cuda_atomic_lock(const int *a, int *b) {
  if (threadIdx.x)
    return;
  int expected = 0;
  while (!alock.compare_exchange_weak(expected, 1,
                                      cuda::std::memory_order_acquire))
    expected = 0;
  total += 1;
  alock.store(0, cuda::std::memory_order_release);
}
// CASE cuda_atomic_lock_relaxed: FAULTY race total
__global__ void cuda_atomic_lock_relaxed(const int *a, int *b) {
  if (threadIdx.x)
    return;
  int expected = 0;
  while (!alock.compare_exchange_weak(expected, 1,
                                      cuda::std::memory_order_acquire))
    expected = 0;
  total += 1; // CHECK-RACE: read write
  alock.store(0, cuda::std::memory_order_relaxed);
}
// CASE atomic_block_scope_class: FAULTY race
__device__ cuda::atomic<int, cuda::thread_scope_block> bcount{0};
__global__ void atomic_block_scope_class(const int *a, int *b) {
  bcount.fetch_add(1); // CHECK-RACE: atomic
}
// CASE half_word_atomics: RIGHT
__global__ void half_word_atomics(const int *a, int *b) {
  __shared__ unsigned short s[4];
  if (threadIdx.x < 4)
    s[threadIdx.x] = 0;
  __syncthreads();
  unsigned short old = 0;
  do {
    old = *(volatile unsigned short *)&s[threadIdx.x % 4];
  } while (atomicCAS(&s[threadIdx.x % 4], old, (unsigned short)(old + 1)) !=
           old);
  __syncthreads();
  b[blockIdx.x * nt + threadIdx.x] = s[threadIdx.x % 4];
}
// CASE wide_atomic_and_half: FAULTY race
__device__ unsigned long long wide;
__global__ void wide_atomic_and_half(const int *a, int *b) {
  if (threadIdx.x == 0)
    atomicAdd(&wide, 1ull); // CHECK-RACE: atomic
  if (threadIdx.x == 33)
    b[blockIdx.x] = ((int *)&wide)[1]; // CHECK-RACE: read
}
// CASE stages: RIGHT
__global__ void stages(const int *a, int *b) {
  // Blocks take turns in order.
  if (threadIdx.x == 0) {
    while (*(volatile int *)&stage != blockIdx.x)
      ;
    __threadfence();
  }
  __syncthreads();
  slots[threadIdx.x] = blockIdx.x ? slots[threadIdx.x] + 1 : 0;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    *(volatile int *)&stage = blockIdx.x + 1;
}
// CASE stages_fence_before_barrier_missing: FAULTY race slots
__global__ void stages_fence_before_barrier_missing(const int *a, int *b) {
  if (threadIdx.x == 0)
    while (*(volatile int *)&stage != blockIdx.x)
      ;
  __syncthreads();
  slots[threadIdx.x] += 1; // CHECK-RACE: read write
  if (threadIdx.x == 0) {
    __threadfence();
    *(volatile int *)&stage = blockIdx.x + 1;
  }
}
// CASE semaphore: RIGHT
__device__ cuda::binary_semaphore<cuda::thread_scope_device> sem{1};
__global__ void semaphore(const int *a, int *b) {
  if (threadIdx.x)
    return;
  sem.acquire();
  total += 1;
  sem.release();
}
// CASE shared_flag_warps: RIGHT
__global__ void shared_flag_warps(const int *a, int *b) {
  __shared__ int data[32];
  __shared__ int ready;
  if (threadIdx.x == 0)
    ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    data[threadIdx.x] = a[threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0) {
      __threadfence_block();
      atomicExch(&ready, 1);
    }
  } else {
    while (*(volatile int *)&ready == 0)
      ;
    __threadfence_block();
    b[blockIdx.x * nt + threadIdx.x] = data[threadIdx.x - 32];
  }
}
// CASE shared_flag_no_syncwarp: FAULTY race data
__global__ void shared_flag_no_syncwarp(const int *a, int *b) {
  __shared__ int data[32];
  __shared__ int ready;
  if (threadIdx.x == 0)
    ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    data[threadIdx.x] = a[threadIdx.x]; // CHECK-RACE: write
    if (threadIdx.x == 0) {
      __threadfence_block();
      atomicExch(&ready, 1);
    }
  } else {
    while (*(volatile int *)&ready == 0)
      ;
    __threadfence_block();
    b[blockIdx.x * nt + threadIdx.x] =
        data[threadIdx.x - 32]; // CHECK-RACE: read ! MAY-INIT: read
  }
}
// CASE popped_slot: RIGHT
__global__ void popped_slot(const int *a, int *b) {
  // A stack of free places: each index is handed out once.
  int i = atomicSub(&mapcount, 1) - 1;
  if (i >= 0)
    slots[i] = a[i];
}
// CASE dec_wraps: RIGHT
__global__ void dec_wraps(const int *a, int *b) {
  unsigned k = atomicDec(&arrived, n - 1);
  slots[k] = a[k];
}
// CASE inc_wraps_too_early: FAULTY race slots
__global__ void inc_wraps_too_early(const int *a, int *b) {
  unsigned k = atomicInc(&arrived, n / 2 - 1);
  slots[k] = a[k] + blockIdx.x; // CHECK-RACE: write
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(n), *b = numbers(n);
  std::vector<int> r;
  RUN(last_block_no_barrier);
  RIGHT(last_block_right, r[1] == 1);
  RUN(second_to_last);
  RIGHT(float_max_by_cas, true);
  RUN(min_checked_plainly);
  RIGHT(hash_insert, true);
  RUN(hash_insert_plain_value);
  RIGHT(push_list, true);
  RUN(push_and_walk);
  RIGHT(system_scope, true);
  RUN(block_and_device_scope);
  RIGHT(cuda_atomic_lock, true);
  RUN(cuda_atomic_lock_relaxed);
  RUN(atomic_block_scope_class);
  RIGHT(half_word_atomics, r[0] == 16);
  RUN(wide_atomic_and_half);
  RIGHT(stages, true);
  RUN(stages_fence_before_barrier_missing);
  RIGHT(semaphore, true);
  RIGHT(shared_flag_warps, r[33] == 1);
  RUN(shared_flag_no_syncwarp);
  RIGHT(popped_slot, true);
  RIGHT(dec_wraps, true);
  RUN(inc_wraps_too_early);
  return finish();
}
