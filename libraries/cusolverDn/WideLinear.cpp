//===- WideLinear.cpp - linear systems of 64-bit sizes ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusolverDn/Linear.h"
#include "libraries/cusolverDn/Orthogonal.h"
#include "libraries/cusolverDn/Wide.h"

namespace cufort::cusolverDn {

namespace {

/// Has LAPACK's \p routine, whose pivots are int, solve a system that has been
/// factored.
template <typename T, typename Routine>
cusolverStatus_t solve(cusolverDnHandle_t handle, const T *A, int n, int lda,
                       const int64_t *ipiv, T *B, int nrhs, int ldb,
                       Routine routine) {
  return submit(handle, n, [=] {
    touchMatrix(A, n, n, lda);
    touchMatrix(B, n, nrhs, ldb);
    const std::vector<int> pivots(ipiv, ipiv + n);
    routine(pivots.data());
  });
}

} // namespace

cusolverStatus_t cusolverDnXpotrf_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
    int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda,
    cudaDataType computeType, size_t *workspaceInBytesOnDevice,
    size_t *workspaceInBytesOnHost) {
  return sizesOf(handle, workspaceInBytesOnDevice, workspaceInBytesOnHost, n,
                 agree(dataTypeA, {computeType}));
}

cusolverStatus_t
cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                 cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                 void *A, int64_t lda, cudaDataType computeType,
                 void *bufferOnDevice, size_t workspaceInBytesOnDevice,
                 void *bufferOnHost, size_t workspaceInBytesOnHost, int *info) {
  if (!fits({n, lda}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool agreeing = agree(dataTypeA, {computeType});
  return forTypes(handle, agreeing, dataTypeA, [&]<typename T>(T) {
    return potrf<T>(handle, uplo, int(n), static_cast<T *>(A), int(lda),
                    nullptr, 0, info);
  });
}

cusolverStatus_t
cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                 cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                 cudaDataType dataTypeA, const void *A, int64_t lda,
                 cudaDataType dataTypeB, void *B, int64_t ldb, int *info) {
  if (!fits({n, nrhs, lda, ldb}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool agreeing = agree(dataTypeA, {dataTypeB});
  return forTypes(handle, agreeing, dataTypeA, [&]<typename T>(T) {
    return potrs<T>(handle, uplo, int(n), int(nrhs), static_cast<const T *>(A),
                    int(lda), static_cast<T *>(B), int(ldb), info);
  });
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
    cudaDataType dataTypeA, const void *A, int64_t lda,
    cudaDataType computeType, size_t *workspaceInBytesOnDevice,
    size_t *workspaceInBytesOnHost) {
  return sizesOf(handle, workspaceInBytesOnDevice, workspaceInBytesOnHost,
                 std::max(m, n));
}

cusolverStatus_t
cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                 int64_t m, int64_t n, cudaDataType dataTypeA, void *A,
                 int64_t lda, int64_t *ipiv, cudaDataType computeType,
                 void *bufferOnDevice, size_t workspaceInBytesOnDevice,
                 void *bufferOnHost, size_t workspaceInBytesOnHost, int *info) {
  if (!fits({m, n, lda}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool agreeing = agree(dataTypeA, {});
  return forTypes(handle, agreeing, dataTypeA, [&]<typename T>(T) {
    const int rows = int(m), columns = int(n), ld = int(lda);
    auto *a = static_cast<T *>(A);
    if (auto wrong = check(handle, rows >= 0 && columns >= 0))
      return wrong;
    return submit(handle, std::max(rows, columns), [=] {
      // As getrf.
      if (!isLeading(ld, rows)) {
        *info = -4;
        return;
      }
      touchMatrix(a, rows, columns, ld);
      if (!ipiv) {
        *info = factorWithoutPivots(rows, columns, a, ld);
        return;
      }
      std::vector<int> pivots(size_t(std::max(1, std::min(rows, columns))));
      blas<T, "getrf">(rows, columns, a, ld, pivots.data(), info);
      std::copy_n(pivots.data(), std::min(rows, columns), ipiv);
    });
  });
}

cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle,
                                  cusolverDnParams_t params,
                                  cublasOperation_t trans, int64_t n,
                                  int64_t nrhs, cudaDataType dataTypeA,
                                  const void *A, int64_t lda,
                                  const int64_t *ipiv, cudaDataType dataTypeB,
                                  void *B, int64_t ldb, int *info) {
  if (!fits({n, nrhs, lda, ldb}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool agreeing = agree(dataTypeA, {dataTypeB});
  return forTypes(handle, agreeing, dataTypeA, [&]<typename T>(T) {
    const int order = int(n), columns = int(nrhs), ld = int(lda),
              right = int(ldb);
    const auto *a = static_cast<const T *>(A);
    auto *b = static_cast<T *>(B);
    if (!ipiv)
      return getrs<T>(handle, trans, order, columns, a, ld, nullptr, b, right,
                      info);
    if (auto wrong =
            check(handle, order >= 0 && columns >= 0 && isLeading(ld, order) &&
                              isLeading(right, order)))
      return wrong;
    return solve(handle, a, order, ld, ipiv, b, columns, right,
                 [=](const int *pivots) {
                   blas<T, "getrs">(letter(trans), order, columns, a, ld,
                                    pivots, b, right, info);
                 });
  });
}

cusolverStatus_t cusolverDnXsytrs_bufferSize(
    cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
    cudaDataType dataTypeA, const void *A, int64_t lda, const int64_t *ipiv,
    cudaDataType dataTypeB, void *B, int64_t ldb,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  return sizesOf(handle, workspaceInBytesOnDevice, workspaceInBytesOnHost, n);
}

cusolverStatus_t
cusolverDnXsytrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n,
                 int64_t nrhs, cudaDataType dataTypeA, const void *A,
                 int64_t lda, const int64_t *ipiv, cudaDataType dataTypeB,
                 void *B, int64_t ldb, void *bufferOnDevice,
                 size_t workspaceInBytesOnDevice, void *bufferOnHost,
                 size_t workspaceInBytesOnHost, int *info) {
  if (!fits({n, nrhs, lda, ldb}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  if (isLive(handle) && !agree(dataTypeA, {dataTypeB}))
    return CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  return forType(dataTypeA, [&]<typename T>(T) {
    const int order = int(n), columns = int(nrhs), ld = int(lda),
              right = int(ldb);
    const auto *a = static_cast<const T *>(A);
    auto *b = static_cast<T *>(B);
    if (auto wrong =
            check(handle, order >= 0 && columns >= 0 && isFill(uplo) && ipiv &&
                              isLeading(ld, order) && isLeading(right, order)))
      return wrong;
    return solve(handle, a, order, ld, ipiv, b, columns, right,
                 [=](const int *pivots) {
                   blas<T, "sytrs">(letter(uplo), order, columns, a, ld, pivots,
                                    b, right, info);
                 });
  });
}

cusolverStatus_t cusolverDnXtrtri_bufferSize(
    cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag,
    int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  if (isLive(handle) && !agree(dataTypeA, {}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sizesOf(handle, workspaceInBytesOnDevice, workspaceInBytesOnHost, n);
}

cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle,
                                  cublasFillMode_t uplo, cublasDiagType_t diag,
                                  int64_t n, cudaDataType dataTypeA, void *A,
                                  int64_t lda, void *bufferOnDevice,
                                  size_t workspaceInBytesOnDevice,
                                  void *bufferOnHost,
                                  size_t workspaceInBytesOnHost, int *devInfo) {
  if (!fits({n, lda}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  return forType(dataTypeA, [&]<typename T>(T) {
    const int order = int(n), ld = int(lda);
    auto *a = static_cast<T *>(A);
    if (auto wrong =
            check(handle, order >= 0 && isFill(uplo) && isLeading(ld, order)))
      return wrong;
    return submit(handle, order, [=] {
      touchMatrix(a, order, order, ld);
      blas<T, "trtri">(letter(uplo), diag == CUBLAS_DIAG_UNIT ? 'U' : 'N',
                       order, a, ld, devInfo);
    });
  });
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
    cudaDataType dataTypeA, const void *A, int64_t lda,
    cudaDataType dataTypeTau, const void *tau, cudaDataType computeType,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  return sizesOf(handle, workspaceInBytesOnDevice, workspaceInBytesOnHost,
                 std::max(m, n), agree(dataTypeA, {dataTypeTau, computeType}));
}

cusolverStatus_t
cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                 int64_t m, int64_t n, cudaDataType dataTypeA, void *A,
                 int64_t lda, cudaDataType dataTypeTau, void *tau,
                 cudaDataType computeType, void *bufferOnDevice,
                 size_t workspaceInBytesOnDevice, void *bufferOnHost,
                 size_t workspaceInBytesOnHost, int *info) {
  if (!fits({m, n, lda}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool agreeing = agree(dataTypeA, {dataTypeTau, computeType});
  return forTypes(handle, agreeing, dataTypeA, [&]<typename T>(T) {
    return geqrf<T>(handle, int(m), int(n), static_cast<T *>(A), int(lda),
                    static_cast<T *>(tau), nullptr, 0, info);
  });
}

cusolverStatus_t cusolverDnXlarft_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverDirectMode_t direct, cusolverStorevMode_t storev, int64_t n,
    int64_t k, cudaDataType dataTypeV, const void *V, int64_t ldv,
    cudaDataType dataTypeTau, const void *tau, cudaDataType dataTypeT, void *T,
    int64_t ldt, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
    size_t *workspaceInBytesOnHost) {
  return sizesOf(handle, workspaceInBytesOnDevice, workspaceInBytesOnHost, n,
                 agree(dataTypeV, {dataTypeTau, dataTypeT, computeType}));
}

cusolverStatus_t
cusolverDnXlarft(cusolverDnHandle_t handle, cusolverDnParams_t params,
                 cusolverDirectMode_t direct, cusolverStorevMode_t storev,
                 int64_t n, int64_t k, cudaDataType dataTypeV, const void *V,
                 int64_t ldv, cudaDataType dataTypeTau, const void *tau,
                 cudaDataType dataTypeT, void *factor, int64_t ldt,
                 cudaDataType computeType, void *bufferOnDevice,
                 size_t workspaceInBytesOnDevice, void *bufferOnHost,
                 size_t workspaceInBytesOnHost) {
  if (!fits({n, k, ldv, ldt}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool agreeing = agree(dataTypeV, {dataTypeTau, dataTypeT, computeType});
  return forTypes(handle, agreeing, dataTypeV, [&]<typename T>(T) {
    const int order = int(n), count = int(k), ldV = int(ldv), ldT = int(ldt);
    const auto *v = static_cast<const T *>(V);
    const auto *factors = static_cast<const T *>(tau);
    auto *result = static_cast<T *>(factor);
    if (auto wrong =
            check(handle, order >= 0 && count >= 0 && isLeading(ldT, count)))
      return wrong;
    return submit(handle, order, [=] {
      touchMatrix(result, count, count, ldT);
      blas<T, "larft">(direct == CUBLAS_DIRECT_FORWARD ? 'F' : 'B',
                       storev == CUBLAS_STOREV_COLUMNWISE ? 'C' : 'R', order,
                       count, v, ldV, factors, result, ldT);
    });
  });
}

} // namespace cufort::cusolverDn
