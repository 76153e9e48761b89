// Waits of cuda::barrier and semaphores that end after a time, threads that
// leave, phases by parity: with a GPU's own barriers and with counted ones.
#include <cstdio>
#include <cuda/barrier>
#include <cuda/semaphore>

using namespace std::chrono_literals;

constexpr int Threads = 96;

// What one thread of the block finds wrong.
template <cuda::thread_scope Scope>
__device__ int passPhases(cuda::barrier<Scope> &barrier, int *s) {
  const int t = threadIdx.x;
  int wrong = 0;
  s[t] = t;
  if (t == Threads - 1) {
    barrier.arrive_and_drop();
    return 0;
  }
  auto token = barrier.arrive();
  while (!barrier.try_wait_for(token, 50us))
    ;
  wrong += s[Threads - 1] != Threads - 1 ||
           s[(t + 1) % Threads] != (t + 1) % Threads;
  token = barrier.arrive();
  barrier.wait_parity(true);
  wrong += !barrier.try_wait(token) || !barrier.try_wait_parity(true) ||
           barrier.try_wait_parity(false);
  s[t] = 2 * t;
  barrier.arrive_and_wait();
  const int other = (t + 5) % (Threads - 1);
  wrong += s[other] != 2 * other;
  // The others do not come.
  if (t == 0) {
    token = barrier.arrive();
    wrong += barrier.try_wait_for(token, 20us) || barrier.try_wait(token) ||
             barrier.try_wait_parity_for(true, 20us);
  }
  return wrong;
}

__global__ void inBlock(int *bad) {
  __shared__ cuda::barrier<cuda::thread_scope_block> own;
  __shared__ cuda::barrier<cuda::thread_scope_device> counted;
  __shared__ int s[Threads];
  if (threadIdx.x == 0) {
    init(&own, Threads);
    init(&counted, Threads);
  }
  __syncthreads();
  int wrong = passPhases(own, s);
  __syncthreads();
  wrong += passPhases(counted, s);
  if (wrong)
    atomicAdd(bad, wrong);
}

__device__ cuda::binary_semaphore<cuda::thread_scope_device> one(1);

__global__ void acquire(int *bad) {
  const bool first = one.try_acquire_for(10us);
  const bool second = one.try_acquire_for(10us);
  one.release();
  if (!first || second)
    atomicAdd(bad, 1000);
}

int main() {
  int *bad, found = -1;
  cudaMalloc(&bad, sizeof(int));
  cudaMemset(bad, 0, sizeof(int));
  inBlock<<<3, Threads>>>(bad);
  acquire<<<1, 1>>>(bad);
  cudaMemcpy(&found, bad, sizeof(int), cudaMemcpyDeviceToHost);
  cuda::barrier<cuda::thread_scope_system> host(1);
  auto token = host.arrive();
  if (!host.try_wait_for(token, 1ms) || host.try_wait_for(token + 1, 10us))
    found = -2;
  if (found || cudaDeviceSynchronize() != cudaSuccess) {
    printf("%d wrong\n", found);
    return 1;
  }
  puts("PASSED");
}
