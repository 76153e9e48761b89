// A second library in the process.
#include <cuda_fp16.h>

template <typename T> __global__ void increment(T *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = a[i] + T(1);
}

__global__ void invert(bool *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = !a[i];
}

__global__ void increment_complex(float2 *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i].y += 1;
}

struct Particle {
  int id;
  double mass;
};

__global__ void weigh(Particle *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i].mass = 2 * a[i].id;
}

__global__ void stop() { __trap(); }

#define INCREMENT(name, type)                                                  \
  extern "C" int increment_##name(type *a, int n) {                            \
    increment<<<(n + 31) / 32, 32>>>(a, n);                                    \
    return cudaGetLastError();                                                 \
  }
INCREMENT(float16, __half)
INCREMENT(float32, float)
INCREMENT(float64, double)
INCREMENT(int8, signed char)
INCREMENT(int16, short)
INCREMENT(int32, int)
INCREMENT(int64, long long)
INCREMENT(uint8, unsigned char)
INCREMENT(uint16, unsigned short)
INCREMENT(uint32, unsigned)
INCREMENT(uint64, unsigned long long)

extern "C" {
int increment_bool(bool *a, int n) {
  invert<<<(n + 31) / 32, 32>>>(a, n);
  return cudaGetLastError();
}
int increment_complex64(float2 *a, int n) {
  increment_complex<<<(n + 31) / 32, 32>>>(a, n);
  return cudaGetLastError();
}
int weigh_particles(Particle *a, int n) {
  weigh<<<(n + 31) / 32, 32>>>(a, n);
  return cudaGetLastError();
}
int stop_device() {
  stop<<<1, 1>>>();
  return cudaGetLastError();
}
}
