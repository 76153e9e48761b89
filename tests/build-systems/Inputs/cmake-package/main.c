#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
int main(void) {
  cublasHandle_t blas;
  int status = cublasCreate(&blas);
  void *memory;
  status += cudaMalloc(&memory, 100);
  printf("hello %d\n", status);
}
