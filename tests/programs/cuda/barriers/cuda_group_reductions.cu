// Reductions and scans over tiles and over any lanes of a warp,
// of words, of wider types, and of an operation whose operands must not change
// places.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

/// x -> a x + b; one after the other.
struct Affine {
  unsigned a, b;
};
struct Then {
  __host__ __device__ Affine operator()(Affine f, Affine g) const {
    return {f.a * g.a, g.a * f.b + g.b};
  }
};
constexpr int Results = 7;
struct Result {
  long long of[Results];
};

__host__ __device__ int valueOf(int t) { return (t * 7919 + 13) % 1009 - 500; }
__host__ __device__ Affine affineOf(int t) {
  return {unsigned(2 * t + 3), unsigned(t * t + 1)};
}
__host__ __device__ long long packed(Affine f) {
  return (long long)(((unsigned long long)f.a << 32) | f.b);
}

template <class Group> __device__ void all(const Group &g, int t, Result &r) {
  int v = valueOf(t);
  r.of[0] = cg::reduce(g, v, cg::plus<int>());
  r.of[1] = cg::reduce(g, v, cg::greater<>());
  r.of[2] = cg::reduce(g, (unsigned)v, cg::less<unsigned>());
  r.of[3] = cg::reduce(g, v * 10000000000LL, cg::plus<long long>());
  r.of[4] = packed(cg::reduce(g, affineOf(t), Then()));
  r.of[5] = packed(cg::inclusive_scan(g, affineOf(t), Then()));
  r.of[6] = cg::exclusive_scan(g, v, cg::plus<int>());
}

template <int Size> __global__ void tiles(Result *r) {
  all(cg::tiled_partition<Size>(cg::this_thread_block()), threadIdx.x,
      r[threadIdx.x]);
}
__global__ void lanes(Result *r, unsigned mask) {
  if (mask >> (threadIdx.x & 31) & 1)
    all(cg::coalesced_threads(), threadIdx.x, r[threadIdx.x]);
}
/// The members' results one after the other.
static Result expected(const int *members, int count, int rank) {
  Result r = {};
  int sum = 0, high = valueOf(members[0]);
  unsigned least = high;
  Affine f = {1, 0};
  for (int k = 0; k < count; ++k) {
    int v = valueOf(members[k]);
    if (k == rank)
      r.of[6] = sum;
    sum += v;
    high = v > high ? v : high;
    least = (unsigned)v < least ? (unsigned)v : least;
    f = Then()(f, affineOf(members[k]));
    if (k == rank)
      r.of[5] = packed(f);
  }
  r.of[0] = sum;
  r.of[1] = high;
  r.of[2] = least;
  r.of[3] = sum * 10000000000LL;
  r.of[4] = packed(f);
  return r;
}

constexpr int Threads = 64;
static int wrong;
/// \p group says which group a thread is in; less than zero: in none.
template <class F>
static void check(const Result *d, const char *what, F group) {
  static Result h[Threads];
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int t = 0; t < Threads; ++t) {
    if (group(t) < 0)
      continue;
    int members[Threads], count = 0, rank = 0;
    for (int o = t & ~31; o < (t & ~31) + 32; ++o)
      if (group(o) == group(t)) {
        if (o == t)
          rank = count;
        members[count++] = o;
      }
    Result want = expected(members, count, rank);
    for (int k = 0; k < Results; ++k)
      if (h[t].of[k] != want.of[k] && wrong++ < 10)
        printf("%s: thread %d, result %d: %lld, not %lld\n", what, t, k,
               h[t].of[k], want.of[k]);
  }
}
template <int Size> static void tilesOf(Result *d) {
  tiles<Size><<<1, Threads>>>(d);
  check(d, "tiles", [](int t) { return t / Size; });
}

int main() {
  Result *d;
  cudaMalloc(&d, Threads * sizeof(Result));
  tilesOf<8>(d);
  tilesOf<32>(d);
  for (unsigned mask : {~0u, 1u, 0x80000000u, 0x80000001u, 0x5a5aa5a5u,
                        0x00fff000u, 0x12345678u}) {
    cudaMemset(d, 0, Threads * sizeof(Result));
    lanes<<<1, Threads>>>(d, mask);
    check(d, "lanes", [=](int t) { return mask >> (t & 31) & 1 ? 0 : -1; });
  }
  printf(wrong ? "%d wrong\n" : "PASSED\n", wrong);
  return wrong != 0;
}
