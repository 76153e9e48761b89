// What ordinary programs take of libcu++: atomics with a scope, barriers,
// pipelines, the standard library's names, code for either side.
#include "../../Inputs/count.h"
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda_pipeline.h>
#include <nv/target>
namespace cg = cooperative_groups;

struct Counters {
  cuda::atomic<int, cuda::thread_scope_device> sum;
  cuda::atomic<unsigned, cuda::thread_scope_device> bits;
  cuda::atomic<int> least, most;
  cuda::atomic<float, cuda::thread_scope_device> real;
  cuda::std::atomic<unsigned long long> wide;
};

__global__ void count(Counters *c, int *plain, double *real) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c->sum.fetch_add(i, cuda::memory_order_relaxed);
  c->bits |= 1u << (i % 32);
  c->least.fetch_min(-i);
  c->most.fetch_max(i);
  c->real.fetch_add(0.5f, cuda::std::memory_order_relaxed);
  c->wide++;
  cuda::atomic_ref<int, cuda::thread_scope_device> reference(*plain);
  reference.fetch_sub(1);
  int expected = reference.load();
  while (!reference.compare_exchange_weak(expected, expected + 3))
    ;
  cuda::atomic_ref<double, cuda::thread_scope_system>(*real) += 0.25;
  __shared__ cuda::atomic<int, cuda::thread_scope_block> inBlock;
  if (threadIdx.x == 0)
    inBlock.store(0, cuda::std::memory_order_relaxed);
  __syncthreads();
  inBlock.fetch_add(2);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst,
                            cuda::thread_scope_block);
  __syncthreads();
  if (threadIdx.x == 0 && inBlock != 2 * (int)blockDim.x)
    c->sum = -1000000000;
}

__global__ void reverse(const int *in, int *out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier barrier;
  __shared__ int s[128];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&barrier, block.size());
  block.sync();
  int t = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    cuda::memcpy_async(block, s, in, sizeof(s), barrier);
    barrier.arrive_and_wait();
    int value = s[127 - t] + round;
    Barrier::arrival_token token = barrier.arrive();
    out[t] = value;
    barrier.wait(token);
  }
}

__global__ void stages(const int *in, int *out, int rounds) {
  constexpr int Stages = 2;
  __shared__ int s[Stages][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>
      state;
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int t = threadIdx.x, sum = 0;
  for (int computed = 0, fetched = 0; computed < rounds; ++computed) {
    for (; fetched < rounds && fetched < computed + Stages; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, s[fetched % Stages], in + 128 * fetched,
                         sizeof(s[0]), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += s[computed % Stages][127 - t];
    pipeline.consumer_release();
  }
  out[t] = sum;
  __shared__ int4 quads[32];
  if (t < 32) {
    __pipeline_memcpy_async(&quads[t], (const int4 *)in + t, sizeof(int4),
                            t == 31 ? 4 : 0);
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
  __syncthreads();
  out[t] += 1000000 * (quads[31].w + (t < 32 ? quads[t].x - 4 * t : 0));
}

__host__ __device__ int side() {
  NV_IF_TARGET(NV_IS_DEVICE, (return 2;), (return 1;))
}
__global__ void standard(int *out) {
  cuda::std::array<int, 4> a{1, 2, 3, 4};
  auto t = cuda::std::make_tuple(5, 6.0f);
  static_assert(cuda::std::is_same<decltype(a)::value_type, int>::value);
  out[0] = a[2] + a.size() + cuda::std::get<0>(t) + side();
  out[1] = cuda::std::numeric_limits<int>::max();
}

int main() {
  Counters first{}, *c;
  cudaMalloc(&c, sizeof(Counters));
  cudaMemset(c, 0, sizeof(Counters));
  int *plain, h[512], *d, *out;
  double *real, hr;
  cudaMalloc(&plain, 4);
  cudaMalloc(&real, 8);
  cudaMalloc(&d, sizeof(h));
  cudaMalloc(&out, sizeof(h));
  cudaMemset(plain, 0, 4);
  cudaMemset(real, 0, 8);
  count<<<8, 128>>>(c, plain, real);
  cudaMemcpy((void *)&first, c, sizeof(first), cudaMemcpyDeviceToHost);
  CHECK(first.sum == 1023 * 1024 / 2);
  CHECK(first.bits == ~0u);
  CHECK(first.least == -1023 && first.most == 1023);
  CHECK(first.real == 512.0f);
  CHECK(first.wide.load() == 1024);
  cudaMemcpy(h, plain, 4, cudaMemcpyDeviceToHost);
  CHECK(h[0] == 2 * 1024);
  cudaMemcpy(&hr, real, 8, cudaMemcpyDeviceToHost);
  CHECK(hr == 256.0);

  for (int i = 0; i < 512; ++i)
    h[i] = i;
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  reverse<<<1, 128>>>(d, out);
  cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i)
    CHECK(h[i] == 127 - i + 2);
  stages<<<1, 128>>>(d, out, 4);
  CHECK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < 128; ++i)
    CHECK(h[i] == 4 * (127 - i) + 128 * 6);
  standard<<<1, 1>>>(out);
  cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
  CHECK(h[0] == 3 + 4 + 5 + 2 && h[1] == 0x7fffffff && side() == 1);
  cuda::atomic<int> host(3);
  CHECK(host++ == 3 && host.exchange(9) == 4 && host == 9);
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
