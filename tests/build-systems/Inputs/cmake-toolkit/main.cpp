#include <cstdio>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <nvtx3/nvToolsExt.h>
int main() {
  nvtxRangePushA("all");
  cublasHandle_t blas;
  cufftHandle fft;
  curandGenerator_t random;
  cusolverDnHandle_t solver;
  cusparseHandle_t sparse;
  int created = cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS;
  created += cufftPlan1d(&fft, 8, CUFFT_C2C, 1) == CUFFT_SUCCESS;
  created += curandCreateGenerator(&random, CURAND_RNG_PSEUDO_DEFAULT) ==
             CURAND_STATUS_SUCCESS;
  created += cusolverDnCreate(&solver) == CUSOLVER_STATUS_SUCCESS;
  created += cusparseCreate(&sparse) == CUSPARSE_STATUS_SUCCESS;
  float x[3] = {1, -2, 3}, *device, sum = 0;
  cudaMalloc(&device, sizeof x);
  cudaMemcpy(device, x, sizeof x, cudaMemcpyHostToDevice);
  cublasSasum(blas, 3, device, 1, &sum);
  nvtxRangePop();
  std::printf("hello %d %g\n", created > 3, sum);
}
