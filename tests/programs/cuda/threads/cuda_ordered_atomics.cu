// Atomics with an order and a scope (__nv_atomic): counters, maxima, swaps in a
// loop, and one thread that tells others what it has written.

#include <cstdio>

constexpr int Blocks = 32, Threads = 128;

struct Results {
  unsigned long long sum;
  long long least;
  int greatest, bits, parity;
  unsigned int left;
  double total;
  int handed;
};

__device__ double addByExchange(double *address, double value) {
  auto *word = (unsigned long long *)address;
  unsigned long long seen = __nv_atomic_load_n(word, __NV_ATOMIC_RELAXED);
  while (!__nv_atomic_compare_exchange_n(
      word, &seen,
      (unsigned long long)__double_as_longlong(__longlong_as_double(seen) +
                                               value),
      false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED,
      __NV_THREAD_SCOPE_DEVICE))
    ;
  return __longlong_as_double(seen);
}

__global__ void count(Results *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_fetch_add(&r->sum, (unsigned long long)i, __NV_ATOMIC_RELAXED);
  __nv_atomic_min(&r->least, -(long long)i, __NV_ATOMIC_RELAXED,
                  __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(&r->greatest, i, __NV_ATOMIC_ACQ_REL,
                        __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_or(&r->bits, 1 << i % 20, __NV_ATOMIC_RELAXED);
  __nv_atomic_xor(&r->parity, i, __NV_ATOMIC_RELAXED);
  __nv_atomic_sub(&r->left, 1u, __NV_ATOMIC_SEQ_CST);
  addByExchange(&r->total, 0.5);
}

// One thread of the block writes, then raises a flag; others see both.
__global__ void hand(Results *r) {
  __shared__ int flag, value, taken;
  if (threadIdx.x == 0)
    flag = value = taken = 0;
  __syncthreads();
  if (threadIdx.x == 40) {
    value = 4711;
    __nv_atomic_store_n(&flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
  }
  __syncthreads();
  int raised;
  __nv_atomic_load(&flag, &raised, __NV_ATOMIC_ACQUIRE,
                   __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);
  if (raised && value == 4711)
    __nv_atomic_add(&taken, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __syncthreads();
  if (threadIdx.x == 0)
    r->handed = __nv_atomic_exchange_n(&taken, -1, __NV_ATOMIC_RELAXED,
                                       __NV_THREAD_SCOPE_BLOCK);
}

int main() {
  constexpr int n = Blocks * Threads;
  Results r = {};
  r.left = n + 7;
  Results *d;
  cudaMalloc(&d, sizeof r);
  cudaMemcpy(d, &r, sizeof r, cudaMemcpyHostToDevice);
  count<<<Blocks, Threads>>>(d);
  hand<<<1, Threads>>>(d);
  cudaMemcpy(&r, d, sizeof r, cudaMemcpyDeviceToHost);
  int parity = 0;
  for (int i = 0; i < n; ++i)
    parity ^= i;
  bool right = r.sum == (unsigned long long)n * (n - 1) / 2 &&
               r.least == 1 - n && r.greatest == n - 1 &&
               r.bits == (1 << 20) - 1 && r.parity == parity && r.left == 7 &&
               r.total == n / 2.0 && r.handed == Threads;
  printf("%llu %lld %d %x %d %u %g %d\n", r.sum, r.least, r.greatest, r.bits,
         r.parity, r.left, r.total, r.handed);
  puts(right ? "PASSED" : "FAILED");
}
