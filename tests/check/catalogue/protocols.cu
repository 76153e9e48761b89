// How blocks hand on what they have done: look-back, queues, locks, counters,
// barriers of the program's own.
#include "../Inputs/cases.h"
#include <cuda/atomic>
constexpr int nt = 64, nb = 6, n = nt * nb;
__device__ int sum_of[nb], prefix_of[nb], items[n], total, lock, turn, flag;
__device__ volatile int state[nb];
__device__ unsigned long long packed[nb];
__device__ int tail, arrived, changed, shared_count;
__device__ volatile int generation;

static __device__ int block_sum(const int *a) {
  __shared__ int s[nt];
  s[threadIdx.x] = a[blockIdx.x * nt + threadIdx.x];
  __syncthreads();
  for (int w = nt / 2; w; w /= 2) {
    if (threadIdx.x < w)
      s[threadIdx.x] += s[threadIdx.x + w];
    __syncthreads();
  }
  return s[0];
}

// CASE lookback: RIGHT
__global__ void lookback(const int *a, int *b) {
  const int mine = block_sum(a);
  if (threadIdx.x)
    return;
  int before = 0;
  sum_of[blockIdx.x] = mine;
  __threadfence();
  state[blockIdx.x] = 1;
  for (int k = blockIdx.x - 1; k >= 0; --k) {
    int found;
    while ((found = state[k]) == 0)
      ;
    __threadfence();
    if (found == 2) {
      before += prefix_of[k];
      break;
    }
    before += sum_of[k];
  }
  prefix_of[blockIdx.x] = before + mine;
  __threadfence();
  state[blockIdx.x] = 2;
  b[blockIdx.x] = before + mine;
}

// CASE lookback_unfenced: FAULTY race sum_of
__global__ void lookback_unfenced(const int *a, int *b) {
  const int mine = block_sum(a);
  if (threadIdx.x)
    return;
  sum_of[blockIdx.x] = mine; // CHECK-RACE: write
  state[blockIdx.x] = 1;
  int before = 0;
  for (int k = blockIdx.x - 1; k >= 0; --k) {
    while (state[k] == 0)
      ;
    before += sum_of[k]; // CHECK-RACE: read
  }
  b[blockIdx.x] = before + mine;
}

// CASE lookback_packed: RIGHT
__global__ void lookback_packed(const int *a, int *b) {
  const int mine = block_sum(a);
  if (threadIdx.x)
    return;
  atomicExch(&packed[blockIdx.x], 1ull << 32 | (unsigned)mine);
  int before = 0;
  for (int k = blockIdx.x - 1; k >= 0; --k) {
    unsigned long long found;
    while (!((found = atomicAdd(&packed[k], 0ull)) >> 32))
      ;
    before += (int)(unsigned)found;
    if (found >> 32 == 2)
      break;
  }
  atomicExch(&packed[blockIdx.x], 2ull << 32 | (unsigned)(before + mine));
  b[blockIdx.x] = before + mine;
}

// CASE lookback_past_cache: RIGHT
__global__ void lookback_past_cache(const int *a, int *b) {
  const int mine = block_sum(a);
  if (threadIdx.x)
    return;
  __stcg(&packed[blockIdx.x], 1ull << 32 | (unsigned)mine);
  int before = 0;
  for (int k = blockIdx.x - 1; k >= 0; --k) {
    unsigned long long found;
    while (!((found = __ldcg(&packed[k])) >> 32))
      __threadfence();
    before += (int)(unsigned)found;
  }
  b[blockIdx.x] = before + mine;
}

// CASE queue: RIGHT
__global__ void queue(const int *a, int *b) {
  if (blockIdx.x == 0) {
    items[threadIdx.x] = a[threadIdx.x] + 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
      atomicExch(&tail, nt);
  } else if (threadIdx.x == 0 && blockIdx.x == 1) {
    while (atomicAdd(&tail, 0) < nt)
      ;
    for (int i = 0; i < nt; ++i)
      b[i] = items[i];
  }
}

// CASE queue_published_first: FAULTY race items
__global__ void queue_published_first(const int *a, int *b) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    __threadfence();
    atomicExch(&tail, 1);
    items[0] = a[0] + 1; // CHECK-RACE: write
  } else if (blockIdx.x == 1) {
    while (atomicAdd(&tail, 0) < 1)
      ;
    __threadfence();
    b[0] = items[0]; // CHECK-RACE: read
  }
}

// CASE ticket_lock: RIGHT
__global__ void ticket_lock(const int *a, int *b) {
  if (threadIdx.x)
    return;
  const int mine = atomicAdd(&lock, 1);
  while (atomicAdd(&turn, 0) != mine)
    ;
  __threadfence();
  total += a[blockIdx.x];
  __threadfence();
  atomicAdd(&turn, 1);
  b[blockIdx.x] = 0;
}

