// A kernel whose values outlive a barrier, launched with blocks of a shape that
// is not known, is slower on the CPU: -Minfo says so, and not of others.
// RUN: %cufort --device=cpu -O3 -Minfo %s -o %t 2>&1 | FileCheck %s
#include <cuda_runtime.h>

template <int Number> __global__ void shift(const float *in, float *out) {
  __shared__ float tile[256];
  const float own = in[threadIdx.x];
  tile[threadIdx.x] = own;
  __syncthreads();
  out[threadIdx.x] = own + tile[255 - threadIdx.x];
}

__global__ void copy(const float *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x];
}

// CHECK: kernel 'copy(float const*, float*)'
// CHECK-NOT: shape
// CHECK: kernel 'void shift<1>(float const*, float*)'
// CHECK-NEXT: {{^}}     block shape not known at a launch: values that outlive a barrier stay in memory on the CPU
// CHECK: kernel 'void shift<2>(float const*, float*)'
// CHECK-NOT: shape
int main(int argc, char **) {
  copy<<<1, argc>>>(nullptr, nullptr);
  shift<1><<<1, 128 * argc>>>(nullptr, nullptr);
  shift<2><<<1, 128>>>(nullptr, nullptr);
}
