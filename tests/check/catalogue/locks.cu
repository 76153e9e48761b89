// Locks and flags, with the fences that they need, and without.
#include "../Inputs/flags.h"

// CASE exchange_lock: RIGHT
__global__ void exchange_lock(const int *a, int *b) {
  if (threadIdx.x == 0) {
    while (atomicExch(&lock, 1) != 0)
      ;
    __threadfence();
    total += a[blockIdx.x];
    __threadfence();
    atomicExch(&lock, 0);
  }
}
// CASE lock_block_scope: FAULTY race
__global__ void lock_block_scope(const int *a, int *b) {
  if (threadIdx.x == 0) {
    while (atomicCAS_block(&lock, 0, 1) != 0) // CHECK-RACE: atomic
      ;
    __threadfence();
    total += a[blockIdx.x]; // MAY-RACE: read write
    __threadfence();
    atomicExch_block(&lock, 0); // MAY-RACE: atomic
  }
}
// CASE lock_per_warp: RIGHT
__global__ void lock_per_warp(const int *a, int *b) {
  __shared__ int m, sum;
  if (threadIdx.x == 0)
    m = sum = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&m, 0, 1) != 0)
      ;
    __threadfence_block();
    sum += a[threadIdx.x];
    __threadfence_block();
    atomicExch(&m, 0);
  }
  __syncthreads();
  b[blockIdx.x * nt + threadIdx.x] = sum;
}
// CASE lock_all_threads: RIGHT
__global__ void lock_all_threads(const int *a, int *b) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      total += 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}
// CASE lock_without_acquire: FAULTY race total
__global__ void lock_without_acquire(const int *a, int *b) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    total += a[blockIdx.x]; // CHECK-RACE: read write
    __threadfence();
    atomicExch(&lock, 0);
  }
}
// Only the first block may come too early, or only the others: whichever takes
// the lock first.
// CASE first_without_acquire: FAULTY race total
__global__ void first_without_acquire(const int *a, int *b) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    total = 1; // CHECK-RACE: write
    __threadfence();
    atomicExch(&lock, 0);
  } else if (blockIdx.x == 1) {
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    __threadfence();
    total = 2; // CHECK-RACE: write
    __threadfence();
    atomicExch(&lock, 0);
  }
}
// CASE second_without_acquire: FAULTY race total
__global__ void second_without_acquire(const int *a, int *b) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    __threadfence();
    total = 1; // CHECK-RACE: write
    __threadfence();
    atomicExch(&lock, 0);
  } else if (blockIdx.x == 1) {
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    total = 2; // CHECK-RACE: write
    __threadfence();
    atomicExch(&lock, 0);
  }
}
// CASE acquired_for_block: FAULTY race total
__global__ void acquired_for_block(const int *a, int *b) {
  if (threadIdx.x)
    return;
  while (atomicCAS(&lock, 0, 1) != 0)
    ;
  if (blockIdx.x == 0)
    __threadfence_block();
  else
    __threadfence();
  total = blockIdx.x; // CHECK-RACE: write
  __threadfence();
  atomicExch(&lock, 0);
}
// CASE warps_without_acquire: FAULTY race sum
__global__ void warps_without_acquire(const int *a, int *b) {
  __shared__ int m, sum;
  if (threadIdx.x == 0)
    m = sum = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS_block(&m, 0, 1) != 0)
      ;
    sum += a[threadIdx.x]; // CHECK-RACE: read write
    __threadfence_block();
    atomicExch_block(&m, 0);
  }
  __syncthreads();
  b[blockIdx.x * nt + threadIdx.x] = sum;
}
// CASE acquired_by_barrier: RIGHT
__global__ void acquired_by_barrier(const int *a, int *b) {
  if (threadIdx.x == 0)
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
  __syncthreads();
  slots[threadIdx.x] += a[threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    atomicExch(&lock, 0);
}
// Who comes first makes it, without anything to acquire.
// CASE made_once: RIGHT
__global__ void made_once(const int *a, int *b) {
  if (threadIdx.x)
    return;
  if (atomicCAS(&lock, 0, 1) == 0) {
    result = a[7];
    __threadfence();
    atomicExch(&lock, 2);
  } else {
    while (atomicAdd(&lock, 0) != 2)
      ;
    __threadfence();
  }
  b[blockIdx.x] = result;
}
// A place that is filled and emptied by turns.
// CASE one_place: RIGHT
__global__ void one_place(const int *a, int *b) {
  if (threadIdx.x)
    return;
  const bool puts = blockIdx.x % 2 == 0;
  while (atomicCAS(&lock, puts ? 0 : 2, 1) != (puts ? 0 : 2))
    ;
  __threadfence();
  if (puts)
    result = a[blockIdx.x];
  else
    b[blockIdx.x] = result;
  __threadfence();
  atomicExch(&lock, puts ? 2 : 0);
}
// CASE looked_at_by_swap: RIGHT
__global__ void looked_at_by_swap(const int *a, int *b) {
  if (threadIdx.x)
    return;
  if (blockIdx.x == 0) {
    result = 99;
    __threadfence();
    atomicExch(&flag, 1);
  } else {
    while (atomicCAS(&flag, 1, 1) != 1)
      ;
    __threadfence();
    b[blockIdx.x] = result;
  }
}
// What a block has read before a barrier others may write once they see a flag
// of it: compaction in place, as of CUB.
// CASE compacted_in_place: RIGHT
__global__ void compacted_in_place(int *a, int *b) {
  __shared__ int before;
  const int mine = a[blockIdx.x * nt + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    before = 0;
    if (blockIdx.x)
      while (!(before = *(volatile int *)&partial[blockIdx.x - 1]))
        ;
    *(volatile int *)&partial[blockIdx.x] = before + nt / 2;
  }
  __syncthreads();
  if (threadIdx.x % 2 == 0)
    a[before + threadIdx.x / 2] = mine;
}
// CASE compacted_too_early: FAULTY race
__global__ void compacted_too_early(int *a, int *b) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    before = 0;
    if (blockIdx.x)
      while (!(before = *(volatile int *)&partial[blockIdx.x - 1]))
        ;
    *(volatile int *)&partial[blockIdx.x] = before + nt / 2;
  }
  const int mine = a[blockIdx.x * nt + threadIdx.x]; // CHECK-RACE: read
  __syncthreads();
  if (threadIdx.x % 2 == 0)
    a[before + threadIdx.x / 2] = mine; // CHECK-RACE: write
}
// CASE unlocks_before_write: FAULTY race total
__global__ void unlocks_before_write(const int *a, int *b) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    __threadfence();
    const int t = total; // CHECK-RACE: read
    __threadfence();
    atomicExch(&lock, 0);
    total = t + a[blockIdx.x]; // CHECK-RACE: write
  }
}
// CASE ticket_without_fence: FAULTY race total
__global__ void ticket_without_fence(const int *a, int *b) {
  if (threadIdx.x)
    return;
  int mine = atomicAdd(&ticket, 1);
  while (atomicAdd(&serving, 0) != mine)
    ;
  total += a[blockIdx.x]; // CHECK-RACE: read write
  atomicAdd(&serving, 1);
}
// CASE reader_volatile_flag: RIGHT
__global__ void reader_volatile_flag(const int *a, int *b) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    result = 99;
    __threadfence();
    vflag = 1;
  } else if (blockIdx.x == 1) {
    if (threadIdx.x == 0) {
      while (!vflag)
        ;
      __threadfence();
    }
    __syncthreads();
    b[threadIdx.x] = result;
  }
}
// CASE flag_before_data: FAULTY race result
__global__ void flag_before_data(const int *a, int *b) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    vflag = 1;
    __threadfence();
    result = 99; // CHECK-RACE: write
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (!vflag)
      ;
    __threadfence();
    b[threadIdx.x] = result; // CHECK-RACE: read
  }
}
// CASE other_thread_sets_flag: FAULTY race slots
__global__ void other_thread_sets_flag(const int *a, int *b) {
  if (blockIdx.x == 0) {
    slots[threadIdx.x] = a[threadIdx.x]; // CHECK-RACE: write
    __threadfence();
    if (threadIdx.x == 0)
      atomicExch(&flag, 1);
  } else if (blockIdx.x == 1) {
    if (threadIdx.x == 0)
      while (atomicAdd(&flag, 0) == 0)
        ;
    __threadfence();
    __syncthreads();
    b[threadIdx.x] = slots[threadIdx.x]; // CHECK-RACE: read
  }
}
// CASE block_then_flag: RIGHT
__global__ void block_then_flag(const int *a, int *b) {
  if (blockIdx.x == 0) {
    slots[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(&flag, 1);
    }
  } else if (blockIdx.x == 1) {
    if (threadIdx.x == 0)
      while (atomicAdd(&flag, 0) == 0)
        ;
    __threadfence();
    __syncthreads();
    b[threadIdx.x] = slots[nt - 1 - threadIdx.x];
  }
}
// END CASES

