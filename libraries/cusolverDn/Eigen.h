//===- Eigen.h - eigenvalues of symmetric matrices --------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSOLVERDN_EIGEN_H
#define CUFORT_LIBRARIES_CUSOLVERDN_EIGEN_H

#include "libraries/cusolverDn/Jacobi.h"
#include "libraries/cusolverDn/Orthogonal.h"

namespace cufort::cusolverDn {

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// All eigenvalues, and the eigenvectors in place of the matrix, by divide and
/// conquer. Returns LAPACK's info.
template <typename T>
int solveEigen(char job, char uplo, int n, T *a, int lda, Real<T> *w) {
  int info = 0;
  T work1{};
  Real<T> rwork1{};
  int iwork1 = 0, query = -1;
  if constexpr (IsComplex<T>) {
    blas<T, "heevd">(job, uplo, n, a, lda, w, &work1, query, &rwork1, query,
                     &iwork1, query, &info);
    Workspace<T> work(size_t(sizeFrom(work1)));
    Workspace<Real<T>> rwork(size_t(sizeFrom(rwork1)));
    Workspace<int> iwork(size_t(std::max(1, iwork1)));
    blas<T, "heevd">(job, uplo, n, a, lda, w, work.data(), int(work.size()),
                     rwork.data(), int(rwork.size()), iwork.data(),
                     int(iwork.size()), &info);
  } else {
    blas<T, "syevd">(job, uplo, n, a, lda, w, &work1, query, &iwork1, query,
                     &info);
    Workspace<T> work(size_t(sizeFrom(work1)));
    Workspace<int> iwork(size_t(std::max(1, iwork1)));
    blas<T, "syevd">(job, uplo, n, a, lda, w, work.data(), int(work.size()),
                     iwork.data(), int(iwork.size()), &info);
  }
  return info;
}

/// Which of the eigenvalues are wanted.
template <typename T> struct Selection {
  cusolverEigRange_t range;
  Real<T> low, high;
  int first, last;

  bool valid(int n) const {
    switch (range) {
    case CUSOLVER_EIG_RANGE_ALL:
      return true;
    case CUSOLVER_EIG_RANGE_I:
      return n == 0 || (first >= 1 && first <= last && last <= n);
    case CUSOLVER_EIG_RANGE_V:
      return low < high;
    }
    return false;
  }
};

/// Some eigenvalues, and their eigenvectors in the first columns of the
/// matrix. Sets how many there are and returns LAPACK's info.
template <typename T>
int selectEigen(char job, char uplo, int n, T *a, int lda,
                const Selection<T> &wanted, int *count, Real<T> *w) {
  if (wanted.range == CUSOLVER_EIG_RANGE_ALL) {
    *count = n;
    return solveEigen<T>(job, uplo, n, a, lda, w);
  }
  const char range = wanted.range == CUSOLVER_EIG_RANGE_I ? 'I' : 'V';
  const int most =
      wanted.range == CUSOLVER_EIG_RANGE_I ? wanted.last - wanted.first + 1 : n;
  const Real<T> tolerance = 0;
  Workspace<T> z(job == 'V' ? size_t(std::max(1, n)) * std::max(1, most) : 1);
  Workspace<Real<T>> values(size_t(std::max(1, n)));
  Workspace<int> support(size_t(std::max(1, 2 * most)));
  const int ldz = std::max(1, n);
  int info = 0, query = -1, iwork1 = 0;
  T work1{};
  Real<T> rwork1{};
  const auto call = [&](T *work, int lwork, Real<T> *rwork, int lrwork,
                        int *iwork, int liwork) {
    if constexpr (IsComplex<T>)
      blas<T, "heevr">(job, range, uplo, n, a, lda, wanted.low, wanted.high,
                       wanted.first, wanted.last, tolerance, count,
                       values.data(), z.data(), ldz, support.data(), work,
                       lwork, rwork, lrwork, iwork, liwork, &info);
    else
      blas<T, "syevr">(job, range, uplo, n, a, lda, wanted.low, wanted.high,
                       wanted.first, wanted.last, tolerance, count,
                       values.data(), z.data(), ldz, support.data(), work,
                       lwork, iwork, liwork, &info);
  };
  call(&work1, query, &rwork1, query, &iwork1, query);
  Workspace<T> work(size_t(sizeFrom(work1)));
  Workspace<Real<T>> rwork(size_t(sizeFrom(rwork1)));
  Workspace<int> iwork(size_t(std::max(1, iwork1)));
  call(work.data(), int(work.size()), rwork.data(), int(rwork.size()),
       iwork.data(), int(iwork.size()));
  std::copy_n(values.data(), *count, w);
  if (job == 'V')
    for (int j = 0; j < *count; ++j)
      std::copy_n(z.data() + size_t(j) * ldz, n, a + size_t(j) * lda);
  return info;
}

/// The same of the pencil (a, b): Cholesky's factor of b brings it to the form
/// above, which is faster than LAPACK's own driver for parts of a spectrum.
template <typename T>
int selectGeneralised(int type, char job, char uplo, int n, T *a, int lda, T *b,
                      int ldb, const Selection<T> &wanted, int *count,
                      Real<T> *w) {
  int info = 0;
  *count = 0;
  blas<T, "potrf">(uplo, n, b, ldb, &info);
  if (info)
    return info > 0 ? n + info : info;
  realOrComplex<T, "sygst", "hegst">(type, uplo, n, a, lda, b, ldb, &info);
  if (info)
    return info;
  info = selectEigen<T>(job, uplo, n, a, lda, wanted, count, w);
  if (info || job != 'V')
    return info;
  const T one(1);
  const char conjugated = IsComplex<T> ? 'C' : 'T';
  // x = inv(U) y or inv(L)^H y; of the third type U^H y or L y.
  if (type == 3)
    blas<T, "trmm">('L', uplo, uplo == 'U' ? conjugated : 'N', 'N', n, *count,
                    one, b, ldb, a, lda);
  else
    blas<T, "trsm">('L', uplo, uplo == 'U' ? 'N' : conjugated, 'N', n, *count,
                    one, b, ldb, a, lda);
  return info;
}

//===----------------------------------------------------------------------===//
// Routines
//===----------------------------------------------------------------------===//

inline bool isEigenCall(cusolverEigMode_t job, cublasFillMode_t uplo, int n,
                        int lda) {
  return n >= 0 && isFill(uplo) && isLeading(lda, n) &&
         (job == CUSOLVER_EIG_MODE_NOVECTOR || job == CUSOLVER_EIG_MODE_VECTOR);
}

template <typename T>
cusolverStatus_t syevd_bufferSize(Context h, cusolverEigMode_t,
                                  cublasFillMode_t, int n, const T *, int,
                                  const Real<T> *, int *lwork) {
  return sizeOfChecked(h, lwork, n, true);
}

template <typename T>
cusolverStatus_t syevd(Context h, cusolverEigMode_t job, cublasFillMode_t uplo,
                       int n, T *a, int lda, Real<T> *w, T *, int, int *info) {
  if (auto wrong = check(h, isEigenCall(job, uplo, n, lda)))
    return wrong;
  return submit(h, n, [=] {
    touchMatrix(a, n, n, lda);
    *info = solveEigen<T>(letter(job), letter(uplo), n, a, lda, w);
  });
}

template <typename T>
cusolverStatus_t syevdx_bufferSize(Context h, cusolverEigMode_t,
                                   cusolverEigRange_t, cublasFillMode_t, int n,
                                   const T *, int, Real<T>, Real<T>, int, int,
                                   int *count, const Real<T> *, int *lwork) {
  if (count)
    *count = n;
  return sizeOfChecked(h, lwork, n, true);
}

template <typename T>
cusolverStatus_t syevdx(Context h, cusolverEigMode_t job,
                        cusolverEigRange_t range, cublasFillMode_t uplo, int n,
                        T *a, int lda, Real<T> vl, Real<T> vu, int il, int iu,
                        int *count, Real<T> *w, T *, int, int *info) {
  const Selection<T> wanted{range, vl, vu, il, iu};
  if (auto wrong =
          check(h, isEigenCall(job, uplo, n, lda) && count && wanted.valid(n)))
    return wrong;
  return submit(
      h, n,
      [=] {
        touchMatrix(a, n, n, lda);
        *info = selectEigen<T>(letter(job), letter(uplo), n, a, lda, wanted,
                               count, w);
      },
      /*wait=*/true);
}

template <typename T>
cusolverStatus_t sygvd_bufferSize(Context h, cusolverEigType_t,
                                  cusolverEigMode_t, cublasFillMode_t, int n,
                                  const T *, int, const T *, int,
                                  const Real<T> *, int *lwork) {
  return sizeOfChecked(h, lwork, n, true);
}

template <typename T>
cusolverStatus_t sygvd(Context h, cusolverEigType_t type, cusolverEigMode_t job,
                       cublasFillMode_t uplo, int n, T *a, int lda, T *b,
                       int ldb, Real<T> *w, T *, int, int *info) {
  if (auto wrong = check(h, isEigenCall(job, uplo, n, lda) &&
                                isLeading(ldb, n) && type >= 1 && type <= 3))
    return wrong;
  return submit(h, n, [=] {
    touchMatrix(a, n, n, lda);
    touchMatrix(b, n, n, ldb);
    int count;
    *info =
        selectGeneralised<T>(type, letter(job), letter(uplo), n, a, lda, b, ldb,
                             {CUSOLVER_EIG_RANGE_ALL, 0, 0, 0, 0}, &count, w);
  });
}

template <typename T>
cusolverStatus_t sygvdx_bufferSize(Context h, cusolverEigType_t,
                                   cusolverEigMode_t, cusolverEigRange_t,
                                   cublasFillMode_t, int n, const T *, int lda,
                                   const T *, int, Real<T>, Real<T>, int, int,
                                   int *count, const Real<T> *, int *lwork) {
  if (count)
    *count = n;
  return sizeOfChecked(h, lwork, n, lda >= 0);
}

template <typename T>
cusolverStatus_t sygvdx(Context h, cusolverEigType_t type,
                        cusolverEigMode_t job, cusolverEigRange_t range,
                        cublasFillMode_t uplo, int n, T *a, int lda, T *b,
                        int ldb, Real<T> vl, Real<T> vu, int il, int iu,
                        int *count, Real<T> *w, T *, int, int *info) {
  const Selection<T> wanted{range, vl, vu, il, iu};
  if (auto wrong =
          check(h, isEigenCall(job, uplo, n, lda) && isLeading(ldb, n) &&
                       type >= 1 && type <= 3 && count && wanted.valid(n)))
    return wrong;
  return submit(
      h, n,
      [=] {
        touchMatrix(a, n, n, lda);
        touchMatrix(b, n, n, ldb);
        *info = selectGeneralised<T>(type, letter(job), letter(uplo), n, a, lda,
                                     b, ldb, wanted, count, w);
      },
      /*wait=*/true);
}

template <typename T>
cusolverStatus_t syevj_bufferSize(Context h, cusolverEigMode_t,
                                  cublasFillMode_t, int n, const T *, int,
                                  const Real<T> *, int *lwork, syevjInfo_t) {
  return sizeOfChecked(h, lwork, n, true);
}

template <typename T>
cusolverStatus_t syevj(Context h, cusolverEigMode_t job, cublasFillMode_t uplo,
                       int n, T *a, int lda, Real<T> *w, T *work, int lwork,
                       int *info, syevjInfo_t params) {
  if (isLive(h) && !isLive(params))
    return CUSOLVER_STATUS_INVALID_VALUE;
  return syevd<T>(h, job, uplo, n, a, lda, w, work, lwork, info);
}

template <typename T>
cusolverStatus_t sygvj_bufferSize(Context h, cusolverEigType_t,
                                  cusolverEigMode_t, cublasFillMode_t, int n,
                                  const T *, int lda, const T *, int,
                                  const Real<T> *, int *lwork, syevjInfo_t) {
  return sizeOfChecked(h, lwork, n, lda >= 0);
}

template <typename T>
cusolverStatus_t sygvj(Context h, cusolverEigType_t type, cusolverEigMode_t job,
                       cublasFillMode_t uplo, int n, T *a, int lda, T *b,
                       int ldb, Real<T> *w, T *work, int lwork, int *info,
                       syevjInfo_t params) {
  if (isLive(h) && !isLive(params))
    return CUSOLVER_STATUS_INVALID_VALUE;
  return sygvd<T>(h, type, job, uplo, n, a, lda, b, ldb, w, work, lwork, info);
}

template <typename T>
cusolverStatus_t syevjBatched_bufferSize(Context h, cusolverEigMode_t,
                                         cublasFillMode_t, int n, const T *,
                                         int, const Real<T> *, int *lwork,
                                         syevjInfo_t, int count) {
  return sizeOfChecked(h, lwork, n, count >= 0);
}

template <typename T>
cusolverStatus_t syevjBatched(Context h, cusolverEigMode_t job,
                              cublasFillMode_t uplo, int n, T *a, int lda,
                              Real<T> *w, T *, int, int *info,
                              syevjInfo_t params, int count) {
  if (auto wrong = check(h, isEigenCall(job, uplo, n, lda) && count >= 0 &&
                                isLive(params)))
    return wrong;
  return submitBatch(h, count, [=](uint64_t i) {
    info[i] = solveEigen<T>(letter(job), letter(uplo), n,
                            a + i * size_t(lda) * n, lda, w + i * n);
  });
}

CUFORT_SAME_TEMPLATE(heevd_bufferSize, syevd_bufferSize)
CUFORT_SAME_TEMPLATE(heevd, syevd)
CUFORT_SAME_TEMPLATE(heevdx_bufferSize, syevdx_bufferSize)
CUFORT_SAME_TEMPLATE(heevdx, syevdx)
CUFORT_SAME_TEMPLATE(hegvd_bufferSize, sygvd_bufferSize)
CUFORT_SAME_TEMPLATE(hegvd, sygvd)
CUFORT_SAME_TEMPLATE(hegvdx_bufferSize, sygvdx_bufferSize)
CUFORT_SAME_TEMPLATE(hegvdx, sygvdx)
CUFORT_SAME_TEMPLATE(heevj_bufferSize, syevj_bufferSize)
CUFORT_SAME_TEMPLATE(heevj, syevj)
CUFORT_SAME_TEMPLATE(hegvj_bufferSize, sygvj_bufferSize)
CUFORT_SAME_TEMPLATE(hegvj, sygvj)
CUFORT_SAME_TEMPLATE(heevjBatched_bufferSize, syevjBatched_bufferSize)
CUFORT_SAME_TEMPLATE(heevjBatched, syevjBatched)

} // namespace cufort::cusolverDn

#endif // CUFORT_LIBRARIES_CUSOLVERDN_EIGEN_H
