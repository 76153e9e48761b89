//===- Level2Updates.cpp - cuBLAS on the CPU: triangles and updates -------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cublas/Context.h"

namespace cufort::cublas {

namespace {

bool small(double rows, double columns) {
  return rows * columns <= BlasSmall::Level2;
}

/// The elements of a packed triangle.
int64_t packed(int64_t n) { return n * (n + 1) / 2; }

template <detail::Name Routine, typename T>
cublasStatus_t triangular(cublasHandle_t h, cublasFillMode_t uplo,
                          cublasOperation_t trans, cublasDiagType_t diag, int n,
                          const T *A, int lda, T *x, int incx) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T, Routine>({{wrong(uplo), 1},
                          {wrong(trans), 2},
                          {wrong(diag), 3},
                          {n < 0, 4},
                          {lda < std::max(1, n), 6},
                          {incx == 0, 8}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return submitBlas(
      h, small(n, n),
      [=] {
        touchMatrix(A, n, n, lda);
        touchVector(x, n, incx);
      },
      [=] {
        blas<T, Routine>(letter(uplo), letter(trans), letter(diag), n, A, lda,
                         x, incx);
      });
}

template <detail::Name Routine, typename T>
cublasStatus_t triangularBand(cublasHandle_t h, cublasFillMode_t uplo,
                              cublasOperation_t trans, cublasDiagType_t diag,
                              int n, int k, const T *A, int lda, T *x,
                              int incx) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T, Routine>({{wrong(uplo), 1},
                          {wrong(trans), 2},
                          {wrong(diag), 3},
                          {n < 0, 4},
                          {k < 0, 5},
                          {lda < k + 1, 7},
                          {incx == 0, 9}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return submitBlas(
      h, small(k + 1, n),
      [=] {
        touchMatrix(A, k + 1, n, lda);
        touchVector(x, n, incx);
      },
      [=] {
        blas<T, Routine>(letter(uplo), letter(trans), letter(diag), n, k, A,
                         lda, x, incx);
      });
}

template <detail::Name Routine, typename T>
cublasStatus_t triangularPacked(cublasHandle_t h, cublasFillMode_t uplo,
                                cublasOperation_t trans, cublasDiagType_t diag,
                                int n, const T *AP, T *x, int incx) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T, Routine>({{wrong(uplo), 1},
                          {wrong(trans), 2},
                          {wrong(diag), 3},
                          {n < 0, 4},
                          {incx == 0, 7}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return submitBlas(
      h, small(n, n),
      [=] {
        touch(AP, packed(n) * sizeof(T));
        touchVector(x, n, incx);
      },
      [=] {
        blas<T, Routine>(letter(uplo), letter(trans), letter(diag), n, AP, x,
                         incx);
      });
}

/// A += alpha*(product of vectors): \p matrix touches A, \p call(alpha) is
/// BLAS's.
template <typename S, typename Touch, typename Call>
cublasStatus_t update(cublasHandle_t h, bool isSmall, const S *alpha,
                      Touch touchAll, Call call) {
  if (!alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Scalar<S> a(h, alpha);
  return submitBlas(
      h, isSmall,
      [=] {
        if (a() != S(0))
          touchAll();
      },
      [=] { call(a()); });
}

template <detail::Name Routine, typename T>
cublasStatus_t outer(cublasHandle_t h, int m, int n, const T *alpha, const T *x,
                     int incx, const T *y, int incy, T *A, int lda) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T, Routine>({{m < 0, 1},
                          {n < 0, 2},
                          {incx == 0, 5},
                          {incy == 0, 7},
                          {lda < std::max(1, m), 9}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return update(
      h, small(m, n), alpha,
      [=] {
        touchVector(x, m, incx);
        touchVector(y, n, incy);
        touchMatrix(A, m, n, lda);
      },
      [=](T a) { blas<T, Routine>(m, n, a, x, incx, y, incy, A, lda); });
}

template <detail::Name Routine, typename T, typename S>
cublasStatus_t rankOne(cublasHandle_t h, cublasFillMode_t uplo, int n,
                       const S *alpha, const T *x, int incx, T *A, int lda) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T, Routine>({{wrong(uplo), 1},
                          {n < 0, 2},
                          {incx == 0, 5},
                          {lda < std::max(1, n), 7}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return update(
      h, small(n, n), alpha,
      [=] {
        touchVector(x, n, incx);
        touchMatrix(A, n, n, lda);
      },
      [=](S a) { blas<T, Routine>(letter(uplo), n, a, x, incx, A, lda); });
}

template <detail::Name Routine, typename T, typename S>
cublasStatus_t rankOnePacked(cublasHandle_t h, cublasFillMode_t uplo, int n,
                             const S *alpha, const T *x, int incx, T *AP) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T, Routine>({{wrong(uplo), 1}, {n < 0, 2}, {incx == 0, 5}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return update(
      h, small(n, n), alpha,
      [=] {
        touchVector(x, n, incx);
        touch(AP, packed(n) * sizeof(T));
      },
      [=](S a) { blas<T, Routine>(letter(uplo), n, a, x, incx, AP); });
}

template <detail::Name Routine, typename T>
cublasStatus_t rankTwo(cublasHandle_t h, cublasFillMode_t uplo, int n,
                       const T *alpha, const T *x, int incx, const T *y,
                       int incy, T *A, int lda) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T, Routine>({{wrong(uplo), 1},
                          {n < 0, 2},
                          {incx == 0, 5},
                          {incy == 0, 7},
                          {lda < std::max(1, n), 9}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return update(
      h, small(n, n), alpha,
      [=] {
        touchVector(x, n, incx);
        touchVector(y, n, incy);
        touchMatrix(A, n, n, lda);
      },
      [=](T a) {
        blas<T, Routine>(letter(uplo), n, a, x, incx, y, incy, A, lda);
      });
}

template <typename T>
cublasStatus_t syr2(cublasHandle_t h, cublasFillMode_t uplo, int n,
                    const T *alpha, const T *x, int incx, const T *y, int incy,
                    T *A, int lda) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T>("SYR2", {{wrong(uplo), 1},
                         {n < 0, 2},
                         {incx == 0, 5},
                         {incy == 0, 7},
                         {lda < std::max(1, n), 9}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  // OpenBLAS's of complex numbers, which BLAS has not, is wrong for negative
  // increments.
  if constexpr (IsComplex<T>) {
    if (!alpha)
      return CUBLAS_STATUS_INVALID_VALUE;
    const Scalar<T> a(h, alpha);
    return submit(h, small(n, n), [=](Team &team) {
      const T factor = a();
      const auto at = [=](const T *v, int64_t inc, int64_t i) {
        return inc > 0 ? v[i * inc] : v[(n - 1 - i) * -inc];
      };
      team.forEach(uint64_t(n), [&](uint64_t column) {
        const auto j = static_cast<int>(column);
        const T xj = times(factor, at(x, incx, j)),
                yj = times(factor, at(y, incy, j));
        const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
        for (int i = upper ? 0 : j; i < (upper ? j + 1 : n); ++i)
          A[int64_t(j) * lda + i] +=
              times(at(x, incx, i), yj) + times(at(y, incy, i), xj);
      });
    });
  } else {
    return rankTwo<"syr2">(h, uplo, n, alpha, x, incx, y, incy, A, lda);
  }
}

template <detail::Name Routine, typename T>
cublasStatus_t rankTwoPacked(cublasHandle_t h, cublasFillMode_t uplo, int n,
                             const T *alpha, const T *x, int incx, const T *y,
                             int incy, T *AP) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T, Routine>(
          {{wrong(uplo), 1}, {n < 0, 2}, {incx == 0, 5}, {incy == 0, 7}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return update(
      h, small(n, n), alpha,
      [=] {
        touchVector(x, n, incx);
        touchVector(y, n, incy);
        touch(AP, packed(n) * sizeof(T));
      },
      [=](T a) { blas<T, Routine>(letter(uplo), n, a, x, incx, y, incy, AP); });
}

} // namespace

} // namespace cufort::cublas

#include "cublas_Level2Updates.inc"
