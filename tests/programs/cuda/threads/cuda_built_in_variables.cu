// threadIdx and the others have CUDA's types: copies can be changed, their
// members' addresses taken, templates called with them. __device__ may stand
// beside __shared__ in kernels, and isnan without std:: in host code.
#include <cmath>
#include <cstdio>
#include <type_traits>

template <typename Index> __device__ unsigned flat(Index index, dim3 extent) {
  static_assert(std::is_same<Index, uint3>::value, "");
  return index.x + extent.x * (index.y + extent.y * index.z);
}

__device__ __noinline__ unsigned flatByReference(const uint3 &index,
                                                 const dim3 &extent) {
  return index.x + extent.x * (index.y + extent.y * index.z);
}

__device__ unsigned second(const unsigned *member) { return *member; }

__host__ __device__ inline int side() {
#ifdef __CUDA_ARCH__
  return threadIdx.x < blockDim.x ? 1 : 0;
#else
  return 2;
#endif
}

struct Result {
  uint3 changed, chosen;
  dim3 grid;
  unsigned flat, reference, member, total, side;
};

__global__ void kernel(Result *results) {
  static_assert(std::is_same<decltype(threadIdx), const uint3>::value, "");
  static_assert(std::is_same<decltype(blockIdx), const uint3>::value, "");
  static_assert(std::is_same<decltype(blockDim), const dim3>::value, "");
  static_assert(std::is_same<decltype(gridDim), const dim3>::value, "");
  __device__ __shared__ unsigned total;
  __shared__ static __device__ unsigned none;

  auto changed = threadIdx;
  changed.x += 5;
  changed.z = blockIdx.x;
  const auto &block = blockDim;
  const unsigned thread = flat(threadIdx, block);
  const uint3 &chosen = thread % 2 ? threadIdx : blockIdx;
  if (thread == 0)
    total = none = 0;
  __syncthreads();
  atomicAdd(&total, thread);
  __syncthreads();
  results[thread + block.x * block.y * block.z * blockIdx.x] = {
      changed,
      chosen,
      gridDim,
      thread,
      flatByReference(threadIdx, blockDim),
      second(&threadIdx.y),
      total + none,
      unsigned(side())};
}

static bool isRight(const Result &result, unsigned block, unsigned thread) {
  const unsigned x = thread % 4, y = thread / 4 % 3, z = thread / 12;
  const uint3 chosen =
      thread % 2 ? make_uint3(x, y, z) : make_uint3(block, 0, 0);
  return result.changed.x == x + 5 && result.changed.y == y &&
         result.changed.z == block && result.chosen.x == chosen.x &&
         result.chosen.y == chosen.y && result.chosen.z == chosen.z &&
         result.grid.x == 3 && result.grid.y == 1 && result.grid.z == 1 &&
         result.flat == thread && result.reference == thread &&
         result.member == y && result.total == 23 * 24 / 2 && result.side == 1;
}

int main() {
  Result *results;
  cudaMallocManaged(&results, 3 * 24 * sizeof(Result));
  kernel<<<3, dim3(4, 3, 2)>>>(results);
  if (cudaError_t error = cudaDeviceSynchronize()) {
    printf("FAILED: %s\n", cudaGetErrorString(error));
    return 1;
  }
  for (unsigned i = 0; i < 3 * 24; ++i)
    if (!isRight(results[i], i / 24, i % 24)) {
      printf("FAILED: thread %u\n", i);
      return 1;
    }
  const double zero = results->flat, none = zero / zero;
  const float infinite = 1 / float(zero);
  if (!isnan(none) || isnan(zero) || !isinf(infinite) || isfinite(infinite) ||
      signbit(infinite) || side() != 2) {
    printf("FAILED: the host's functions\n");
    return 1;
  }
  printf("PASSED\n");
}
