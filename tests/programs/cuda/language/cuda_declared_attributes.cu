// Functions whose declarations alone say where they run, and shared variables
// of classes with constructors, which do not run: nvcc takes both. FLAGS: -w
#include <cstdio>

__host__ __device__ int both(int);
__device__ int onDevice(int x, const int *table = nullptr);
namespace inner {
__device__ float scaled(float);
__host__ __device__ inline int twice(int x);
} // namespace inner
struct Counter {
  __device__ Counter(int from);
  __device__ ~Counter();
  __host__ __device__ int next(int) const;
  __device__ int next();
  static __device__ int first();
  int value;
};
template <class T> struct Box {
  __device__ T opened(T with);
  T value;
};
template <class T> __device__ T shifted(T);
// Host code has one of its own.
int both(int, float);

int both(int x) { return x + 1; }
int onDevice(int x, const int *table) { return x * 2 + (int)threadIdx.x; }
float inner::scaled(float x) { return sinf(x) * 0 + x + blockDim.x; }
namespace inner {
int twice(int x) { return 2 * x; }
} // namespace inner
Counter::Counter(int from) : value(from + (int)threadIdx.x) {}
Counter::~Counter() {}
int Counter::next(int by) const { return value + by; }
int Counter::next() { return ++value; }
int Counter::first() { return 40; }
template <class T> T Box<T>::opened(T with) {
  return value + with + threadIdx.x;
}
template <class T> T shifted(T x) { return x + threadIdx.x; }
int both(int x, float y) { return x + (int)y + 100; }

/// These would do something if they ran.
struct Point {
  int x = 3;
  float y = 4;
};
struct Tagged {
  __device__ Tagged() { tag = 7; }
  int tag;
};
struct Pair {
  Point a[2];
  Tagged b;
};
template <class T> struct Filled {
  T value{};
};

template <class T, int n> __global__ void inShared(T *to) {
  __shared__ T tile[n];
  __shared__ T one;
  tile[threadIdx.x] = T();
  tile[threadIdx.x].x = threadIdx.x;
  if (threadIdx.x == 0)
    one.x = 1000;
  __syncthreads();
  to[threadIdx.x] = tile[n - 1 - threadIdx.x];
  to[threadIdx.x].x += one.x;
}
__global__ void called(int *to) {
  __shared__ Pair pair;
  __shared__ Tagged tags[32];
  __shared__ Filled<int> filled;
  filled.value = 1;
  Counter counter(1);
  Box<int> box{5};
  tags[threadIdx.x].tag = threadIdx.x;
  if (threadIdx.x == 0)
    pair.a[1].x = 10, pair.b.tag = 20;
  __syncthreads();
  to[threadIdx.x] = both(1) + onDevice(2) + (int)inner::scaled(3) +
                    inner::twice(4) + counter.next(5) + counter.next() +
                    Counter::first() + box.opened(6) + shifted(7) +
                    pair.a[1].x + pair.b.tag + tags[31 - threadIdx.x].tag +
                    filled.value;
}

int main() {
  int *to, wrong = 0;
  Point *points;
  cudaMallocManaged(&to, 32 * sizeof(int));
  cudaMallocManaged(&points, 32 * sizeof(Point));
  called<<<1, 32>>>(to);
  inShared<Point, 32><<<1, 32>>>(points);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int t = 0; t < 32; ++t) {
    const int expected = 2 + (4 + t) + 35 + 8 + (1 + t + 5) + (1 + t + 1) + 40 +
                         (11 + t) + (7 + t) + 10 + 20 + (31 - t) + 1;
    if (to[t] != expected && !wrong++)
      printf("%d: %d, not %d\n", t, to[t], expected);
    wrong += points[t].x != 1031 - t || points[t].y != 4;
  }
  wrong += both(1) != 2 || both(1, 1.0f) != 102 || inner::twice(2) != 4;
  printf(wrong ? "FAILED\n" : "PASSED\n");
  return wrong != 0;
}
