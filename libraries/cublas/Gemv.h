//===- Gemv.h - a matrix times a vector -------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NVIDIA's gemv looks neither at the operation nor at the leading dimension,
// which BLAS refuses; its batches look at no size either.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUBLAS_GEMV_H
#define CUFORT_LIBRARIES_CUBLAS_GEMV_H

#include "libraries/cublas/Context.h"
#include <vector>

namespace cufort::cublas {

/// Whether op(A) has A's rows.
inline bool keepsRows(cublasOperation_t trans) {
  return trans == CUBLAS_OP_N || trans == CUBLAS_OP_CONJG;
}

/// y = alpha*op(A)*x + beta*y, now.
template <typename T>
void multiplyVector(cublasOperation_t trans, int m, int n, T alpha, const T *A,
                    int lda, const T *x, int incx, T beta, T *y, int incy) {
  if (!wrong(trans) && lda >= m) {
    blas<T, "gemv">(letter(trans), m, n, alpha, A, lda, x, incx, beta, y, incy);
    return;
  }
  const int rows = keepsRows(trans) ? m : n, columns = keepsRows(trans) ? n : m;
  const auto place = [](int64_t i, int count, int inc) {
    return inc >= 0 ? i * inc : (count - 1 - i) * -int64_t(inc);
  };
  std::vector<T> sums(static_cast<size_t>(rows));
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < m; ++i) {
      T element = A[j * lda + i];
      if constexpr (IsComplex<T>)
        if (trans == CUBLAS_OP_C || trans == CUBLAS_OP_CONJG)
          element = std::conj(element);
      const int64_t row = keepsRows(trans) ? i : j,
                    column = keepsRows(trans) ? j : i;
      sums[static_cast<size_t>(row)] +=
          times(element, x[place(column, columns, incx)]);
    }
  for (int64_t i = 0; i < rows; ++i) {
    T &to = y[place(i, rows, incy)];
    to = times(alpha, sums[static_cast<size_t>(i)]) +
         (beta == T(0) ? T(0) : times(beta, to));
  }
}

} // namespace cufort::cublas

#endif // CUFORT_LIBRARIES_CUBLAS_GEMV_H
