// FLAGS: -arch=sm_80
// Barriers of threads of several blocks, with a function of their own, and
// those of a block on GPUs that have no instructions for them; latches,
// semaphores; nvstd::function.
#include <cstdio>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <nvfunctional>

constexpr int Blocks = 6, Threads = 64, Iterations = 10;

__device__ cuda::barrier<cuda::thread_scope_device> grid;
__device__ cuda::latch<cuda::thread_scope_device> opened(Blocks *Threads);
__device__ cuda::binary_semaphore<cuda::thread_scope_device> one(1);
__device__ cuda::counting_semaphore<cuda::thread_scope_block> items(0);
__device__ int counted, inside, most, phases;

__global__ void prepare() { init(&grid, Blocks); }

// Each block adds to the sums of all others, iteration by iteration.
__global__ void meet(int *sums, int *bad) {
  for (int iteration = 0; iteration < Iterations; ++iteration) {
    if (threadIdx.x == 0)
      atomicAdd(&sums[iteration], blockIdx.x + 1);
    __syncthreads();
    if (threadIdx.x == 0)
      grid.arrive_and_wait();
    __syncthreads();
    if (*(volatile int *)&sums[iteration] != Blocks * (Blocks + 1) / 2)
      atomicAdd(bad, 1);
  }
}

// The first thread goes on when all of the grid have counted.
__global__ void count(int *bad) {
  atomicAdd(&counted, 1);
  __threadfence();
  if (threadIdx.x != 5) {
    opened.count_down();
    return;
  }
  opened.arrive_and_wait();
  if (atomicAdd(&counted, 0) != Blocks * Threads)
    atomicAdd(bad, 1);
}

// One thread of the grid at a time.
__global__ void alone() {
  if (threadIdx.x % 16 == 0) {
    one.acquire();
    const int now = atomicAdd(&inside, 1) + 1;
    atomicMax(&most, now);
    atomicAdd(&inside, -1);
    one.release();
  }
}

// The first thread takes what the last one gives.
__global__ void give(int *out) {
  if (threadIdx.x == 0)
    for (int i = 0; i < 20; ++i) {
      items.acquire();
      atomicAdd(out, 1);
    }
  if (threadIdx.x == blockDim.x - 1)
    items.release(20);
}

struct Count {
  __device__ void operator()() { atomicAdd(&phases, 1); }
};

__global__ void ofBlock(const int *in, int *out) {
  using Own = cuda::barrier<cuda::thread_scope_block>;
  using Counting = cuda::barrier<cuda::thread_scope_block, Count>;
  __shared__ Own own;
  __shared__ Counting counting;
  __shared__ int s[Threads];
  const int t = threadIdx.x;
  if (t == 0) {
    init(&own, blockDim.x);
    init(&counting, blockDim.x);
  }
  __syncthreads();
  s[t] = in[t];
  Own::arrival_token token = own.arrive();
  own.wait(token);
  int sum = s[(t + 1) % Threads];
  own.arrive_and_wait();
  s[t] = 2 * in[t];
  counting.arrive_and_wait();
  sum += s[(t + 2) % Threads];
  if (t >= 32) {
    counting.arrive_and_drop();
  } else {
    counting.arrive_and_wait();
    counting.arrive_and_wait();
  }
  out[t] = sum;
}

__device__ int twice(int x) { return 2 * x; }

__global__ void call(int *out) {
  int scale = threadIdx.x;
  long large[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  nvstd::function<int(int)> f = twice, empty;
  int result = f(3) + (f ? 100 : 0) + (empty ? 1000 : 0);
  f = [=](int x) { return scale * x; };
  result += f(10);
  nvstd::function<int(int)> copy = [=](int x) { return x + (int)large[7]; };
  f = copy;
  copy = nullptr;
  out[threadIdx.x] = result + f(1) + (copy ? 1000 : 0);
}

template <class T> static T fetch(const T &symbol) {
  T value;
  cudaMemcpyFromSymbol(&value, symbol, sizeof value);
  return value;
}

int main() {
  int *a, *b, *bad, host[Threads];
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&bad, sizeof(int));
  cudaMemset(a, 0, sizeof host);
  cudaMemset(b, 0, sizeof host);
  cudaMemset(bad, 0, sizeof(int));
  prepare<<<1, 1>>>();
  meet<<<Blocks, Threads>>>(a, bad);
  count<<<Blocks, Threads>>>(bad);
  alone<<<Blocks, Threads>>>();
  give<<<1, Threads>>>(b);
  cudaMemcpy(host, bad, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(host + 1, b, sizeof(int), cudaMemcpyDeviceToHost);
  if (host[0] || host[1] != 20 || fetch(most) != 1 || fetch(inside)) {
    printf("%d %d %d %d\n", host[0], host[1], fetch(most), fetch(inside));
    return 1;
  }
  for (int i = 0; i < Threads; ++i)
    host[i] = i * i;
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  ofBlock<<<1, Threads>>>(a, b);
  cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
  for (int t = 0; t < Threads; ++t) {
    const int x = (t + 1) % Threads, y = (t + 2) % Threads;
    if (host[t] != x * x + 2 * y * y) {
      printf("of a block, %d: %d\n", t, host[t]);
      return 1;
    }
  }
  if (fetch(phases) != 3) {
    printf("%d phases\n", fetch(phases));
    return 1;
  }
  call<<<1, Threads>>>(a);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  for (int t = 0; t < Threads; ++t)
    if (host[t] != 6 + 100 + 10 * t + 9) {
      printf("called, %d: %d\n", t, host[t]);
      return 1;
    }
  nvstd::function<int(int)> onHost = [](int x) { return x - 1; };
  cuda::latch<cuda::thread_scope_system> host1(1);
  host1.arrive_and_wait();
  if (onHost(5) != 4 || cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  puts("PASSED");
}
