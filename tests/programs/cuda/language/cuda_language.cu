// CUDA C++'s language: the alignment table, qualifiers of kernels and
// variables, built-in variables, __CUDA_ARCH__, classes in kernels, C++20.
// FLAGS: -std=c++20
#include "../../Inputs/count.h"
#include <type_traits>

// Table B-1.
#define ALIGNED(T, base, one, two, three, four)                                \
  static_assert(alignof(T##1) == one && alignof(T##2) == two &&                \
                alignof(T##3) == three && alignof(T##4) == four);              \
  static_assert(                                                               \
      sizeof(T##1) == sizeof(base) && sizeof(T##2) == 2 * sizeof(base) &&      \
      sizeof(T##3) == 3 * sizeof(base) && sizeof(T##4) == 4 * sizeof(base));   \
  static_assert(make_##T##1(1).x == 1 && make_##T##2(1, 2).y == 2 &&           \
                make_##T##3(1, 2, 3).z == 3 &&                                 \
                make_##T##4(1, 2, 3, 4).w == 4);
ALIGNED(char, signed char, 1, 2, 1, 4)
ALIGNED(uchar, unsigned char, 1, 2, 1, 4)
ALIGNED(short, short, 2, 4, 2, 8)
ALIGNED(ushort, unsigned short, 2, 4, 2, 8)
ALIGNED(int, int, 4, 8, 4, 16)
ALIGNED(uint, unsigned int, 4, 8, 4, 16)
ALIGNED(long, long, 8, 16, 8, 16)
ALIGNED(ulong, unsigned long, 8, 16, 8, 16)
ALIGNED(longlong, long long, 8, 16, 8, 16)
ALIGNED(ulonglong, unsigned long long, 8, 16, 8, 16)
ALIGNED(float, float, 4, 8, 4, 16)
ALIGNED(double, double, 8, 16, 8, 16)
static_assert(dim3(3).y == 1 && dim3(3, 4).z == 1 && sizeof(dim3) == 12);

// Each element of an array of a class of its own alignment.
struct __align__(16) Aligned {
  float x, y, z;
};
struct __builtin_align__(8) Aligned8 {
  char c;
};
static_assert(sizeof(Aligned) == 16 && alignof(Aligned8) == 8);

__host__ __device__ __noinline__ int arch() {
#ifdef __CUDA_ARCH__
  static_assert(__CUDA_ARCH__ >= 700);
  return __CUDA_ARCH__ / 100;
#else
  return 0;
#endif
}
__host__ __device__ __forceinline__ constexpr int square(int x) {
  return x * x;
}

__managed__ int managed[4] = {1, 2, 3, 4};
__device__ __managed__ double total;
__constant__ float coefficients[3] = {0.5f, 1.5f, 2.5f};
__device__ const int table[2] = {10, 20};
__device__ int counter = 5;
static __device__ int hidden = 7;

class Counter {
public:
  __device__ explicit Counter(int first) : value(first) {}
  __device__ ~Counter() { atomicAdd(&counter, 1); }
  __device__ Counter &operator+=(int step) {
    value += step;
    return *this;
  }
  __device__ virtual int get() const { return value; }

protected:
  int value;
};
class Doubled : public Counter {
public:
  using Counter::Counter;
  __device__ int get() const override { return 2 * value; }
};

template <class T>
concept Number = std::is_arithmetic_v<T>;
template <Number T, int... Weights> struct Weighted {
  __device__ static T sum(T x) { return ((x * Weights) + ...); }
};

__global__ void __launch_bounds__(128, 2)
    kernel(int *__restrict__ out, const Aligned *__restrict__ in,
           const __grid_constant__ Aligned8 passed) {
  int t = threadIdx.x;
  Doubled d(t);
  d += 3;
  const Counter &c = d;
  auto [x, y, z] = make_float3(1, 2, 3);
  auto apply = [=](auto f) { return f(x + y + z); };
  if constexpr (sizeof(int) == 4)
    out[8 * t] = c.get();
  out[8 * t + 1] = arch();
  out[8 * t + 2] = Weighted<int, 1, 2, 3>::sum(t) + square(3);
  out[8 * t + 3] = apply([](float v) { return (int)v; }) + passed.c;
  out[8 * t + 4] = (int)(in[t].y * coefficients[2]) + table[1] + hidden;
  Doubled *array = new Doubled[2]{Doubled(1), Doubled(t)};
  out[8 * t + 5] = array[1].get() + array[0].get();
  delete[] array;
  switch (t & 3) {
  case 0:
    out[8 * t + 6] = warpSize;
    break;
  case 1:
    out[8 * t + 6] = gridDim.x + blockDim.x;
    [[fallthrough]];
  default:
    out[8 * t + 6] += 1;
  }
  struct {
    int a : 5;
    unsigned b : 11;
  } bits = {t & 15, (unsigned)t};
  out[8 * t + 7] = bits.a * 1000 + bits.b;
  if (t < 4)
    managed[t] *= 10;
  if (t == 0)
    total = 2.5;
}

// A kernel in a namespace and in a class's template; default arguments.
namespace inner {
template <class T> __global__ void fill(T *p, T v = T(3)) {
  p[threadIdx.x] = v;
}
} // namespace inner

// Built-in variables as wholes: copies, conversions, arguments, references.
template <class T> __device__ unsigned sumOfCopy(T v) {
  return v.x + v.y + v.z;
}
template <class T> __device__ unsigned sumOfReference(const T &v) {
  return v.x + v.y + v.z;
}
__device__ unsigned sumOfIndex(uint3 v) { return v.x + v.y + v.z; }
__device__ unsigned sumOfExtent(dim3 v) { return v.x + v.y + v.z; }
__global__ void wholes(unsigned *out) {
  dim3 grid = gridDim, block(blockDim);
  uint3 index = threadIdx, later;
  later = blockIdx;
  const auto copy = threadIdx;
  auto &reference = blockDim;
  const unsigned &x = threadIdx.x;
  const uint3 either = x % 2 ? threadIdx : index;
  out[((blockIdx.y * grid.x + later.x) * block.y + index.y) * block.x + x] =
      sumOfCopy(threadIdx) + 10 * sumOfReference(blockDim) +
      100 * sumOfIndex(blockIdx) + 1000 * sumOfExtent(gridDim) +
      10000 * (copy.x + copy.y + either.x) + 1000000 * (reference.z + grid.z);
}

static void checkWholes() {
  const dim3 grid(2, 3), block(4, 5);
  unsigned *out;
  OK(cudaMallocManaged(&out, 120 * sizeof(unsigned)));
  wholes<<<grid, block>>>(out);
  OK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 120; ++i) {
    const unsigned x = i % 4, y = i / 4 % 5, bx = i / 20 % 2, by = i / 40;
    CHECK(out[i] == (x + y) + 100 + 100 * (bx + by) + 6000 +
                        10000 * (2 * x + y) + 2000000);
  }
}

int main() {
  checkWholes();
  static int h[8 * 64];
  static Aligned in[64];
  for (int t = 0; t < 64; ++t)
    in[t].y = 2 * t;
  int *d;
  Aligned *a;
  cudaMalloc(&d, sizeof(h));
  cudaMemset(d, 0, sizeof(h));
  cudaMalloc(&a, sizeof(in));
  cudaMemcpy(a, in, sizeof(in), cudaMemcpyHostToDevice);
  int three[2] = {3, 4};
  CHECK(cudaMemcpyToSymbol(managed, three, sizeof(three), 2 * sizeof(int)) ==
        cudaSuccess);
  kernel<<<1, 64>>>(d, a, Aligned8{4});
  CHECK(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int t = 0; t < 64; ++t) {
    const int *o = h + 8 * t;
    CHECK(o[0] == 2 * (t + 3));
    CHECK(o[1] >= 7 && o[1] < 20 && arch() == 0);
    CHECK(o[2] == 6 * t + 9);
    CHECK(o[3] == 10);
    CHECK(o[4] == 5 * t + 27);
    CHECK(o[5] == 2 * t + 2);
    CHECK(o[6] == ((t & 3) == 0 ? 32 : (t & 3) == 1 ? 66 : 1));
    CHECK(o[7] == (t & 15) * 1000 + t);
  }
  CHECK(managed[0] == 10 && managed[1] == 20 && managed[2] == 30 &&
        managed[3] == 40 && total == 2.5);
  int back[4], destroyed;
  CHECK(cudaMemcpyFromSymbol(back, managed, sizeof(back)) == cudaSuccess);
  CHECK(back[3] == 40);
  cudaMemcpyFromSymbol(&destroyed, counter, sizeof(int));
  CHECK(destroyed == 5 + 3 * 64);
  size_t bytes = 0;
  void *address = nullptr;
  CHECK(cudaGetSymbolSize(&bytes, managed) == cudaSuccess && bytes == 16);
  CHECK(cudaGetSymbolAddress(&address, managed) == cudaSuccess && address);
  inner::fill<<<1, 4>>>((double *)d, 1.5);
  inner::fill<long><<<1, 1>>>((long *)d + 4, 9);
  double two[4];
  cudaMemcpy(two, d, sizeof(two), cudaMemcpyDeviceToHost);
  CHECK(two[3] == 1.5);
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
