// Loops that wait for what later threads of the block or later blocks do:
// flags, turns, barriers of the program's own, elements that are asked for in
// turns or one after the other, in grids as large as a GPU would hold. One flag
// is set and looked at plainly; some threads leave a loop with a barrier early.
// CHECKS: race sync
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>

static void check(bool right, const char *what) {
  if (right)
    return;
  printf("%s is wrong\n", what);
  exit(1);
}

__global__ void laterThread(volatile int *flag, int *out) {
  if (threadIdx.x == 0) {
    while (!*flag)
      ;
    *out = 7;
  }
  if (threadIdx.x == 200)
    *flag = 1;
}

// What looks like a lock is a flag that another thread sets.
__global__ void taken(int *flag, int *out) {
  if (threadIdx.x == 0) {
    while (atomicExch(flag, 0) == 0)
      ;
    *out = 4;
    atomicExch(flag, 2);
  }
  if (threadIdx.x == 90)
    atomicExch(flag, 1);
}

// From the last thread to the first, through shared memory.
__global__ void turns(int *out) {
  __shared__ volatile int turn;
  out += blockIdx.x * blockDim.x;
  if (threadIdx.x == 0)
    turn = blockDim.x - 1;
  __syncthreads();
  const int t = threadIdx.x;
  while (turn != t)
    ;
  out[t] = t == (int)blockDim.x - 1 ? 1 : out[t + 1] + 1;
  __threadfence_block();
  turn = t - 1;
}

// A producer and a consumer in one block, by exchanges.
__global__ void handOver(int *out) {
  __shared__ int full, value;
  if (threadIdx.x == 0)
    full = 0;
  __syncthreads();
  int sum = 0;
  if (threadIdx.x == 0)
    for (int i = 0; i < 20; ++i) {
      while (atomicExch(&full, 0) == 0)
        ;
      __threadfence_block();
      sum += *(volatile int *)&value;
      atomicExch(&out[1], i + 1);
    }
  else if (threadIdx.x == 70)
    for (int i = 0; i < 20; ++i) {
      while (atomicAdd(&out[1], 0) != i)
        ;
      *(volatile int *)&value = i;
      __threadfence_block();
      atomicExch(&full, 1);
    }
  if (threadIdx.x == 0)
    out[0] = sum;
}

__device__ unsigned arrived, count;
__device__ volatile unsigned generation;

// Every thread of the grid counts itself.
__global__ void everyThread(int *out) {
  atomicAdd(&count, 1);
  while (atomicAdd(&count, 0) < gridDim.x * blockDim.x)
    ;
  out[blockIdx.x * blockDim.x + threadIdx.x] = 3;
}

__device__ void gridBarrier() {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned before = generation;
    __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      arrived = 0;
      __threadfence();
      generation = before + 1;
    } else
      while (generation == before)
        ;
    __threadfence();
  }
  __syncthreads();
}

__device__ void step(int *a, int *b, int n, int i) {
  b[i] = a[(i + 1) % n] + a[(i + n - 1) % n];
  gridBarrier();
  a[i] = b[i] % 1000003;
  gridBarrier();
}

__global__ void sweep(int *a, int *b, int n, int iterations) {
  for (int k = 0; k < iterations; ++k)
    step(a, b, n, blockIdx.x * blockDim.x + threadIdx.x);
}

// Both kinds of barriers.
__global__ void cooperativeSweep(int *a, int *b, int n, int iterations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < iterations; ++k) {
    step(a, b, n, i);
    if (k % 4 == 0)
      cooperative_groups::this_grid().sync();
  }
}

// No volatile access, but a fence.
__global__ void fenced(int *flag, int *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    while (*flag == 0)
      __threadfence();
    *out = 9;
  } else if (threadIdx.x == 5 && blockIdx.x == gridDim.x - 1) {
    *flag = 1;
  }
}

// The lock is held while its block waits for the last one.
__global__ void lockedWait(int *lock, int *flag, int *out) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    if (blockIdx.x == 0)
      while (atomicAdd(flag, 0) == 0)
        ;
    *(volatile int *)out += 1;
    __threadfence();
    atomicExch(lock, 0);
  } else if (threadIdx.x == 1 && blockIdx.x == gridDim.x - 1) {
    atomicExch(flag, 1);
  }
}

static void sweepOnHost(int *a, int *b, int n, int iterations) {
  for (int k = 0; k < iterations; ++k) {
    for (int i = 0; i < n; ++i)
      b[i] = a[(i + 1) % n] + a[(i + n - 1) % n];
    for (int i = 0; i < n; ++i)
      a[i] = b[i] % 1000003;
  }
}

// Each element waits for those that it names, which any thread may write, and
// each thread goes over its elements until all are there.
__global__ void levels(volatile int *level, const int *after, int n) {
  bool again;
  do {
    again = false;
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n;
         v += gridDim.x * blockDim.x) {
      if (level[v])
        continue;
      int highest = 0, i = 0;
      for (; i < 2 && after[2 * v + i] >= 0; ++i) {
        const int found = level[after[2 * v + i]];
        if (!found)
          break;
        highest = max(highest, found);
      }
      if (i < 2 && after[2 * v + i] >= 0)
        again = true;
      else
        level[v] = highest + 1;
    }
  } while (again);
}

