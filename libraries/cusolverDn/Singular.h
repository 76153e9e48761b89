//===- Singular.h - singular values -----------------------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSOLVERDN_SINGULAR_H
#define CUFORT_LIBRARIES_CUSOLVERDN_SINGULAR_H

#include "libraries/cusolverDn/Jacobi.h"
#include "libraries/cusolverDn/Orthogonal.h"
#include <cmath>

namespace cufort::cusolverDn {

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// LAPACK's gesvd; \p superdiagonal: min(m, n) - 1 numbers for what has not
/// converged, or null.
template <typename T>
int solveSingular(char jobu, char jobvt, int m, int n, T *a, int lda,
                  Real<T> *s, T *u, int ldu, T *vt, int ldvt,
                  Real<T> *superdiagonal) {
  const int least = std::min(m, n);
  int info = 0;
  Workspace<Real<T>> rwork(size_t(std::max(1, 5 * least)));
  withWorkspace<T>([&](T *work, int lwork) {
    if constexpr (IsComplex<T>)
      blas<T, "gesvd">(jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work,
                       lwork, rwork.data(), &info);
    else
      blas<T, "gesvd">(jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work,
                       lwork, &info);
    if (info > 0 && superdiagonal)
      for (int i = 0; i + 1 < least; ++i)
        superdiagonal[i] =
            IsComplex<T> ? rwork[size_t(i)] : std::real(work[i + 1]);
  });
  return info;
}

/// The values, and unless \p u is null the vectors, of which v is not
/// transposed: a = u s v^H. \p economic: as many vectors as there are values.
/// Divide and conquer; the matrix is overwritten.
template <typename T>
int solveSingularPairs(bool vectors, bool economic, int m, int n, T *a, int lda,
                       Real<T> *s, T *u, int ldu, T *v, int ldv) {
  const int least = std::min(m, n);
  const char job = !vectors ? 'N' : economic ? 'S' : 'A';
  const int rows = !vectors   ? 1
                   : economic ? std::max(1, least)
                              : std::max(1, n);
  Workspace<T> vt(vectors ? size_t(rows) * std::max(1, n) : 1);
  Workspace<int> iwork(size_t(std::max(1, 8 * least)));
  const size_t most = size_t(std::max(m, n)),
               small = size_t(std::max(1, least));
  Workspace<Real<T>> rwork(
      IsComplex<T> ? small * std::max(5 * small + 7, 2 * most + 2 * small + 1)
                   : 1);
  int info = 0;
  T none{};
  T *left = vectors ? u : &none;
  const int leading = vectors ? ldu : 1;
  withWorkspace<T>([&](T *work, int lwork) {
    if constexpr (IsComplex<T>)
      blas<T, "gesdd">(job, m, n, a, lda, s, left, leading, vt.data(), rows,
                       work, lwork, rwork.data(), iwork.data(), &info);
    else
      blas<T, "gesdd">(job, m, n, a, lda, s, left, leading, vt.data(), rows,
                       work, lwork, iwork.data(), &info);
  });
  if (vectors)
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < n; ++i) {
        const T value = vt[size_t(i) * rows + j];
        if constexpr (IsComplex<T>)
          v[size_t(j) * ldv + i] = std::conj(value);
        else
          v[size_t(j) * ldv + i] = value;
      }
  return info;
}

//===----------------------------------------------------------------------===//
// Routines
//===----------------------------------------------------------------------===//

inline bool isJob(signed char job) {
  return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}

/// Whether vectors go to an array of their own.
inline bool hasOwnVectors(signed char job) { return job == 'A' || job == 'S'; }

inline cusolverStatus_t gesvd_bufferSize(Context h, int m, int n, int *lwork) {
  return sizeOf(h, lwork, std::max(m, n));
}

template <typename T>
cusolverStatus_t gesvd(Context h, signed char jobu, signed char jobvt, int m,
                       int n, T *a, int lda, Real<T> *s, T *u, int ldu, T *vt,
                       int ldvt, T *, int, Real<T> *rwork, int *info) {
  // As NVIDIA's, which takes no matrix with more columns than rows.
  if (auto wrong =
          check(h, n >= 0 && m >= n && isLeading(lda, m) && isJob(jobu) &&
                       isJob(jobvt) && !(jobu == 'O' && jobvt == 'O') &&
                       (!hasOwnVectors(jobu) || isLeading(ldu, m)) &&
                       (!hasOwnVectors(jobvt) || isLeading(ldvt, n))))
    return wrong;
  return submit(h, m, [=] {
    touchMatrix(a, m, n, lda);
    *info = solveSingular<T>(char(jobu), char(jobvt), m, n, a, lda, s, u,
                             std::max(1, ldu), vt, std::max(1, ldvt), rwork);
  });
}

template <typename T>
cusolverStatus_t gesvdj_bufferSize(Context h, cusolverEigMode_t, int, int m,
                                   int n, const T *, int, const Real<T> *,
                                   const T *, int, const T *, int, int *lwork,
                                   gesvdjInfo_t) {
  return sizeOfChecked(h, lwork, std::max(m, n), m >= 0 && n >= 0);
}

