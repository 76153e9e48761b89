//===- BatchedFactors.cpp - cuBLAS on the CPU: many factorizations --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LAPACK's routines, a thread for each problem. Without pivots, which LAPACK
// cannot be asked for, the factorization is ours.
//
//===----------------------------------------------------------------------===//

#include "libraries/common/Workspace.h"
#include "libraries/cublas/Batched.h"
#include <algorithm>
#include <numeric>
#include <vector>

namespace cufort::cublas {

namespace {

/// Up to this order, LAPACK's and the BLAS that it calls use one thread.
constexpr int SingleOrder = 32;

cublasStatus_t factors(cublasHandle_t h, int n, int count, auto body) {
  if (n == 0 || count == 0)
    return CUBLAS_STATUS_SUCCESS;
  if (!lapackPresent())
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return submit(
      h, double(n) * n * n * count <= BlasSmall::Level3,
      [=](Team &team) { forProblems(team, count, n <= SingleOrder, body); });
}

/// The row interchanges of one problem; where there are none, each row its own.
class Pivots {
public:
  Pivots(const int *all, uint64_t problem, int n)
      : given(all ? all + problem * n : nullptr), none(all ? 0 : n) {
    std::iota(none.begin(), none.end(), 1);
  }
  const int *get() const { return given ? given : none.data(); }

private:
  const int *given;
  std::vector<int> none;
};

/// LU factors without interchanges; the first pivot that is zero, or 0.
template <typename T> int factorsInPlace(int n, T *A, int64_t lda) {
  int zero = 0;
  for (int64_t k = 0; k < n; ++k) {
    const T pivot = A[k * lda + k];
    if (pivot == T(0)) {
      zero = zero ? zero : static_cast<int>(k) + 1;
      continue;
    }
    const T inverse = T(1) / pivot;
    for (int64_t i = k + 1; i < n; ++i)
      A[k * lda + i] = times(A[k * lda + i], inverse);
    for (int64_t j = k + 1; j < n; ++j) {
      const T factor = A[j * lda + k];
      for (int64_t i = k + 1; i < n; ++i)
        A[j * lda + i] -= times(factor, A[k * lda + i]);
    }
  }
  return zero;
}

template <typename T>
void copyMatrix(const T *from, int64_t ldFrom, T *to, int64_t ldTo, int n) {
  for (int64_t j = 0; j < n; ++j)
    std::copy_n(from + j * ldFrom, n, to + j * ldTo);
}

/// The inverse of what LU factors are of, in place.
template <typename T> int invert(int n, T *A, int lda, const int *pivots) {
  Workspace<T> work(size_t(n) * 64);
  int info = 0;
  blas<T, "getri">(n, A, lda, pivots, work.data(),
                   static_cast<int>(work.size()), &info);
  return info;
}

template <typename T>
cublasStatus_t getrfBatched(cublasHandle_t h, int n, T *const *A, int lda,
                            int *ipvt, int *info, int batchCount) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || batchCount < 0 || lda < std::max(1, n))
    return CUBLAS_STATUS_INVALID_VALUE;
  return factors(h, n, batchCount, [=](uint64_t i) {
    if (ipvt)
      blas<T, "getrf">(n, n, A[i], lda, ipvt + i * n, info + i);
    else
      info[i] = factorsInPlace(n, A[i], lda);
  });
}

template <typename T>
cublasStatus_t getriBatched(cublasHandle_t h, int n, const T *const *A, int lda,
                            const int *ipvt, T *const *C, int ldc, int *info,
                            int batchCount) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || batchCount < 0 || lda < std::max(1, n) || ldc < std::max(1, n))
    return CUBLAS_STATUS_INVALID_VALUE;
  return factors(h, n, batchCount, [=](uint64_t i) {
    const Pivots pivots(ipvt, i, n);
    copyMatrix(A[i], lda, C[i], ldc, n);
    info[i] = invert(n, C[i], ldc, pivots.get());
  });
}

template <typename T>
cublasStatus_t getrsBatched(cublasHandle_t h, cublasOperation_t trans, int n,
                            int nrhs, const T *const *A, int lda,
                            const int *ipvt, T *const *B, int ldb, int *info,
                            int batchCount) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!info)
    return CUBLAS_STATUS_INVALID_VALUE;
  *info = wrong(trans)           ? -1
          : n < 0                ? -2
          : nrhs < 0             ? -3
          : lda < std::max(1, n) ? -5
          : ldb < std::max(1, n) ? -8
                                 : 0;
  if (*info)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (batchCount <= 0)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  if (nrhs == 0)
    return CUBLAS_STATUS_SUCCESS;
  return factors(h, n, batchCount, [=](uint64_t i) {
    const Pivots pivots(ipvt, i, n);
    int own;
    blas<T, "getrs">(letter(trans), n, nrhs, A[i], lda, pivots.get(), B[i], ldb,
                     &own);
  });
}

template <typename T>
cublasStatus_t matinvBatched(cublasHandle_t h, int n, const T *const *A,
                             int lda, T *const *inverses, int ldInverse,
                             int *info, int batchCount) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || n > 32 || batchCount < 0 || lda < std::max(1, n) ||
      ldInverse < std::max(1, n))
    return CUBLAS_STATUS_INVALID_VALUE;
  return factors(h, n, batchCount, [=](uint64_t i) {
    int pivots[32];
    copyMatrix(A[i], lda, inverses[i], ldInverse, n);
    blas<T, "getrf">(n, n, inverses[i], ldInverse, pivots, info + i);
    if (info[i] == 0)
      info[i] = invert(n, inverses[i], ldInverse, pivots);
  });
}

template <typename T>
cublasStatus_t geqrfBatched(cublasHandle_t h, int m, int n, T *const *A,
                            int lda, T *const *tau, int *info, int batchCount) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!info)
    return CUBLAS_STATUS_INVALID_VALUE;
  *info = m < 0                  ? -1
          : n < 0                ? -2
          : lda < std::max(1, m) ? -4
          : batchCount < 0       ? -7
                                 : 0;
  if (*info)
    return CUBLAS_STATUS_INVALID_VALUE;
  return factors(h, std::min(m, n), batchCount, [=](uint64_t i) {
    Workspace<T> work(size_t(n) * 64);
    int own;
    blas<T, "geqrf">(m, n, A[i], lda, tau[i], work.data(),
                     static_cast<int>(work.size()), &own);
  });
}

template <typename T>
cublasStatus_t gelsBatched(cublasHandle_t h, cublasOperation_t trans, int m,
                           int n, int nrhs, T *const *A, int lda, T *const *C,
                           int ldc, int *info, int *devinfo, int batchCount) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!info)
    return CUBLAS_STATUS_INVALID_VALUE;
  // As in NVIDIA's: more equations than unknowns only.
  if (trans != CUBLAS_OP_N)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  *info = m < 0                  ? -2
          : n < 0                ? -3
          : nrhs < 0             ? -4
          : lda < std::max(1, m) ? -6
          : ldc < std::max(1, m) ? -8
          : batchCount < 0       ? -11
                                 : 0;
  if (*info)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0)
    return CUBLAS_STATUS_SUCCESS;
  if (m < n)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return factors(h, n, batchCount, [=](uint64_t i) {
    Workspace<T> work(size_t(m + n + nrhs) * 64);
    int own = 0;
    blas<T, "gels">('N', m, n, nrhs, A[i], lda, C[i], ldc, work.data(),
                    static_cast<int>(work.size()), &own);
    if (devinfo)
      devinfo[i] = own;
  });
}

} // namespace

} // namespace cufort::cublas

#include "cublas_BatchedFactors.inc"
