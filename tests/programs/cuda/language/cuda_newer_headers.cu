// What CUDA 13's headers have beyond older ones': vectors whose name says how
// they are aligned, integers' arithmetic of <cuda/cmath>, spans in C++17,
// atomics in volatile objects, the types of descriptions of tensors.
// FLAGS: -arch=sm_80
#include <cstdio>
#include <cuda.h>
#include <cuda/atomic>
#include <cuda/cmath>
#include <cuda/std/span>
#include <driver_functions.h>
#include <host_config.h>
#include <vector>

static_assert(sizeof(double4_16a) == 32 && alignof(double4_16a) == 16, "");
static_assert(sizeof(longlong4_32a) == 32 && alignof(longlong4_32a) == 32, "");
static_assert(alignof(ulong4_32a) == 32 && alignof(long4_16a) == 16, "");
static_assert(sizeof(CUtensorMap) == 128 && alignof(CUtensorMap) == 128, "");
static_assert(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 == 9 &&
                  CU_TENSOR_MAP_SWIZZLE_128B == 3,
              "");
static_assert(cuda::ceil_div(10, 4) == 3 && cuda::ceil_div(8u, 4) == 2, "");
static_assert(cuda::round_up(10, 4) == 12 && cuda::round_down(10, 4) == 8, "");
static_assert(cuda::ilog2(1023u) == 9 && cuda::ceil_ilog2(1025) == 11, "");
static_assert(cuda::ilog10(999) == 2 && cuda::isqrt(99) == 9, "");
static_assert(cuda::isqrt(~0u) == 65535 && cuda::uabs(-5) == 5u, "");
static_assert(cuda::next_power_of_two(33) == 64 &&
                  cuda::prev_power_of_two(33) == 32 &&
                  cuda::is_power_of_two(64) && !cuda::is_power_of_two(65),
              "");

typedef cuda::atomic<int, cuda::thread_scope_device> Atomic;

__global__ void k(cuda::std::span<const int> from, cuda::std::span<int> to,
                  volatile Atomic *sum, double4_16a *wide) {
  const size_t i = threadIdx.x;
  if (i >= from.size())
    return;
  to[i] = from.subspan(1).first(from.size() - 1).size() + from[i];
  sum->fetch_add(from[i], cuda::memory_order_relaxed);
  ++*sum;
  if (i == 0) {
    wide[0] = make_double4_16a(1, 2, 3, 4);
    longlong4_32a other = make_longlong4_32a(5, 6, 7, 8);
    wide[1] = make_double4_16a(other.x, other.y, other.z, other.w);
  }
}

int main() {
  constexpr int count = 20;
  int *from, *to, wrong = 0, total = 0;
  Atomic *sum;
  double4_16a *wide;
  cudaMallocManaged(&from, count * sizeof(int));
  cudaMallocManaged(&to, count * sizeof(int));
  cudaMallocManaged(&sum, sizeof(Atomic));
  cudaMallocManaged(&wide, 2 * sizeof(*wide));
  for (int i = 0; i < count; ++i)
    total += from[i] = i * i;
  k<<<1, 32>>>({from, count}, cuda::std::span(to, count), sum, wide);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int i = 0; i < count; ++i)
    wrong += to[i] != count - 1 + i * i;
  volatile Atomic &seen = *sum;
  wrong += seen.load() != total + count || seen != total + count;
  seen = 3;
  int expected = 3;
  wrong += !seen.compare_exchange_strong(expected, 4) || (seen += 2) != 6;
  wrong += wide[0].w != 4 || wide[1].x != 5 || wide[1].w != 8;
  std::vector<int> items(3);
  int array[4] = {1, 2, 3, 4};
  cuda::std::span<int> all(items), four = array;
  wrong += all.size() != 3 || four.back() != 4 || four.last<2>()[0] != 3;
  size_t bytes = 0, free = 0;
  wrong += cuMemGetInfo(nullptr, &bytes) != CUDA_SUCCESS || !bytes;
  wrong += cuMemGetInfo(&free, nullptr) != CUDA_SUCCESS || free > bytes;
  wrong += make_cudaExtent(1, 2, 3).depth != 3;
  printf(wrong ? "FAILED: %d\n" : "PASSED\n", wrong);
  return wrong != 0;
}