template <typename T>
cusolverStatus_t gesvdj(Context h, cusolverEigMode_t job, int economic, int m,
                        int n, T *a, int lda, Real<T> *s, T *u, int ldu, T *v,
                        int ldv, T *, int, int *info, gesvdjInfo_t params) {
  const bool vectors = job == CUSOLVER_EIG_MODE_VECTOR;
  if (auto wrong =
          check(h, m >= 0 && n >= 0 && isLeading(lda, m) && isLive(params) &&
                       (vectors || job == CUSOLVER_EIG_MODE_NOVECTOR) &&
                       ldu > 0 && ldv > 0 &&
                       (!vectors || (isLeading(ldu, m) && isLeading(ldv, n)))))
    return wrong;
  return submit(h, std::max(m, n), [=] {
    touchMatrix(a, m, n, lda);
    *info = solveSingularPairs<T>(vectors, economic, m, n, a, lda, s, u, ldu, v,
                                  ldv);
  });
}

template <typename T>
cusolverStatus_t
gesvdjBatched_bufferSize(Context h, cusolverEigMode_t, int m, int n, const T *,
                         int, const Real<T> *, const T *, int, const T *, int,
                         int *lwork, gesvdjInfo_t, int) {
  return sizeOf(h, lwork, std::max(m, n));
}

template <typename T>
cusolverStatus_t gesvdjBatched(Context h, cusolverEigMode_t job, int m, int n,
                               T *a, int lda, Real<T> *s, T *u, int ldu, T *v,
                               int ldv, T *, int, int *info,
                               gesvdjInfo_t params, int count) {
  const bool vectors = job == CUSOLVER_EIG_MODE_VECTOR;
  // NVIDIA's has no larger ones.
  constexpr int Largest = 32;
  if (auto wrong =
          check(h, m >= 0 && n >= 0 && m <= Largest && n <= Largest &&
                       isLeading(lda, m) && count >= 0 && isLive(params) &&
                       (!vectors || (isLeading(ldu, m) && isLeading(ldv, n)))))
    return wrong;
  return submitBatch(h, count, [=](uint64_t i) {
    info[i] = solveSingularPairs<T>(
        vectors, false, m, n, a + i * size_t(lda) * n, lda,
        s + i * std::min(m, n), u + i * size_t(ldu) * m, ldu,
        v + i * size_t(ldv) * n, ldv);
  });
}

template <typename T>
cusolverStatus_t
gesvdaStridedBatched_bufferSize(Context h, cusolverEigMode_t, int, int m, int n,
                                const T *, int, long long, const Real<T> *,
                                long long, const T *, int, long long, const T *,
                                int, long long, int *lwork, int) {
  return sizeOf(h, lwork, std::max(m, n));
}

/// The \p rank largest values and their vectors of each matrix, which stays as
/// it is; the Frobenius norms of what they leave go to the host.
template <typename T>
cusolverStatus_t
gesvdaStridedBatched(Context h, cusolverEigMode_t job, int rank, int m, int n,
                     const T *a, int lda, long long strideA, Real<T> *s,
                     long long strideS, T *u, int ldu, long long strideU, T *v,
                     int ldv, long long strideV, T *, int, int *info,
                     double *norms, int count) {
  const bool vectors = job == CUSOLVER_EIG_MODE_VECTOR;
  if (auto wrong =
          check(h, n >= 0 && m >= n && rank >= 0 && rank <= n && count >= 0 &&
                       isLeading(lda, m) &&
                       (!vectors || (isLeading(ldu, m) && isLeading(ldv, n)))))
    return wrong;
  const auto one = [=](uint64_t i) {
    std::vector<T> copy(size_t(std::max(1, m)) * std::max(1, n)),
        left(copy.size()), right(size_t(std::max(1, n)) * std::max(1, n));
    std::vector<Real<T>> values(size_t(std::max(1, n)));
    for (int j = 0; j < n; ++j)
      std::copy_n(a + ptrdiff_t(i) * strideA + size_t(j) * lda, m,
                  copy.data() + size_t(j) * m);
    info[i] = solveSingularPairs<T>(
        vectors, true, m, n, copy.data(), std::max(1, m), values.data(),
        left.data(), std::max(1, m), right.data(), std::max(1, n));
    double rest = 0;
    for (int j = rank; j < n; ++j)
      rest += double(values[size_t(j)]) * double(values[size_t(j)]);
    if (norms)
      norms[i] = std::sqrt(rest);
    for (int j = 0; j < rank; ++j) {
      s[ptrdiff_t(i) * strideS + j] = values[size_t(j)];
      if (!vectors)
        continue;
      std::copy_n(left.data() + size_t(j) * m, m,
                  u + ptrdiff_t(i) * strideU + size_t(j) * ldu);
      std::copy_n(right.data() + size_t(j) * n, n,
                  v + ptrdiff_t(i) * strideV + size_t(j) * ldv);
    }
  };
  return statusOf(perform(h->stream,
                          {.small = count < 2, .wait = norms != nullptr},
                          [=](Team &team) {
                            const BlasThreads threads(1);
                            team.forEach(uint64_t(count), one);
                          }));
}

} // namespace cufort::cusolverDn

#endif // CUFORT_LIBRARIES_CUSOLVERDN_SINGULAR_H
