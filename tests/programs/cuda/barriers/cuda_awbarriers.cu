// EXPECT: 0 wrong
// The arrive/wait barriers of the programming guide's older chapter: phases,
// tokens, threads that leave, and the same as functions on a word.
#include <cstdio>
#include <cuda_awbarrier.h>

using nvcuda::experimental::awbarrier;

/// Each thread hands its number to the next one, `phases` times.
__global__ void handOn(int *out, int phases) {
  __shared__ awbarrier barrier;
  __shared__ int box[2][64];
  const int t = threadIdx.x, n = blockDim.x;
  if (t == 0)
    init(&barrier, n);
  __syncthreads();
  int mine = t;
  for (int p = 0; p < phases; ++p) {
    box[p & 1][(t + 1) % n] = mine;
    const awbarrier::arrival_token token = barrier.arrive();
    barrier.wait(token);
    mine = box[p & 1][t];
  }
  out[t] = mine;
}

/// The first warp leaves after a phase; the others go on without it.
__global__ void leave(int *out) {
  __shared__ awbarrier barrier;
  __shared__ int sum;
  const int t = threadIdx.x;
  if (t == 0) {
    sum = 0;
    init(&barrier, blockDim.x);
  }
  __syncthreads();
  atomicAdd(&sum, 1);
  if (t < 32) {
    barrier.arrive_and_drop();
    out[t] = -1;
    return;
  }
  barrier.arrive_and_wait();
  const int first = sum;
  barrier.arrive_and_wait();
  atomicAdd(&sum, 1);
  barrier.arrive_and_wait();
  out[t] = first * 1000 + sum;
}

/// One thread of each warp waits for the words of all, by parity.
__global__ void words(int *out, int *counts) {
  __shared__ __mbarrier_t barrier;
  __shared__ int value;
  const int t = threadIdx.x;
  if (t == 0)
    __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  if (t == 5)
    value = 42;
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  counts[t] = __mbarrier_token_pending_count(token);
  while (!__mbarrier_try_wait(&barrier, token, 1000))
    ;
  int got = value;
  const __mbarrier_token_t second = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait_parity(&barrier, true))
    ;
  got += __mbarrier_test_wait(&barrier, second);
  out[t] = got;
  __syncthreads();
  if (t == 0)
    __mbarrier_inval(&barrier);
}

int main() {
  int *out, *counts, wrong = 0;
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaMallocManaged(&counts, 64 * sizeof(int));
  handOn<<<1, 64>>>(out, 5);
  cudaDeviceSynchronize();
  for (int t = 0; t < 64; ++t)
    wrong += out[t] != (t + 64 - 5) % 64;
  leave<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int t = 0; t < 64; ++t)
    wrong += out[t] != (t < 32 ? -1 : 64 * 1000 + 96);
  words<<<1, 64>>>(out, counts);
  cudaDeviceSynchronize();
  for (int t = 0; t < 64; ++t) {
    wrong += out[t] != 43;
    // A GPU counts the threads of a warp at once.
    wrong += counts[t] < 1 || counts[t] > 64;
  }
  wrong += awbarrier::max() != __mbarrier_maximum_count();
  printf("%d wrong\n", wrong);
}
