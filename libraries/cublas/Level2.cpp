//===- Level2.cpp - cuBLAS on the CPU: matrices and vectors ---------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cublas/Gemv.h"

namespace cufort::cublas {

namespace {

bool small(double rows, double columns) {
  return rows * columns <= BlasSmall::Level2;
}

/// The elements of a packed triangle.
int64_t packed(int64_t n) { return n * (n + 1) / 2; }

/// y = alpha*op(A)*x + beta*y for a kind of matrix: \p matrix touches A,
/// \p call(alpha, beta) is BLAS's.
template <typename T, typename Matrix, typename Call>
cublasStatus_t productWithVector(cublasHandle_t h, bool isSmall, const T *alpha,
                                 const T *x, int nx, int incx, const T *beta,
                                 T *y, int ny, int incy, Matrix matrix,
                                 Call call) {
  if (!alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Scalar<T> a(h, alpha), b(h, beta);
  return submitBlas(
      h, isSmall,
      [=] {
        if (a() != T(0)) {
          matrix();
          touchVector(x, nx, incx);
        }
        touchVector(y, ny, incy);
      },
      [=] { call(a(), b()); });
}

template <typename T>
cublasStatus_t gemv(cublasHandle_t h, cublasOperation_t trans, int m, int n,
                    const T *alpha, const T *A, int lda, const T *x, int incx,
                    const T *beta, T *y, int incy) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  // NVIDIA's library takes sizes below zero and increments of zero here.
  if (m <= 0 || n <= 0 || incx == 0 || incy == 0)
    return CUBLAS_STATUS_SUCCESS;
  const bool plain = keepsRows(trans);
  return productWithVector(
      h, small(m, n), alpha, x, plain ? n : m, incx, beta, y, plain ? m : n,
      incy, [=] { touchMatrix(A, m, n, std::max(0, lda)); },
      [=](T a, T b) {
        multiplyVector(trans, m, n, a, A, lda, x, incx, b, y, incy);
      });
}

template <typename T>
cublasStatus_t gbmv(cublasHandle_t h, cublasOperation_t trans, int m, int n,
                    int kl, int ku, const T *alpha, const T *A, int lda,
                    const T *x, int incx, const T *beta, T *y, int incy) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T>("GBMV", {{wrong(trans), 1},
                         {m < 0, 2},
                         {n < 0, 3},
                         {kl < 0, 4},
                         {ku < 0, 5},
                         {lda < kl + ku + 1, 8},
                         {incx == 0, 10},
                         {incy == 0, 13}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  const bool plain = trans == CUBLAS_OP_N;
  return productWithVector(
      h, small(kl + ku + 1, n), alpha, x, plain ? n : m, incx, beta, y,
      plain ? m : n, incy, [=] { touchMatrix(A, kl + ku + 1, n, lda); },
      [=](T a, T b) {
        blas<T, "gbmv">(letter(trans), m, n, kl, ku, a, A, lda, x, incx, b, y,
                        incy);
      });
}

template <detail::Name Routine, typename T>
cublasStatus_t symmetric(cublasHandle_t h, cublasFillMode_t uplo, int n,
                         const T *alpha, const T *A, int lda, const T *x,
                         int incx, const T *beta, T *y, int incy) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T, Routine>({{wrong(uplo), 1},
                          {n < 0, 2},
                          {lda < std::max(1, n), 5},
                          {incx == 0, 7},
                          {incy == 0, 10}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return productWithVector(
      h, small(n, n), alpha, x, n, incx, beta, y, n, incy,
      [=] { touchMatrix(A, n, n, lda); },
      [=](T a, T b) {
        blas<T, Routine>(letter(uplo), n, a, A, lda, x, incx, b, y, incy);
      });
}

template <detail::Name Routine, typename T>
cublasStatus_t symmetricBand(cublasHandle_t h, cublasFillMode_t uplo, int n,
                             int k, const T *alpha, const T *A, int lda,
                             const T *x, int incx, const T *beta, T *y,
                             int incy) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T, Routine>({{wrong(uplo), 1},
                          {n < 0, 2},
                          {k < 0, 3},
                          {lda < k + 1, 6},
                          {incx == 0, 8},
                          {incy == 0, 11}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return productWithVector(
      h, small(k + 1, n), alpha, x, n, incx, beta, y, n, incy,
      [=] { touchMatrix(A, k + 1, n, lda); },
      [=](T a, T b) {
        blas<T, Routine>(letter(uplo), n, k, a, A, lda, x, incx, b, y, incy);
      });
}

template <detail::Name Routine, typename T>
cublasStatus_t symmetricPacked(cublasHandle_t h, cublasFillMode_t uplo, int n,
                               const T *alpha, const T *AP, const T *x,
                               int incx, const T *beta, T *y, int incy) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T, Routine>(
          {{wrong(uplo), 1}, {n < 0, 2}, {incx == 0, 6}, {incy == 0, 9}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return productWithVector(
      h, small(n, n), alpha, x, n, incx, beta, y, n, incy,
      [=] { touch(AP, packed(n) * sizeof(T)); },
      [=](T a, T b) {
        blas<T, Routine>(letter(uplo), n, a, AP, x, incx, b, y, incy);
      });
}

} // namespace

} // namespace cufort::cublas

#include "cublas_Level2.inc"
