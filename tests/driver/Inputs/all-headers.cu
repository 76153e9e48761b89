#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cudaTypedefs.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <nvToolsExt.h>
#include <nvfunctional>

namespace cg = cooperative_groups;

struct Pair {
  int low, high;
};

__device__ cuda::atomic<int, cuda::thread_scope_device> calls;

__global__ void sums(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const int t = threadIdx.x;
  if (t == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  calls.fetch_add(1);
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  Pair pair = {t, 2 * t};
  pair = tile.shfl_xor(pair, 1);
  const int all = cg::reduce(tile, t, cg::plus<int>());
  const int before = cg::inclusive_scan(tile, 1);
  const auto some = cg::coalesced_threads();
  nvstd::function<int(int)> twice = [](int x) { return 2 * x; };
  barrier.arrive_and_wait();
  out[t] = pair.high + all + before + some.shfl(t, 3) + twice(t) +
           (int)__half2float(__float2half(3.0f)) + calls.load();
}

int main() {
  int *out, wrong = 0;
  cudaMallocManaged(&out, 32 * sizeof(int));
  sums<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int t = 0; t < 32; ++t)
    wrong += out[t] != 2 * (t ^ 1) + (t / 16 * 256 + 120) + (t % 16 + 1) + 3 +
                           2 * t + 3 + 32;
  printf("headers: %d wrong\n", wrong);
}
