// What keeps kernels in C++ from becoming vectors and need not: reads of
// textures, whatever their elements are, and constants that only some threads
// ask for.
// RUN: %cufort --device=cpu -O3 -Minfo %s -o %t 2>&1 | FileCheck %s
#include <cuda_runtime.h>

texture<float, 1, cudaReadModeElementType> weights;
__constant__ float farField[4];

// CHECK: kernel 'reference(int, float*)'
// CHECK-NEXT: {{^}} {{.*}}vectorised over threads, width 16
// CHECK-NOT: not vectorised
__global__ void reference(int n, float *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += tex1Dfetch(weights, i + k);
  sums[i] = sum;
}

// CHECK: kernel 'filtered(unsigned long long, int, float4*)'
// CHECK-NEXT: {{^}} {{.*}}vectorised over threads, width 16
// CHECK-NOT: not vectorised
__global__ void filtered(cudaTextureObject_t image, int n, float4 *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 sum = {0, 0, 0, 0};
  for (int k = 0; k < n; ++k) {
    float4 at = tex2D<float4>(image, i + 0.25f, k + 0.75f);
    sum.x += at.x, sum.y += at.y, sum.z += at.z, sum.w += at.w;
  }
  sums[i] = sum;
}

// CHECK: kernel 'sides(int, int const*, float const*, float*)'
// CHECK-NEXT: {{^}} {{.*}}vectorised over threads
// CHECK-NOT: not vectorised
__global__ void sides(int n, const int *neighbours, const float *values,
                      float *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int side = 0; side < 4; ++side) {
    int next = neighbours[i + side * n];
    if (next >= 0)
      sum += sqrtf(values[next] + values[i]);
    else if (next == -1)
      sum += values[i];
    else if (next == -2)
      sum += farField[0] * values[i] + farField[1] * farField[2];
  }
  sums[i] = sum;
}

int main() {
  reference<<<1, 64>>>(0, nullptr);
  filtered<<<1, 64>>>(0, 0, nullptr);
  sides<<<1, 64>>>(0, nullptr, nullptr, nullptr);
}
