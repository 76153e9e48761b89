// The macros by which programs ask which headers are there, as the samples' own
// helper_cuda.h does to know the types of statuses.
#include <cublas_v2.h>
#include <cufftXt.h>
#include <curand.h>
#include <cusolverSp.h>
#include <cusparse.h>
#include <nccl.h>
#include <cstdio>
#ifdef CUBLAS_API_H_
static int isKnown(cublasStatus_t) { return 1; }
#endif
#ifdef _CUFFT_H_
static int isKnown(cufftResult) { return 1; }
#endif
#ifdef CURAND_H_
static int isKnown(curandStatus_t) { return 1; }
#endif
#ifdef CUSOLVER_COMMON_H_
static int isKnown(cusolverStatus_t) { return 1; }
#endif
#ifdef CUSPARSEAPI
static int isKnown(cusparseStatus_t) { return 1; }
#endif
#if !defined(CUSPARSE_H_) || !defined(CUSOLVERDN_H_) || !defined(CUSOLVERSP_H_) || \
    !defined(_CUFFTXT_H_) || !defined(NCCL_H_)
#error a header does not say that it is there
#endif
int main() {
  int known = isKnown(CUBLAS_STATUS_SUCCESS) + isKnown(CUFFT_SUCCESS) +
              isKnown(CURAND_STATUS_SUCCESS) + isKnown(CUSOLVER_STATUS_SUCCESS) +
              isKnown(CUSPARSE_STATUS_SUCCESS);
  std::puts(known == 5 ? "PASSED" : "wrong");
}
