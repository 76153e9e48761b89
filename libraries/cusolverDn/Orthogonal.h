//===- Orthogonal.h - orthogonal factors and reductions ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSOLVERDN_ORTHOGONAL_H
#define CUFORT_LIBRARIES_CUSOLVERDN_ORTHOGONAL_H

#include "libraries/cusolverDn/Handle.h"

namespace cufort::cusolverDn {

using Context = cusolverDnHandle_t;

template <typename T>
cusolverStatus_t geqrf_bufferSize(Context h, int, int n, T *, int, int *lwork) {
  return sizeOf(h, lwork, n);
}

template <typename T>
cusolverStatus_t geqrf(Context h, int m, int n, T *a, int lda, T *tau, T *, int,
                       int *info) {
  if (auto wrong = check(h, m >= 0 && n >= 0 && isLeading(lda, m)))
    return wrong;
  return submit(h, std::max(m, n), [=] {
    touchMatrix(a, m, n, lda);
    withWorkspace<T>([&](T *work, int lwork) {
      blas<T, "geqrf">(m, n, a, lda, tau, work, lwork, info);
    });
  });
}

// The real routines are called or..., the complex ones un...; the names of
// templates are cuSOLVER's.

/// Calls \p Real or \p Complex, LAPACK's names, by what T is.
template <typename T, libraries::detail::Name RealName,
          libraries::detail::Name ComplexName, typename... Arguments>
void realOrComplex(const Arguments &...arguments) {
  if constexpr (IsComplex<T>)
    blas<T, ComplexName>(arguments...);
  else
    blas<T, RealName>(arguments...);
}

template <typename T>
cusolverStatus_t orgqr_bufferSize(Context h, int, int n, int, const T *, int,
                                  const T *, int *lwork) {
  return sizeOf(h, lwork, n);
}

template <typename T>
cusolverStatus_t orgqr(Context h, int m, int n, int k, T *a, int lda,
                       const T *tau, T *, int, int *info) {
  if (auto wrong =
          check(h, n >= 0 && m >= n && k >= 0 && k <= n && isLeading(lda, m)))
    return wrong;
  return submit(h, m, [=] {
    touchMatrix(a, m, n, lda);
    withWorkspace<T>([&](T *work, int lwork) {
      realOrComplex<T, "orgqr", "ungqr">(m, n, k, a, lda, tau, work, lwork,
                                         info);
    });
  });
}

template <typename T>
cusolverStatus_t
ormqr_bufferSize(Context h, cublasSideMode_t, cublasOperation_t, int m, int n,
                 int, const T *, int, const T *, const T *, int, int *lwork) {
  return sizeOf(h, lwork, std::max(m, n));
}

/// Unitary matrices have no transpose that is not the inverse.
template <typename T> bool isAdjoint(cublasOperation_t trans) {
  return !IsComplex<T> || trans != CUBLAS_OP_T;
}

template <typename T>
cusolverStatus_t ormqr(Context h, cublasSideMode_t side,
                       cublasOperation_t trans, int m, int n, int k, const T *a,
                       int lda, const T *tau, T *c, int ldc, T *, int,
                       int *info) {
  const int rows = side == CUBLAS_SIDE_LEFT ? m : n;
  if (auto wrong = check(h, m >= 0 && n >= 0 && k >= 0 && k <= rows &&
                                isLeading(lda, rows) && isLeading(ldc, m) &&
                                isAdjoint<T>(trans)))
    return wrong;
  return submit(h, std::max(m, n), [=] {
    touchMatrix(a, rows, k, lda);
    touchMatrix(c, m, n, ldc);
    withWorkspace<T>([&](T *work, int lwork) {
      realOrComplex<T, "ormqr", "unmqr">(letter(side), letter(trans), m, n, k,
                                         a, lda, tau, c, ldc, work, lwork,
                                         info);
    });
  });
}

inline cusolverStatus_t gebrd_bufferSize(Context h, int m, int n, int *lwork) {
  return sizeOf(h, lwork, std::max(m, n));
}

template <typename T>
cusolverStatus_t gebrd(Context h, int m, int n, T *a, int lda, Real<T> *d,
                       Real<T> *e, T *tauq, T *taup, T *, int, int *info) {
  if (auto wrong = check(h, m >= 0 && n >= 0 && isLeading(lda, m)))
    return wrong;
  if (m < n)
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  return submit(h, std::max(m, n), [=] {
    touchMatrix(a, m, n, lda);
    withWorkspace<T>([&](T *work, int lwork) {
      blas<T, "gebrd">(m, n, a, lda, d, e, tauq, taup, work, lwork, info);
    });
  });
}

template <typename T>
cusolverStatus_t orgbr_bufferSize(Context h, cublasSideMode_t, int m, int n,
                                  int, const T *, int, const T *, int *lwork) {
  return sizeOf(h, lwork, std::max(m, n));
}

template <typename T>
cusolverStatus_t orgbr(Context h, cublasSideMode_t side, int m, int n, int k,
                       T *a, int lda, const T *tau, T *, int, int *info) {
  if (auto wrong = check(h, m >= 0 && n >= 0 && k >= 0 && isLeading(lda, m)))
    return wrong;
  const char which = side == CUBLAS_SIDE_LEFT ? 'Q' : 'P';
  return submit(h, std::max(m, n), [=] {
    touchMatrix(a, m, n, lda);
    withWorkspace<T>([&](T *work, int lwork) {
      realOrComplex<T, "orgbr", "ungbr">(which, m, n, k, a, lda, tau, work,
                                         lwork, info);
    });
  });
}

template <typename T>
cusolverStatus_t sytrd_bufferSize(Context h, cublasFillMode_t, int n, const T *,
                                  int, const Real<T> *, const Real<T> *,
                                  const T *, int *lwork) {
  return sizeOf(h, lwork, n);
}

template <typename T>
cusolverStatus_t sytrd(Context h, cublasFillMode_t uplo, int n, T *a, int lda,
                       Real<T> *d, Real<T> *e, T *tau, T *, int, int *info) {
  if (auto wrong = check(h, n >= 0 && isFill(uplo) && isLeading(lda, n)))
    return wrong;
  return submit(h, n, [=] {
    touchMatrix(a, n, n, lda);
    withWorkspace<T>([&](T *work, int lwork) {
      realOrComplex<T, "sytrd", "hetrd">(letter(uplo), n, a, lda, d, e, tau,
                                         work, lwork, info);
    });
  });
}

template <typename T>
cusolverStatus_t orgtr_bufferSize(Context h, cublasFillMode_t, int n, const T *,
                                  int lda, const T *, int *lwork) {
  return sizeOfChecked(h, lwork, n, lda >= 0);
}

template <typename T>
cusolverStatus_t orgtr(Context h, cublasFillMode_t uplo, int n, T *a, int lda,
                       const T *tau, T *, int, int *info) {
  if (auto wrong = check(h, n >= 0 && isFill(uplo) && isLeading(lda, n)))
    return wrong;
  return submit(h, n, [=] {
    touchMatrix(a, n, n, lda);
    withWorkspace<T>([&](T *work, int lwork) {
      realOrComplex<T, "orgtr", "ungtr">(letter(uplo), n, a, lda, tau, work,
                                         lwork, info);
    });
  });
}

template <typename T>
cusolverStatus_t ormtr_bufferSize(Context h, cublasSideMode_t, cublasFillMode_t,
                                  cublasOperation_t, int m, int n, const T *,
                                  int, const T *, const T *, int, int *lwork) {
  return sizeOf(h, lwork, std::max(m, n));
}

template <typename T>
cusolverStatus_t ormtr(Context h, cublasSideMode_t side, cublasFillMode_t uplo,
                       cublasOperation_t trans, int m, int n, T *a, int lda,
                       T *tau, T *c, int ldc, T *, int, int *info) {
  const int rows = side == CUBLAS_SIDE_LEFT ? m : n;
  if (auto wrong =
          check(h, m >= 0 && n >= 0 && isFill(uplo) && isLeading(lda, rows) &&
                       isLeading(ldc, m) && isAdjoint<T>(trans)))
    return wrong;
  return submit(h, std::max(m, n), [=] {
    touchMatrix(a, rows, rows, lda);
    touchMatrix(c, m, n, ldc);
    withWorkspace<T>([&](T *work, int lwork) {
      realOrComplex<T, "ormtr", "unmtr">(letter(side), letter(uplo),
                                         letter(trans), m, n, a, lda, tau, c,
                                         ldc, work, lwork, info);
    });
  });
}

// cuSOLVER's names of the complex ones.
#define CUFORT_SAME_TEMPLATE(name, as)                                         \
  template <typename... Arguments>                                             \
  cusolverStatus_t name(Arguments... arguments) {                              \
    return as(arguments...);                                                   \
  }
CUFORT_SAME_TEMPLATE(ungqr_bufferSize, orgqr_bufferSize)
CUFORT_SAME_TEMPLATE(ungqr, orgqr)
CUFORT_SAME_TEMPLATE(unmqr_bufferSize, ormqr_bufferSize)
CUFORT_SAME_TEMPLATE(unmqr, ormqr)
CUFORT_SAME_TEMPLATE(ungbr_bufferSize, orgbr_bufferSize)
CUFORT_SAME_TEMPLATE(ungbr, orgbr)
CUFORT_SAME_TEMPLATE(hetrd_bufferSize, sytrd_bufferSize)
CUFORT_SAME_TEMPLATE(hetrd, sytrd)
CUFORT_SAME_TEMPLATE(ungtr_bufferSize, orgtr_bufferSize)
CUFORT_SAME_TEMPLATE(ungtr, orgtr)
CUFORT_SAME_TEMPLATE(unmtr_bufferSize, ormtr_bufferSize)
CUFORT_SAME_TEMPLATE(unmtr, ormtr)

} // namespace cufort::cusolverDn

#endif // CUFORT_LIBRARIES_CUSOLVERDN_ORTHOGONAL_H
