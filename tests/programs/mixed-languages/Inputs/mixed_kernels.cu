#include <cstdio>
#include <cuda_runtime.h>
extern "C" {
__device__ double shared_scale = 2.0; // named from Fortran too
__constant__ int cdata[4];            // guide 4.4.27
__global__ void ckernel(double *a, int n, double s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = a[i] * s * shared_scale + cdata[i & 3];
}
__device__ double c_device(double x) { return 3 * x; }
__global__ void fkernel(double *a, int n);
void launch_fortran_kernel(double *a, int n, cudaStream_t s) {
  fkernel<<<(n + 63) / 64, 64, 0, s>>>(a, n);
}
}