// CASE two_locks: FAULTY race total
__global__ void two_locks(const int *a, int *b) {
  if (threadIdx.x)
    return;
  int *mine = blockIdx.x % 2 ? &lock : &turn;
  while (atomicCAS(mine, 0, 1))
    ;
  __threadfence();
  total += a[blockIdx.x]; // CHECK-RACE: read write
  __threadfence();
  atomicExch(mine, 0);
  b[blockIdx.x] = 0;
}

// CASE read_outside_lock: FAULTY race total
__global__ void read_outside_lock(const int *a, int *b) {
  if (threadIdx.x)
    return;
  while (atomicCAS(&lock, 0, 1))
    ;
  __threadfence();
  total += a[blockIdx.x]; // CHECK-RACE: write ! MAY-RACE: read
  __threadfence();
  atomicExch(&lock, 0);
  b[blockIdx.x] = total; // CHECK-RACE: read
}

// CASE unlock_by_plain_store: FAULTY race lock
__global__ void unlock_by_plain_store(const int *a, int *b) {
  if (threadIdx.x)
    return;
  while (atomicCAS(&lock, 0, 1)) // CHECK-RACE: atomic
    ;
  b[blockIdx.x] = a[blockIdx.x];
  lock = 0; // CHECK-RACE: write
}

// CASE own_grid_barrier: RIGHT
static __device__ void meet(bool fences) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const int before = generation;
    if (fences)
      __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      atomicExch(&arrived, 0);
      if (fences)
        __threadfence();
      generation = before + 1;
    } else {
      while (generation == before)
        ;
    }
    if (fences)
      __threadfence();
  }
  __syncthreads();
}
__global__ void own_grid_barrier(const int *a, int *b) {
  const int i = blockIdx.x * nt + threadIdx.x;
  items[i] = a[i];
  meet(true);
  b[i] = items[n - 1 - i];
}

// CASE own_grid_barrier_unfenced: FAULTY race items
__global__ void own_grid_barrier_unfenced(const int *a, int *b) {
  const int i = blockIdx.x * nt + threadIdx.x;
  items[i] = a[i]; // CHECK-RACE: write
  meet(false);
  b[i] = items[n - 1 - i]; // CHECK-RACE: read
}

// CASE counter_only_in_block: FAULTY race items
__global__ void counter_only_in_block(const int *a, int *b) {
  if (threadIdx.x)
    return;
  items[blockIdx.x] = a[blockIdx.x]; // CHECK-RACE: write
  __threadfence();
  if (atomicAdd_block(&shared_count, 1) == nb - 1) // CHECK-RACE: atomic
    for (int i = 0; i < nb; ++i)
      b[i] = items[i]; // MAY-RACE: read
  b[n - 1 - blockIdx.x] = items[(blockIdx.x + 1) % nb]; // CHECK-RACE: read
}

// CASE released: RIGHT
__global__ void released(const int *a, int *b) {
  if (threadIdx.x)
    return;
  cuda::atomic_ref<int, cuda::thread_scope_device> f(flag);
  if (blockIdx.x == 0) {
    items[0] = a[5];
    f.store(1, cuda::std::memory_order_release);
  } else if (blockIdx.x == 1) {
    while (f.load(cuda::std::memory_order_acquire) == 0)
      ;
    b[0] = items[0];
  }
}

// CASE relaxed: FAULTY race items
__global__ void relaxed(const int *a, int *b) {
  if (threadIdx.x)
    return;
  cuda::atomic_ref<int, cuda::thread_scope_device> f(flag);
  if (blockIdx.x == 0) {
    items[0] = a[5]; // CHECK-RACE: write
    f.store(1, cuda::std::memory_order_relaxed);
  } else if (blockIdx.x == 1) {
    while (f.load(cuda::std::memory_order_relaxed) == 0)
      ;
    b[0] = items[0]; // CHECK-RACE: read
  }
}

// CASE block_scope_reference: FAULTY race total
__global__ void block_scope_reference(const int *a, int *b) {
  cuda::atomic_ref<int, cuda::thread_scope_block> t(total);
  t.fetch_add(a[threadIdx.x]); // CHECK-RACE: atomic
  b[blockIdx.x * nt + threadIdx.x] = 1;
}

// CASE block_scope_own: RIGHT
__global__ void block_scope_own(const int *a, int *b) {
  atomicAdd_block(&items[blockIdx.x], a[threadIdx.x]);
  __syncthreads();
  b[blockIdx.x * nt + threadIdx.x] = items[blockIdx.x];
}

