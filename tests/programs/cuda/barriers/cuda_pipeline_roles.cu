// Pipelines in which some threads only produce, with one to four stages.
// FLAGS: -arch=sm_90
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

// The first warp copies tiles, the others add them up, several stages apart.
template <unsigned char Stages, bool Counted>
__global__ void sums(const int *in, int *out, int tiles) {
  constexpr int Tile = 96;
  __shared__ int buffer[Stages][Tile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
  auto block = cg::this_thread_block();
  const bool produces = block.thread_rank() < 32;
  const auto role = produces ? cuda::pipeline_role::producer
                             : cuda::pipeline_role::consumer;
  cuda::pipeline<cuda::thread_scope_block> pipe = [&] {
    if constexpr (Counted)
      return cuda::make_pipeline(block, &state, 32);
    else
      return cuda::make_pipeline(block, &state, role);
  }();
  if (produces) {
    for (int t = 0; t < tiles; ++t) {
      pipe.producer_acquire();
      for (int i = threadIdx.x; i < Tile; i += 32)
        cuda::memcpy_async(&buffer[t % Stages][i],
                           &in[(blockIdx.x * tiles + t) * Tile + i],
                           sizeof(int), pipe);
      pipe.producer_commit();
    }
    return;
  }
  const int me = threadIdx.x - 32;
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    pipe.consumer_wait();
    // Elements that several producers have copied.
    for (int i = 0; i < 3; ++i)
      sum += buffer[t % Stages][(me * 3 + i * 31) % Tile] * (t + 1);
    pipe.consumer_release();
  }
  out[blockIdx.x * 96 + me] = sum;
}

template <unsigned char Stages, bool Counted> int test() {
  const int tiles = 11, blocks = 3, n = blocks * tiles * 96;
  int *in, *out, wrong = 0;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, blocks * 96 * sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = i * 7 % 1013;
  sums<Stages, Counted><<<blocks, 128>>>(in, out, tiles);
  if (cudaError_t error = cudaDeviceSynchronize())
    printf("%s\n", cudaGetErrorString(error));
  for (int b = 0; b < blocks; ++b)
    for (int me = 0; me < 96; ++me) {
      int sum = 0;
      for (int t = 0; t < tiles; ++t)
        for (int i = 0; i < 3; ++i)
          sum += in[(b * tiles + t) * 96 + (me * 3 + i * 31) % 96] * (t + 1);
      wrong += out[b * 96 + me] != sum;
    }
  cudaFree(in);
  cudaFree(out);
  return wrong;
}

int main() {
  const int wrong = test<1, false>() + test<2, false>() + test<4, true>();
  printf(wrong ? "%d wrong\n" : "PASSED\n", wrong);
  return wrong != 0;
}
