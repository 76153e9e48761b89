// Copies that go on while the thread does something else: pipelines of threads
// and blocks, copies by groups, and the functions of C, with every alignment.
// FLAGS: -arch=sm_90
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

constexpr int Stages = 3, Width = 64, Tiles = 9;
struct Odd {
  char c[5];
};

/// Each thread brings its own four elements, two stages ahead.
__global__ void ofThreads(const int4 *in, int *sums) {
  __shared__ int4 tile[Stages][Width];
  auto pipe = cuda::make_pipeline();
  int t = threadIdx.x, fetched = 0, sum = 0;
  for (int used = 0; used < Tiles; ++used) {
    for (; fetched < Tiles && fetched < used + Stages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[fetched % Stages][t], in + fetched * Width + t,
                         cuda::aligned_size_t<16>(sizeof(int4)), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    int4 v = tile[used % Stages][t];
    sum = sum * 3 + v.x + 2 * v.y + 4 * v.z + 8 * v.w;
    pipe.consumer_release();
  }
  sums[t] = sum;
}
/// Others' elements, of a size that is no multiple of a word.
__global__ void ofBlock(const int *in, int *sums, const Odd *odd) {
  __shared__ int tile[Stages][Width];
  __shared__ Odd bytes[Width];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>
      state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int t = threadIdx.x, fetched = 0, sum = 0;
  for (int used = 0; used < Tiles; ++used) {
    for (; fetched < Tiles && fetched < used + Stages - 1; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % Stages], in + fetched * Width,
                         sizeof(tile[0]), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 3 + tile[used % Stages][Width - 1 - t];
    pipe.consumer_release();
  }
  cg::memcpy_async(block, bytes, odd, sizeof(bytes));
  cg::wait(block);
  sums[t] = sum + bytes[(t + 1) % Width].c[4];
}
/// Two copies at a time, of which the first is waited for first.
__global__ void ofGroups(const double *in, double *out) {
  __shared__ double first[Width], second[Width];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int t = threadIdx.x, from = t / 32 * 32;
  cg::memcpy_async(warp, first + from, in + from, 32 * sizeof(double));
  cg::memcpy_async(warp, (void *)(second + from),
                   (const void *)(in + Width + from), 32 * sizeof(double));
  cg::wait_prior<1>(warp);
  double sum = first[t ^ 1];
  cg::wait(warp);
  out[t] = sum + 1000 * second[t ^ 3];
}
template <class T> __global__ void inC(const T *in, T *out, int n) {
  __shared__ T s[4][Width];
  int t = threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    __pipeline_memcpy_async(&s[k][t], in + k * Width + t, sizeof(T),
                            k * Width + t < n ? 0 : sizeof(T));
    __pipeline_commit();
  }
  __pipeline_wait_prior(3);
  out[t] = s[0][t];
  __pipeline_wait_prior(1);
  out[Width + t] = s[1][t];
  out[2 * Width + t] = s[2][t];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[3 * Width + t] = s[3][Width - 1 - t];
}

static int wrong;
static void expect(bool right, const char *what, int t) {
  if (!right && wrong++ < 10)
    printf("%s: wrong at %d\n", what, t);
}
template <class T> static void tryC(T *memory, T (*value)(int)) {
  const int n = 3 * Width + 10;
  T *in = memory, *out = memory + 4 * Width;
  for (int i = 0; i < 4 * Width; ++i)
    in[i] = value(i);
  inC<<<1, Width>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4 * Width; ++i) {
    int from = i < 3 * Width ? i : 7 * Width - 1 - i;
    T want = from < n ? in[from] : T();
    expect(__builtin_memcmp(&out[i], &want, sizeof(T)) == 0, "C", i);
  }
}

int main() {
  int *in, *sums;
  cudaMallocManaged(&in, Tiles * Width * 16);
  cudaMallocManaged(&sums, Width * sizeof(int));
  for (int i = 0; i < Tiles * Width * 4; ++i)
    in[i] = i * 37 % 101;
  ofThreads<<<1, Width>>>((const int4 *)in, sums);
  cudaDeviceSynchronize();
  for (int t = 0; t < Width; ++t) {
    int sum = 0;
    for (int k = 0; k < Tiles; ++k) {
      const int *v = in + 4 * (k * Width + t);
      sum = sum * 3 + v[0] + 2 * v[1] + 4 * v[2] + 8 * v[3];
    }
    expect(sums[t] == sum, "threads", t);
  }
  Odd *odd;
  cudaMallocManaged(&odd, Width * sizeof(Odd));
  for (int t = 0; t < Width; ++t)
    odd[t].c[4] = t;
  ofBlock<<<1, Width>>>(in, sums, odd);
  cudaDeviceSynchronize();
  for (int t = 0; t < Width; ++t) {
    int sum = 0;
    for (int k = 0; k < Tiles; ++k)
      sum = sum * 3 + in[k * Width + Width - 1 - t];
    expect(sums[t] == sum + (t + 1) % Width, "block", t);
  }
  double *reals, *results;
  cudaMallocManaged(&reals, 2 * Width * sizeof(double));
  cudaMallocManaged(&results, Width * sizeof(double));
  for (int i = 0; i < 2 * Width; ++i)
    reals[i] = i + 1;
  ofGroups<<<1, Width>>>(reals, results);
  cudaDeviceSynchronize();
  for (int t = 0; t < Width; ++t)
    expect(results[t] == reals[t ^ 1] + 1000 * reals[Width + (t ^ 3)], "groups",
           t);
  void *memory;
  cudaMallocManaged(&memory, 8 * Width * 16);
  tryC<int>((int *)memory, [](int i) { return i + 1; });
  tryC<double>((double *)memory, [](int i) { return i + 0.5; });
  tryC<int4>((int4 *)memory, [](int i) { return make_int4(i, -i, 2 * i, 1); });
  expect(cudaGetLastError() == cudaSuccess, "errors", 0);
  printf(wrong ? "%d wrong\n" : "PASSED\n", wrong);
  return wrong != 0;
}