// The order in which elements get done leads through the threads and blocks.
static void checkLevels() {
  constexpr int n = 1500;
  static int place[n], after[2 * n], wanted[n], found[n];
  for (int k = 0; k < n; ++k)
    place[k] = k * 7 % n * 11 % n;
  for (int k = 0; k < n; ++k) {
    const int v = place[k];
    after[2 * v] = k % 40 ? place[k - 1] : -1;
    after[2 * v + 1] = k % 40 && k % 3 ? place[k / 2] : -1;
    wanted[v] = 1;
    for (int i = 0; i < 2; ++i)
      if (const int w = after[2 * v + i]; w >= 0 && wanted[w] >= wanted[v])
        wanted[v] = wanted[w] + 1;
  }
  int *level, *names;
  cudaMalloc(&level, sizeof found);
  cudaMalloc(&names, sizeof after);
  cudaMemset(level, 0, sizeof found);
  cudaMemcpy(names, after, sizeof after, cudaMemcpyHostToDevice);
  levels<<<5, 64>>>(level, names, n);
  cudaMemcpy(found, level, sizeof found, cudaMemcpyDeviceToHost);
  for (int v = 0; v < n; ++v)
    check(found[v] == wanted[v], "a level");
}

// A heap from the last element to the first. Each thread goes from one of its
// elements to the next when it has found its depth, and tells it to the two
// below; the first to go on is in the last block. Either all threads of a block
// meet in each iteration, or they do not.
template <bool Meets> __global__ void depths(volatile int *depth, int n) {
  const int step = blockDim.x * gridDim.x;
  int k = n - step + blockIdx.x * blockDim.x + threadIdx.x;
  while (k >= 0) {
    const int found = depth[k];
    if (found) {
      const int below = n - 1 - 2 * (n - 1 - k);
      if (below - 1 >= 0)
        depth[below - 1] = found + 1;
      if (below - 2 >= 0)
        depth[below - 2] = found + 1;
      k -= step;
    }
    if constexpr (Meets)
      __syncthreads();
  }
}

template <bool Meets> static void checkDepths() {
  constexpr int n = 12 * 64 * 3;
  static int found[n];
  int *depth, one = 1;
  cudaMalloc(&depth, sizeof found);
  cudaMemset(depth, 0, sizeof found);
  cudaMemcpy(depth + n - 1, &one, sizeof one, cudaMemcpyHostToDevice);
  depths<Meets><<<12, 64>>>(depth, n);
  cudaMemcpy(found, depth, sizeof found, cudaMemcpyDeviceToHost);
  for (int m = 0; m < n; ++m)
    check(found[n - 1 - m] == 32 - __builtin_clz(m + 1), "a depth");
  cudaFree(depth);
}

int main() {
  checkLevels();
  checkDepths<true>();
  checkDepths<false>();
  constexpr int n = 48 * 128, turnCount = 25;
  static int host[n], wanted[n], more[n];
  int *d, *e;
  cudaMalloc(&d, sizeof host);
  cudaMalloc(&e, sizeof host);
  auto clear = [&] {
    cudaMemset(d, 0, sizeof host);
    cudaMemset(e, 0, sizeof host);
  };
  auto fetch = [&](int numbers) {
    check(cudaMemcpy(host, e, numbers * sizeof(int), cudaMemcpyDeviceToHost) ==
              cudaSuccess,
          "a copy");
  };
  clear();
  laterThread<<<1, 256>>>(d, e);
  fetch(1);
  check(host[0] == 7, "a flag of a later thread");
  clear();
  taken<<<1, 96>>>(d, e);
  fetch(1);
  check(host[0] == 4, "a flag that is taken");
  turns<<<4, 64>>>(e);
  fetch(64);
  check(host[0] == 64 && host[63] == 1, "turns");
  clear();
  handOver<<<1, 96>>>(e);
  fetch(1);
  check(host[0] == 190, "what was handed over");
  everyThread<<<3, 64>>>(e);
  fetch(192);
  check(host[0] == 3 && host[191] == 3, "a count of all threads");
  clear();
  fenced<<<40, 64>>>(d, e);
  fetch(1);
  check(host[0] == 9, "a flag of a later block");
  clear();
  lockedWait<<<30, 32>>>(d, d + 1, e);
  fetch(1);
  check(host[0] == 30, "a lock");

  for (int i = 0; i < n; ++i)
    host[i] = wanted[i] = i;
  cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice);
  sweep<<<n / 128, 128>>>(d, e, n, turnCount);
  sweepOnHost(wanted, more, n, turnCount);
  cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    check(host[i] == wanted[i], "a sweep");
  int size = 8 * 128, some = 5;
  void *arguments[] = {&d, &e, &size, &some};
  check(cudaLaunchCooperativeKernel((void *)cooperativeSweep, dim3(8),
                                    dim3(128), arguments) == cudaSuccess,
        "a cooperative launch");
  sweepOnHost(wanted, more, size, some);
  cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    check(host[i] == wanted[i], "a cooperative sweep");
  if (cudaError_t error = cudaDeviceSynchronize()) {
    puts(cudaGetErrorString(error));
    return 1;
  }
  puts("PASSED");
}
