// Member functions whose class says nothing of where they run: the definitions
// do, as programs for other compilers have it.
#include <cstdio>
#define ON_DEVICE inline __device__

class Lock {
public:
  Lock(int *place);
  ~Lock();
  void acquire();
  void release();

private:
  int *place;
};
ON_DEVICE Lock::Lock(int *place) : place(place) {}
__device__ Lock::~Lock() { release(); }
ON_DEVICE void Lock::acquire() {
  while (atomicCAS(place, 0, 1))
    ;
  __threadfence();
}
ON_DEVICE void Lock::release() {
  __threadfence();
  atomicExch(place, 0);
}

namespace plane {
struct Vector {
  float x, y;
  Vector operator+(const Vector &other) const;
  Vector &operator+=(const Vector &other);
  float operator()(int i) const;
  operator float() const;
  float *data();
  static float twice(float value);
  template <class T> T scaled(T by) const;
  // The host's alone.
  static Vector make(float x, float y);
  int f(int);
  int f(float);
};
} // namespace plane
using plane::Vector;
__host__ __device__ Vector plane::Vector::operator+(const Vector &other) const {
  return {x + other.x, y + other.y};
}
__device__ Vector &Vector::operator+=(const Vector &other) {
  x += other.x;
  y += other.y;
  return *this;
}
__device__ float Vector::operator()(int i) const { return i ? y : x; }
__device__ Vector::operator float() const { return x + y; }
__device__ float *Vector::data() { return &x; }
__device__ __host__ float Vector::twice(float value) { return 2 * value; }
template <class T> __device__ T Vector::scaled(T by) const { return by * x; }
Vector Vector::make(float x, float y) { return {x, y}; }
int Vector::f(int) { return 1; }
__host__ int Vector::f(float) { return 2; }

template <class T, int N> struct Box {
  T value;
  Box(T value);
  T get() const;
};
template <class T, int N>
__device__ Box<T, N>::Box(T value) : value(value + N) {}
template <class T, int N> __device__ T Box<T, N>::get() const { return value; }

__global__ void add(int *lock, float *sum, Vector v) {
  Lock own(lock);
  own.acquire();
  v += v + v;
  Box<float, 3> box(1.0f);
  sum[0] += v(0) + Vector::twice(v(1));
  sum[1] += (float)v + box.get() + v.scaled(2.0f) + v.data()[1];
}

int main() {
  int *lock;
  float *sum;
  cudaMallocManaged(&lock, sizeof *lock);
  cudaMallocManaged(&sum, 2 * sizeof *sum);
  *lock = 0;
  sum[0] = sum[1] = 0;
  Vector v = Vector::make(1, 2) + Vector{0, 1};
  add<<<8, 1>>>(lock, sum, v);
  cudaDeviceSynchronize();
  // v is (3, 9) in the kernel.
  bool right = sum[0] == 8 * 21 && sum[1] == 8 * (12 + 4 + 6 + 9) &&
               *lock == 0 && Vector::twice(4) == 8 && v.f(1) + v.f(1.0f) == 3;
  printf("%g %g %s\n", sum[0], sum[1], cudaGetErrorString(cudaGetLastError()));
  puts(right ? "PASSED" : "FAILED");
}
