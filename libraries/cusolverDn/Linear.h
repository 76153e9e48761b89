//===- Linear.h - linear systems --------------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The families of Cholesky's, LU and symmetric indefinite factorisations, each
// a template of its matrix's type.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSOLVERDN_LINEAR_H
#define CUFORT_LIBRARIES_CUSOLVERDN_LINEAR_H

#include "libraries/cusolverDn/Handle.h"

namespace cufort::cusolverDn {

using Context = cusolverDnHandle_t;

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

template <typename T>
cusolverStatus_t potrf_bufferSize(Context h, cublasFillMode_t, int n, T *, int,
                                  int *lwork) {
  return sizeOf(h, lwork, n);
}

template <typename T>
cusolverStatus_t potrf(Context h, cublasFillMode_t uplo, int n, T *a, int lda,
                       T *, int, int *info) {
  if (auto wrong = check(h, n >= 0 && isFill(uplo) && isLeading(lda, n)))
    return wrong;
  return submit(h, n, [=] {
    touchMatrix(a, n, n, lda);
    blas<T, "potrf">(letter(uplo), n, a, lda, info);
  });
}

template <typename T>
cusolverStatus_t potrs(Context h, cublasFillMode_t uplo, int n, int nrhs,
                       const T *a, int lda, T *b, int ldb, int *info) {
  if (auto wrong = check(h, n >= 0 && nrhs >= 0 && isFill(uplo) &&
                                isLeading(lda, n) && isLeading(ldb, n)))
    return wrong;
  return submit(h, n, [=] {
    touchMatrix(a, n, n, lda);
    touchMatrix(b, n, nrhs, ldb);
    blas<T, "potrs">(letter(uplo), n, nrhs, a, lda, b, ldb, info);
  });
}

template <typename T>
cusolverStatus_t potrfBatched(Context h, cublasFillMode_t uplo, int n,
                              T *const a[], int lda, int *info, int count) {
  if (auto wrong =
          check(h, n >= 0 && count > 0 && isFill(uplo) && isLeading(lda, n)))
    return wrong;
  return submitBatch(h, count, [=](uint64_t i) {
    blas<T, "potrf">(letter(uplo), n, a[i], lda, info + i);
  });
}

template <typename T>
cusolverStatus_t potrsBatched(Context h, cublasFillMode_t uplo, int n, int nrhs,
                              T *const a[], int lda, T *const b[], int ldb,
                              int *info, int count) {
  // As NVIDIA's, which takes one right-hand side.
  if (auto wrong = check(h, n >= 0 && nrhs == 1 && count > 0 && isFill(uplo) &&
                                isLeading(lda, n) && isLeading(ldb, n)))
    return wrong;
  return submitBatch(h, count, [=](uint64_t i) {
    int own = 0;
    blas<T, "potrs">(letter(uplo), n, nrhs, static_cast<const T *>(a[i]), lda,
                     b[i], ldb, &own);
    if (i == 0)
      *info = own;
  });
}

template <typename T>
cusolverStatus_t potri_bufferSize(Context h, cublasFillMode_t, int n, T *, int,
                                  int *lwork) {
  return sizeOf(h, lwork, n);
}

template <typename T>
cusolverStatus_t potri(Context h, cublasFillMode_t uplo, int n, T *a, int lda,
                       T *, int, int *info) {
  if (auto wrong = check(h, n >= 0 && isFill(uplo) && isLeading(lda, n)))
    return wrong;
  return submit(h, n, [=] {
    touchMatrix(a, n, n, lda);
    blas<T, "potri">(letter(uplo), n, a, lda, info);
  });
}

template <typename T>
cusolverStatus_t lauum_bufferSize(Context h, cublasFillMode_t, int n, T *, int,
                                  int *lwork) {
  return sizeOf(h, lwork, n);
}

template <typename T>
cusolverStatus_t lauum(Context h, cublasFillMode_t uplo, int n, T *a, int lda,
                       T *, int, int *info) {
  if (auto wrong = check(h, n >= 0 && isFill(uplo) && isLeading(lda, n)))
    return wrong;
  return submit(h, n, [=] {
    touchMatrix(a, n, n, lda);
    blas<T, "lauum">(letter(uplo), n, a, lda, info);
  });
}

//===----------------------------------------------------------------------===//
// LU
//===----------------------------------------------------------------------===//

/// The factors of a matrix without exchanges of rows: columns in blocks, whose
/// part below and to the right is two products. Returns LAPACK's info.
template <typename T> int factorWithoutPivots(int m, int n, T *a, int lda) {
  constexpr int Block = 64;
  int info = 0;
  const T one(1), minusOne(-1);
  for (int first = 0; first < std::min(m, n); first += Block) {
    const int end = std::min({first + Block, m, n});
    for (int j = first; j < end; ++j) {
      T *column = a + size_t(j) * lda;
      const T pivot = column[j];
      if (pivot == T(0) && !info)
        info = j + 1;
      for (int i = j + 1; i < m; ++i)
        column[i] /= pivot;
      for (int k = j + 1; k < end; ++k) {
        T *other = a + size_t(k) * lda;
        const T factor = other[j];
        for (int i = j + 1; i < m; ++i)
          other[i] -= column[i] * factor;
      }
    }
    const int width = end - first, right = n - end, below = m - end;
    T *corner = a + size_t(first) * lda + first;
    T *beside = a + size_t(end) * lda + first;
    if (right > 0)
      blas<T, "trsm">('L', 'L', 'N', 'U', width, right, one, corner, lda,
                      beside, lda);
    if (right > 0 && below > 0)
      blas<T, "gemm">('N', 'N', below, right, width, minusOne, corner + width,
                      lda, beside, lda, one, beside + width, lda);
  }
  return info;
}

template <typename T>
cusolverStatus_t getrf_bufferSize(Context h, int, int n, T *, int, int *lwork) {
  return sizeOf(h, lwork, n);
}

template <typename T>
cusolverStatus_t getrf(Context h, int m, int n, T *a, int lda, T *, int *pivots,
                       int *info) {
  if (auto wrong = check(h, m >= 0 && n >= 0))
    return wrong;
  return submit(h, std::max(m, n), [=] {
    // As with NVIDIA's library, info alone tells of this.
    if (!isLeading(lda, m)) {
      *info = -4;
      return;
    }
    touchMatrix(a, m, n, lda);
    if (pivots)
      blas<T, "getrf">(m, n, a, lda, pivots, info);
    else
      *info = factorWithoutPivots(m, n, a, lda);
  });
}

template <typename T>
cusolverStatus_t laswp(Context h, int n, T *a, int lda, int k1, int k2,
                       const int *pivots, int incx) {
  if (auto wrong = check(h, n >= 0 && lda >= 1 && k1 >= 1))
    return wrong;
  return submit(h, n, [=] {
    touchMatrix(a, k2, n, lda);
    blas<T, "laswp">(n, a, lda, k1, k2, pivots, incx);
  });
}

template <typename T>
cusolverStatus_t getrs(Context h, cublasOperation_t trans, int n, int nrhs,
                       const T *a, int lda, const int *pivots, T *b, int ldb,
                       int *info) {
  if (auto wrong = check(h, n >= 0 && nrhs >= 0 && isLeading(lda, n) &&
                                isLeading(ldb, n)))
    return wrong;
  return submit(h, n, [=] {
    touchMatrix(a, n, n, lda);
    touchMatrix(b, n, nrhs, ldb);
    if (pivots) {
      blas<T, "getrs">(letter(trans), n, nrhs, a, lda, pivots, b, ldb, info);
      return;
    }
    const T one(1);
    const bool plain = trans == CUBLAS_OP_N;
    blas<T, "trsm">('L', plain ? 'L' : 'U', letter(trans), plain ? 'U' : 'N', n,
                    nrhs, one, a, lda, b, ldb);
    blas<T, "trsm">('L', plain ? 'U' : 'L', letter(trans), plain ? 'N' : 'U', n,
                    nrhs, one, a, lda, b, ldb);
    *info = 0;
  });
}

//===----------------------------------------------------------------------===//
// Symmetric indefinite
//===----------------------------------------------------------------------===//

template <typename T>
cusolverStatus_t sytrf_bufferSize(Context h, int n, T *, int, int *lwork) {
  return sizeOf(h, lwork, n);
}

template <typename T>
cusolverStatus_t sytrf(Context h, cublasFillMode_t uplo, int n, T *a, int lda,
                       int *pivots, T *, int lwork, int *info) {
  // Without pivots there is no routine of LAPACK's.
  if (auto wrong = check(h, n >= 0 && isFill(uplo) && isLeading(lda, n) &&
                                pivots && lwork > 0))
    return wrong;
  return submit(h, n, [=] {
    touchMatrix(a, n, n, lda);
    withWorkspace<T>([&](T *work, int length) {
      blas<T, "sytrf">(letter(uplo), n, a, lda, pivots, work, length, info);
    });
  });
}

template <typename T>
cusolverStatus_t sytri_bufferSize(Context h, cublasFillMode_t, int n, T *, int,
                                  const int *, int *lwork) {
  return sizeOf(h, lwork, n);
}

template <typename T>
cusolverStatus_t sytri(Context h, cublasFillMode_t uplo, int n, T *a, int lda,
                       const int *pivots, T *, int, int *info) {
  if (auto wrong =
          check(h, n >= 0 && isFill(uplo) && isLeading(lda, n) && pivots))
    return wrong;
  return submit(h, n, [=] {
    touchMatrix(a, n, n, lda);
    std::vector<T> work(static_cast<size_t>(std::max(1, 2 * n)));
    blas<T, "sytri">(letter(uplo), n, a, lda, pivots, work.data(), info);
  });
}

//===----------------------------------------------------------------------===//
// Solvers that may compute in a narrower type: they need not, and do not. The
// matrix remains as it is, as after a refinement that has converged.
//===----------------------------------------------------------------------===//

/// A copy of a matrix without gaps.
template <typename T>
std::vector<T> packed(const T *a, int rows, int columns, int lda) {
  std::vector<T> copy(size_t(std::max(1, rows)) * size_t(std::max(1, columns)));
  for (int j = 0; j < columns; ++j)
    std::copy_n(a + size_t(j) * lda, rows, copy.data() + size_t(j) * rows);
  return copy;
}

/// What the solvers that may refine say of wrong sizes.
inline cusolverStatus_t checkRefined(Context h, bool valid) {
  const cusolverStatus_t status = check(h, valid);
  return status == CUSOLVER_STATUS_INVALID_VALUE
             ? CUSOLVER_STATUS_IRS_PARAMS_INVALID
             : status;
}

template <typename T>
cusolverStatus_t gesv_bufferSize(Context h, int n, int nrhs, T *, int lda,
                                 int *, T *, int ldb, T *, int ldx, void *,
                                 size_t *bytes) {
  if (auto wrong =
          checkRefined(h, n >= 0 && nrhs >= 0 && isLeading(lda, n) &&
                              isLeading(ldb, n) && isLeading(ldx, n) && bytes))
    return wrong;
  return sizeOf(h, bytes, n);
}

template <typename T>
cusolverStatus_t gesv(Context h, int n, int nrhs, T *a, int lda, int *pivots,
                      T *b, int ldb, T *x, int ldx, void *, size_t,
                      int *iterations, int *info) {
  if (auto wrong = checkRefined(h, n >= 0 && nrhs >= 0 && isLeading(lda, n) &&
                                       isLeading(ldb, n) && isLeading(ldx, n)))
    return wrong;
  if (!iterations)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *iterations = 0;
  return submit(h, n, [=] {
    touchMatrix(a, n, n, lda);
    for (int j = 0; j < nrhs; ++j)
      std::copy_n(b + size_t(j) * ldb, n, x + size_t(j) * ldx);
    std::vector<int> own(pivots ? 0 : static_cast<size_t>(std::max(1, n)));
    std::vector<T> factors = packed(a, n, n, lda);
    blas<T, "gesv">(n, nrhs, factors.data(), std::max(1, n),
                    pivots ? pivots : own.data(), x, ldx, info);
  });
}

template <typename T>
cusolverStatus_t gels_bufferSize(Context h, int m, int n, int nrhs, T *,
                                 int lda, T *, int ldb, T *, int ldx, void *,
                                 size_t *bytes) {
  if (auto wrong =
          checkRefined(h, n >= 0 && m >= n && nrhs >= 0 && isLeading(lda, m) &&
                              isLeading(ldb, m) && isLeading(ldx, n)))
    return wrong;
  return sizeOf(h, bytes, m);
}

template <typename T>
cusolverStatus_t gels(Context h, int m, int n, int nrhs, T *a, int lda, T *b,
                      int ldb, T *x, int ldx, void *, size_t, int *iterations,
                      int *info) {
  if (auto wrong =
          checkRefined(h, n >= 0 && m >= n && nrhs >= 0 && isLeading(lda, m) &&
                              isLeading(ldb, m) && isLeading(ldx, n)))
    return wrong;
  if (!iterations)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *iterations = 0;
  return submit(h, m, [=] {
    touchMatrix(a, m, n, lda);
    std::vector<T> factors = packed(a, m, n, lda),
                   right = packed(b, m, nrhs, ldb);
    withWorkspace<T>([&](T *work, int lwork) {
      blas<T, "gels">('N', m, n, nrhs, factors.data(), std::max(1, m),
                      right.data(), std::max(1, m), work, lwork, info);
    });
    for (int j = 0; j < nrhs; ++j)
      std::copy_n(right.data() + size_t(j) * m, n, x + size_t(j) * ldx);
  });
}

} // namespace cufort::cusolverDn

#endif // CUFORT_LIBRARIES_CUSOLVERDN_LINEAR_H