// CASE slot_read_by_other: FAULTY race items
__global__ void slot_read_by_other(const int *a, int *b) {
  const int slot = atomicAdd(&tail, 1);
  items[slot] = a[slot] + 5; // CHECK-RACE: write
  __syncthreads();
  b[slot] = items[(slot + nt) % n]; // CHECK-RACE: read
}

// CASE flag_of_other_value: RIGHT
__global__ void flag_of_other_value(const int *a, int *b) {
  const int i = blockIdx.x * nt + threadIdx.x;
  if (a[i] % 3 == 0)
    changed = 1;
  b[i] = a[i];
}

// CASE polled_plainly: FAULTY race flag
__global__ void polled_plainly(const int *a, int *b) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    items[0] = a[3];
    __threadfence();
    flag = 1; // CHECK-RACE: write
  } else if (blockIdx.x == 1) {
    for (int i = 0; i < 100 && !flag; ++i) // CHECK-RACE: read
      ;
  }
}

// CASE handed_twice: RIGHT
__global__ void handed_twice(const int *a, int *b) {
  if (threadIdx.x)
    return;
  // Each block waits for the one before it, and so for all.
  if (blockIdx.x) {
    while (atomicAdd(&flag, 0) != blockIdx.x)
      ;
    __threadfence();
    for (int i = 0; i < blockIdx.x; ++i)
      b[n - 1 - blockIdx.x] += items[i];
  }
  items[blockIdx.x] = a[blockIdx.x];
  __threadfence();
  atomicAdd(&flag, 1);
}

// CASE wrong_flag: FAULTY race items
__global__ void wrong_flag(const int *a, int *b) {
  if (threadIdx.x)
    return;
  if (blockIdx.x < 2) {
    items[blockIdx.x] = a[blockIdx.x] + 9; // CHECK-RACE: write
    __threadfence();
    state[blockIdx.x] = 1;
  } else if (blockIdx.x == 2) {
    while (state[0] == 0)
      ;
    __threadfence();
    b[0] = items[0] +
           items[1]; // CHECK-RACE: read
  }
}
// END CASES

template <typename T, size_t N> static void clear(T (&symbol)[N]) {
  static T zero[N] = {};
  cudaMemcpyToSymbol(symbol, zero, sizeof zero);
}

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(n), *b = numbers(n);
  auto reset = [] {
    int zero[n] = {};
    for (const void *each : {(const void *)&sum_of, (const void *)&prefix_of, (const void *)&state})
      cudaMemcpyToSymbol(each, zero, nb * 4);
    cudaMemcpyToSymbol(packed, zero, nb * 8);
    for (const void *each : {(const void *)&total, (const void *)&lock, (const void *)&turn,
                       (const void *)&flag, (const void *)&tail, (const void *)&arrived,
                       (const void *)&changed, (const void *)&shared_count,
                       (const void *)&generation})
      cudaMemcpyToSymbol(each, zero, 4);
    cudaMemcpyToSymbol(items, zero, sizeof zero);
  };
  std::vector<int> r;
#define RUN(NAME)                                                              \
  if (run(#NAME)) {                                                            \
    reset();                                                                   \
    NAME<<<nb, nt>>>(a, b);                                                    \
  }
#define RIGHT(NAME, HOLDS)                                                     \
  if (run(#NAME)) {                                                            \
    reset();                                                                   \
    NAME<<<nb, nt>>>(a, b);                                                    \
    r = fetch(b, n);                                                           \
    expect(HOLDS, #NAME);                                                      \
  }
  RIGHT(lookback, r[nb - 1] == n * (n - 1) / 2)
  RUN(lookback_unfenced)
  RIGHT(lookback_packed, r[nb - 1] == n * (n - 1) / 2)
  RIGHT(lookback_past_cache, r[nb - 1] == n * (n - 1) / 2)
  RIGHT(queue, r[7] == 8)
  RUN(queue_published_first)
  RIGHT(ticket_lock, r[0] == 0)
  RUN(two_locks)
  RUN(read_outside_lock)
  RUN(unlock_by_plain_store)
  RIGHT(own_grid_barrier, r[0] == n - 1)
  RUN(own_grid_barrier_unfenced)
  RUN(counter_only_in_block)
  RIGHT(released, r[0] == 5)
  RUN(relaxed)
  RUN(block_scope_reference)
  RIGHT(block_scope_own, r[0] == nt * (nt - 1) / 2)
  RUN(slot_read_by_other)
  RIGHT(flag_of_other_value, r[3] == 3)
  RUN(polled_plainly)
  RIGHT(handed_twice, true)
  RUN(wrong_flag)
  return finish();
}