int main(int argc, char **argv) {
  count = argc;
  names = argv;
  int *a = numbers(n), *b = numbers(n);
  std::vector<int> r;
  RIGHT(exchange_lock, true);
  RUN(lock_block_scope);
  RIGHT(lock_per_warp, r[0] == 32);
  RIGHT(lock_all_threads, true);
  RUN(lock_without_acquire);
  RUN(first_without_acquire);
  RUN(second_without_acquire);
  RUN(acquired_for_block);
  RUN(warps_without_acquire);
  RIGHT(acquired_by_barrier, true);
  RIGHT(made_once, r[3] == 7);
  RIGHT(one_place, true);
  RIGHT(looked_at_by_swap, r[1] == 99);
  RUN(compacted_too_early);
  if (run("compacted_in_place")) {
    int *c = numbers(n);
    reset();
    compacted_in_place<<<nb, nt>>>(c, b);
    expect(fetch(c, n)[n / 2 - 1] == n - 2, "compacted_in_place");
  }
  RUN(unlocks_before_write);
  RUN(ticket_without_fence);
  RIGHT(reader_volatile_flag, r[0] == 99);
  RUN(flag_before_data);
  RUN(other_thread_sets_flag);
  RIGHT(block_then_flag, r[0] == 63);
  return finish();
}
