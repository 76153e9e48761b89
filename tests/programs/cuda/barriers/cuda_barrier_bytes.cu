// Copies that a barrier counts in bytes, and waits until a point of time.
#include <cstdio>
#include <cuda/barrier>
#include <cuda/semaphore>
#include <cuda/std/chrono>
#include <utility>

constexpr int Threads = 128, Elements = 256, Rounds = 5;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

// One thread asks for the copy after all others have arrived; the phase ends
// with it.
__global__ void rounds(const int *from, int *to) {
  alignas(128) __shared__ int tile[Elements];
  __shared__ Barrier barrier;
  const int t = threadIdx.x;
  if (t == 0) {
    init(&barrier, Threads);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  for (int r = 0; r < Rounds; ++r) {
    const int base = (blockIdx.x * Rounds + r) * Elements;
    Barrier::arrival_token token;
    if (t == Threads - 1 && r % 2 == 0) {
      token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
      cuda::device::memcpy_async_tx(
          tile, from + base, cuda::aligned_size_t<16>(sizeof tile), barrier);
    } else if (t == 3 && r % 2 == 1) {
      cuda::device::barrier_expect_tx(barrier, sizeof tile);
      token = barrier.arrive();
      cde::cp_async_bulk_global_to_shared(tile, from + base, sizeof tile,
                                          barrier);
    } else {
      token = barrier.arrive();
    }
    barrier.wait(std::move(token));
    for (int i = t; i < Elements; i += Threads)
      tile[i] = 2 * tile[i] + 1;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (t == 0) {
      cde::cp_async_bulk_shared_to_global(to + base, tile, sizeof tile);
      cde::cp_async_bulk_commit_group();
      cde::cp_async_bulk_wait_group_read<0>();
    }
    __syncthreads();
  }
}

__device__ cuda::binary_semaphore<cuda::thread_scope_device> one(1);

// What does not come is waited for until then, what has come is there.
__global__ void until(int *bad) {
  __shared__ Barrier barrier;
  __shared__ cuda::barrier<cuda::thread_scope_device> counted;
  using Clock = cuda::std::chrono::system_clock;
  using cuda::std::chrono::microseconds;
  init(&barrier, 2);
  init(&counted, 1);
  const auto begin = Clock::now();
  auto token = barrier.arrive();
  int wrong = barrier.try_wait_until(token, begin + microseconds(30));
  wrong += Clock::now() < begin + microseconds(30);
  wrong += barrier.try_wait_parity_until(false, Clock::now());
  (void)barrier.arrive();
  wrong += !barrier.try_wait_until(token, Clock::now());
  wrong += !barrier.try_wait_parity_until(
      false, cuda::std::chrono::high_resolution_clock::now());
  auto other = counted.arrive();
  wrong += !counted.try_wait_until(other, Clock::now() + microseconds(5));
  wrong += counted.try_wait_parity_until(true, Clock::now());
  wrong += !one.try_acquire_until(Clock::now());
  wrong += one.try_acquire_until(Clock::now() + microseconds(10));
  *bad += wrong;
}

// A point of time of the host's.
__global__ void
untilHosts(int *bad, std::chrono::time_point<std::chrono::system_clock> end) {
  __shared__ Barrier barrier;
  init(&barrier, 2);
  auto token = barrier.arrive();
  *bad += barrier.try_wait_until(token, end);
}

int main() {
  constexpr int Blocks = 6, n = Blocks * Rounds * Elements;
  static int host[n];
  int *from, *to, *bad, found = 0;
  cudaMalloc(&from, sizeof host);
  cudaMalloc(&to, sizeof host);
  cudaMalloc(&bad, sizeof(int));
  cudaMemset(bad, 0, sizeof(int));
  for (int i = 0; i < n; ++i)
    host[i] = i * 3;
  cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
  rounds<<<Blocks, Threads>>>(from, to);
  until<<<1, 1>>>(bad);
  untilHosts<<<1, 1>>>(bad, std::chrono::system_clock::now() +
                                std::chrono::milliseconds(2));
  cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(&found, bad, sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    found += host[i] != 6 * i + 1;

  cuda::barrier<cuda::thread_scope_system> ours(1);
  cuda::binary_semaphore<cuda::thread_scope_system> none(0);
  const auto now = std::chrono::steady_clock::now();
  auto token = ours.arrive();
  found += !ours.try_wait_until(token, now);
  found += ours.try_wait_until(token + 1, now + std::chrono::microseconds(50));
  found += none.try_acquire_until(std::chrono::system_clock::now());
  if (found || cudaDeviceSynchronize() != cudaSuccess) {
    printf("%d wrong: %s\n", found, cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  puts("PASSED");
}
