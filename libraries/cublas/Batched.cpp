//===- Batched.cpp - cuBLAS on the CPU: many products ---------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cublas/Batched.h"
#include "libraries/cublas/Gemv.h"
#include <vector>

namespace cufort::cublas {

namespace {

template <typename T, typename InA, typename InB, typename InC>
cublasStatus_t products(cublasHandle_t h, cublasOperation_t transa,
                        cublasOperation_t transb, int m, int n, int k,
                        const T *alpha, InA a, int lda, InB b, int ldb,
                        const T *beta, InC c, int ldc, int batchCount) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const int rowsA = transa == CUBLAS_OP_N ? m : k,
            rowsB = transb == CUBLAS_OP_N ? k : n;
  if (!alpha || !beta || wrong(transa) || wrong(transb) || m < 0 || n < 0 ||
      k < 0 || batchCount < 0 || lda < std::max(1, rowsA) ||
      ldb < std::max(1, rowsB) || ldc < std::max(1, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0 || batchCount == 0)
    return CUBLAS_STATUS_SUCCESS;
  const Scalar<T> factor(h, alpha), kept(h, beta);
  const double work = double(m) * n * k;
  return submit(h, work * batchCount <= BlasSmall::Level3, [=](Team &team) {
    const T x = factor(), y = kept();
    forProblems(team, batchCount, work <= BlasSmall::Level3, [&](uint64_t i) {
      blas<T, "gemm">(letter(transa), letter(transb), m, n, k, x, a(i), lda,
                      b(i), ldb, y, c(i), ldc);
    });
  });
}

template <typename T>
cublasStatus_t gemmBatched(cublasHandle_t h, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k,
                           const T *alpha, const T *const *Aarray, int lda,
                           const T *const *Barray, int ldb, const T *beta,
                           T *const *Carray, int ldc, int batchCount) {
  return products(h, transa, transb, m, n, k, alpha,
                  AtAddresses<const T>{Aarray}, lda,
                  AtAddresses<const T>{Barray}, ldb, beta,
                  AtAddresses<T>{Carray}, ldc, batchCount);
}
template <typename T>
cublasStatus_t gemmStridedBatched(cublasHandle_t h, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const T *alpha, const T *A, int lda,
                                  long long strideA, const T *B, int ldb,
                                  long long strideB, const T *beta, T *C,
                                  int ldc, long long strideC, int batchCount) {
  return products(h, transa, transb, m, n, k, alpha,
                  AtStride<const T>{A, strideA}, lda,
                  AtStride<const T>{B, strideB}, ldb, beta,
                  AtStride<T>{C, strideC}, ldc, batchCount);
}

template <typename T, typename InA, typename InX, typename InY>
cublasStatus_t vectorProducts(cublasHandle_t h, cublasOperation_t trans, int m,
                              int n, const T *alpha, InA a, int lda, InX x,
                              int incx, const T *beta, InY y, int incy,
                              int batchCount) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (batchCount < 0)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  if (m <= 0 || n <= 0 || incx == 0 || incy == 0 || batchCount == 0)
    return CUBLAS_STATUS_SUCCESS;
  const Scalar<T> factor(h, alpha), kept(h, beta);
  const double work = double(m) * n;
  return submit(h, work * batchCount <= BlasSmall::Level2, [=](Team &team) {
    const T f = factor(), g = kept();
    forProblems(team, batchCount, work <= BlasSmall::Level2, [&](uint64_t i) {
      multiplyVector(trans, m, n, f, a(i), lda, x(i), incx, g, y(i), incy);
    });
  });
}

template <typename T>
cublasStatus_t gemvBatched(cublasHandle_t h, cublasOperation_t trans, int m,
                           int n, const T *alpha, const T *const *Aarray,
                           int lda, const T *const *xarray, int incx,
                           const T *beta, T *const *yarray, int incy,
                           int batchCount) {
  return vectorProducts(h, trans, m, n, alpha, AtAddresses<const T>{Aarray},
                        lda, AtAddresses<const T>{xarray}, incx, beta,
                        AtAddresses<T>{yarray}, incy, batchCount);
}
template <typename T>
cublasStatus_t
gemvStridedBatched(cublasHandle_t h, cublasOperation_t trans, int m, int n,
                   const T *alpha, const T *A, int lda, long long strideA,
                   const T *x, int incx, long long stridex, const T *beta, T *y,
                   int incy, long long stridey, int batchCount) {
  return vectorProducts(h, trans, m, n, alpha, AtStride<const T>{A, strideA},
                        lda, AtStride<const T>{x, stridex}, incx, beta,
                        AtStride<T>{y, stridey}, incy, batchCount);
}

template <typename T, typename Integer>
cublasStatus_t
gemmGroupedBatched(cublasHandle_t h, const cublasOperation_t *transa,
                   const cublasOperation_t *transb, const Integer *m,
                   const Integer *n, const Integer *k, const T *alpha,
                   const T *const *Aarray, const Integer *lda,
                   const T *const *Barray, const Integer *ldb, const T *beta,
                   T *const *Carray, const Integer *ldc, Integer groups,
                   const Integer *sizes) {
  if (isValid(h) && (!transa || !transb || !alpha || !beta))
    return CUBLAS_STATUS_INVALID_VALUE;
  return forGroups(
      h, groups, sizes, {m, n, k, lda, ldb, ldc},
      [&](Integer g, int64_t first, const std::array<int, 6> &s, int count) {
        return gemmBatched(h, transa[g], transb[g], s[0], s[1], s[2], alpha + g,
                           Aarray + first, s[3], Barray + first, s[4], beta + g,
                           Carray + first, s[5], count);
      });
}

template <typename T>
cublasStatus_t trsmBatched(cublasHandle_t h, cublasSideMode_t side,
                           cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int m, int n, const T *alpha,
                           const T *const *Aarray, int lda, T *const *Barray,
                           int ldb, int batchCount) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  if (!alpha || wrong(side) || wrong(uplo) || wrong(trans) || wrong(diag) ||
      m < 0 || n < 0 || batchCount < 0 || lda < std::max(1, order) ||
      ldb < std::max(1, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0 || batchCount == 0)
    return CUBLAS_STATUS_SUCCESS;
  const Scalar<T> factor(h, alpha);
  const double work = double(m) * n * order;
  return submit(h, work * batchCount <= BlasSmall::Level3, [=](Team &team) {
    const T x = factor();
    forProblems(team, batchCount, double(m) * n <= 512, [&](uint64_t i) {
      blas<T, "trsm">(letter(side), letter(uplo), letter(trans), letter(diag),
                      m, n, x, Aarray[i], lda, Barray[i], ldb);
    });
  });
}

} // namespace

} // namespace cufort::cublas

#include "cublas_Batched.inc"
