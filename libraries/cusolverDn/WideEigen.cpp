//===- WideEigen.cpp - eigenvalues and singular values ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusolverDn/Eigen.h"
#include "libraries/cusolverDn/Singular.h"
#include "libraries/cusolverDn/Wide.h"

namespace cufort::cusolverDn {

cusolverStatus_t cusolverDnXsyevd_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
    cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeW,
    const void *W, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
    size_t *workspaceInBytesOnHost) {
  return sizesOf(handle, workspaceInBytesOnDevice, workspaceInBytesOnHost, n,
                 agree(dataTypeA, {computeType}, {dataTypeW}));
}

cusolverStatus_t
cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                 cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                 cudaDataType dataTypeA, void *A, int64_t lda,
                 cudaDataType dataTypeW, void *W, cudaDataType computeType,
                 void *bufferOnDevice, size_t workspaceInBytesOnDevice,
                 void *bufferOnHost, size_t workspaceInBytesOnHost, int *info) {
  if (!fits({n, lda}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool agreeing = agree(dataTypeA, {computeType}, {dataTypeW});
  return forTypes(handle, agreeing, dataTypeA, [&]<typename T>(T) {
    return syevd<T>(handle, jobz, uplo, int(n), static_cast<T *>(A), int(lda),
                    static_cast<Real<T> *>(W), nullptr, 0, info);
  });
}

cusolverStatus_t cusolverDnXsyevBatched_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
    cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeW,
    const void *W, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
    size_t *workspaceInBytesOnHost, int64_t batchSize) {
  return sizesOf(handle, workspaceInBytesOnDevice, workspaceInBytesOnHost, n,
                 agree(dataTypeA, {computeType}, {dataTypeW}));
}

cusolverStatus_t cusolverDnXsyevBatched(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
    cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeW,
    void *W, cudaDataType computeType, void *bufferOnDevice,
    size_t workspaceInBytesOnDevice, void *bufferOnHost,
    size_t workspaceInBytesOnHost, int *info, int64_t batchSize) {
  if (!fits({n, lda, batchSize}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool agreeing = agree(dataTypeA, {computeType}, {dataTypeW});
  return forTypes(handle, agreeing, dataTypeA, [&]<typename T>(T) {
    const int order = int(n), ld = int(lda);
    auto *a = static_cast<T *>(A);
    auto *w = static_cast<Real<T> *>(W);
    if (auto wrong = check(handle, isEigenCall(jobz, uplo, order, ld) &&
                                       batchSize > 0 && batchSize <= INT_MAX))
      return wrong;
    return submitBatch(handle, int(batchSize), [=](uint64_t i) {
      info[i] = solveEigen<T>(letter(jobz), letter(uplo), order,
                              a + i * size_t(ld) * order, ld, w + i * order);
    });
  });
}

cusolverStatus_t cusolverDnXsyevdx_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,
    int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda, void *vl,
    void *vu, int64_t il, int64_t iu, int64_t *h_meig, cudaDataType dataTypeW,
    const void *W, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
    size_t *workspaceInBytesOnHost) {
  if (h_meig)
    *h_meig = n;
  return sizesOf(handle, workspaceInBytesOnDevice, workspaceInBytesOnHost, n,
                 agree(dataTypeA, {computeType}, {dataTypeW}));
}

cusolverStatus_t
cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params,
                  cusolverEigMode_t jobz, cusolverEigRange_t range,
                  cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                  void *A, int64_t lda, void *vl, void *vu, int64_t il,
                  int64_t iu, int64_t *meig64, cudaDataType dataTypeW, void *W,
                  cudaDataType computeType, void *bufferOnDevice,
                  size_t workspaceInBytesOnDevice, void *bufferOnHost,
                  size_t workspaceInBytesOnHost, int *info) {
  if (!fits({n, lda, il, iu}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool agreeing = agree(dataTypeA, {computeType}, {dataTypeW});
  return forTypes(handle, agreeing, dataTypeA, [&]<typename T>(T) {
    const bool byValue = range == CUSOLVER_EIG_RANGE_V;
    if (!meig64 || (byValue && (!vl || !vu)))
      return CUSOLVER_STATUS_INVALID_VALUE;
    int count = 0;
    const cusolverStatus_t status =
        syevdx<T>(handle, jobz, range, uplo, int(n), static_cast<T *>(A),
                  int(lda), byValue ? *static_cast<Real<T> *>(vl) : Real<T>(0),
                  byValue ? *static_cast<Real<T> *>(vu) : Real<T>(0), int(il),
                  int(iu), &count, static_cast<Real<T> *>(W), nullptr, 0, info);
    *meig64 = count;
    return status;
  });
}

cusolverStatus_t cusolverDnXgeev_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
    cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeW,
    const void *W, cudaDataType dataTypeVL, const void *VL, int64_t ldvl,
    cudaDataType dataTypeVR, const void *VR, int64_t ldvr,
    cudaDataType computeType, size_t *workspaceInBytesOnDevice,
    size_t *workspaceInBytesOnHost) {
  return sizesOf(handle, workspaceInBytesOnDevice, workspaceInBytesOnHost, n,
                 agree(dataTypeA, {dataTypeVL, dataTypeVR, computeType}));
}

cusolverStatus_t
cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t params,
                cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                cudaDataType dataTypeA, void *A, int64_t lda,
                cudaDataType dataTypeW, void *W, cudaDataType dataTypeVL,
                void *VL, int64_t ldvl, cudaDataType dataTypeVR, void *VR,
                int64_t ldvr, cudaDataType computeType, void *bufferOnDevice,
                size_t workspaceInBytesOnDevice, void *bufferOnHost,
                size_t workspaceInBytesOnHost, int *info) {
  if (!fits({n, lda, ldvl, ldvr}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool agreeing = agree(dataTypeA, {dataTypeVL, dataTypeVR, computeType});
  return forTypes(handle, agreeing, dataTypeA, [&]<typename T>(T) {
    const int order = int(n), ld = int(lda), left = int(ldvl),
              right = int(ldvr);
    const bool wantsLeft = jobvl == CUSOLVER_EIG_MODE_VECTOR,
               wantsRight = jobvr == CUSOLVER_EIG_MODE_VECTOR;
    // Of a real matrix the values are complex numbers, or their real parts and
    // then the imaginary ones.
    const bool complexValues =
        dataTypeW == CUDA_C_32F || dataTypeW == CUDA_C_64F;
    auto *a = static_cast<T *>(A);
    auto *vl = static_cast<T *>(VL);
    auto *vr = static_cast<T *>(VR);
    if (auto wrong =
            check(handle, order >= 0 && isLeading(ld, order) &&
                              (!wantsLeft || isLeading(left, order)) &&
                              (!wantsRight || isLeading(right, order)) &&
                              (complexValues || !IsComplex<T>)))
      return wrong;
    return submit(handle, order, [=] {
      touchMatrix(a, order, order, ld);
      std::vector<Real<T>> parts(size_t(std::max(1, 2 * order)));
      withWorkspace<T>([&](T *work, int lwork) {
        if constexpr (IsComplex<T>)
          blas<T, "geev">(letter(jobvl), letter(jobvr), order, a, ld,
                          static_cast<T *>(W), vl, std::max(1, left), vr,
                          std::max(1, right), work, lwork, parts.data(), info);
        else
          blas<T, "geev">(letter(jobvl), letter(jobvr), order, a, ld,
                          parts.data(), parts.data() + order, vl,
                          std::max(1, left), vr, std::max(1, right), work,
                          lwork, info);
      });
      if constexpr (!IsComplex<T>) {
        auto *values = static_cast<T *>(W);
        for (int i = 0; i < order; ++i) {
          values[complexValues ? 2 * i : i] = parts[size_t(i)];
          values[complexValues ? 2 * i + 1 : order + i] =
              parts[size_t(order + i)];
        }
      }
    });
  });
}

cusolverStatus_t cusolverDnXgesvd_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
    signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA,
    const void *A, int64_t lda, cudaDataType dataTypeS, const void *S,
    cudaDataType dataTypeU, const void *U, int64_t ldu, cudaDataType dataTypeVT,
    const void *VT, int64_t ldvt, cudaDataType computeType,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  return sizesOf(
      handle, workspaceInBytesOnDevice, workspaceInBytesOnHost, std::max(m, n),
      m >= n &&
          agree(dataTypeA, {dataTypeU, dataTypeVT, computeType}, {dataTypeS}));
}

cusolverStatus_t
cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                 signed char jobu, signed char jobvt, int64_t m, int64_t n,
                 cudaDataType dataTypeA, void *A, int64_t lda,
                 cudaDataType dataTypeS, void *S, cudaDataType dataTypeU,
                 void *U, int64_t ldu, cudaDataType dataTypeVT, void *VT,
                 int64_t ldvt, cudaDataType computeType, void *bufferOnDevice,
                 size_t workspaceInBytesOnDevice, void *bufferOnHost,
                 size_t workspaceInBytesOnHost, int *info) {
  if (!fits({m, n, lda, ldu, ldvt}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool agreeing =
      agree(dataTypeA, {dataTypeU, dataTypeVT, computeType}, {dataTypeS});
  return forTypes(handle, agreeing, dataTypeA, [&]<typename T>(T) {
    return gesvd<T>(handle, jobu, jobvt, int(m), int(n), static_cast<T *>(A),
                    int(lda), static_cast<Real<T> *>(S), static_cast<T *>(U),
                    int(ldu), static_cast<T *>(VT), int(ldvt), nullptr, 0,
                    nullptr, info);
  });
}

cusolverStatus_t cusolverDnXgesvdp_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
    cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeS,
    const void *S, cudaDataType dataTypeU, const void *U, int64_t ldu,
    cudaDataType dataTypeV, const void *V, int64_t ldv,
    cudaDataType computeType, size_t *workspaceInBytesOnDevice,
    size_t *workspaceInBytesOnHost) {
  return sizesOf(
      handle, workspaceInBytesOnDevice, workspaceInBytesOnHost, std::max(m, n),
      agree(dataTypeA, {dataTypeU, dataTypeV, computeType}, {dataTypeS}));
}

cusolverStatus_t cusolverDnXgesvdp(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
    cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeS,
    void *S, cudaDataType dataTypeU, void *U, int64_t ldu,
    cudaDataType dataTypeV, void *V, int64_t ldv, cudaDataType computeType,
    void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
    size_t workspaceInBytesOnHost, int *d_info, double *h_err_sigma) {
  if (!fits({m, n, lda, ldu, ldv}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool agreeing =
      agree(dataTypeA, {dataTypeU, dataTypeV, computeType}, {dataTypeS});
  return forTypes(handle, agreeing, dataTypeA, [&]<typename T>(T) {
    const int rows = int(m), columns = int(n), ld = int(lda);
    const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
    auto *a = static_cast<T *>(A);
    auto *s = static_cast<Real<T> *>(S);
    auto *u = static_cast<T *>(U);
    auto *v = static_cast<T *>(V);
    if (auto wrong =
            check(handle, rows >= 0 && columns >= 0 && isLeading(ld, rows) &&
                              (vectors || jobz == CUSOLVER_EIG_MODE_NOVECTOR) &&
                              ldu > 0 && ldv > 0 &&
                              (!vectors || (isLeading(int(ldu), rows) &&
                                            isLeading(int(ldv), columns)))))
      return wrong;
    // The disturbance that NVIDIA's method reports; there is none here.
    if (h_err_sigma)
      *h_err_sigma = 0;
    return submit(handle, std::max(rows, columns), [=] {
      touchMatrix(a, rows, columns, ld);
      *d_info = solveSingularPairs<T>(vectors, econ, rows, columns, a, ld, s, u,
                                      int(ldu), v, int(ldv));
    });
  });
}

cusolverStatus_t cusolverDnXgesvdr_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
    signed char jobv, int64_t m, int64_t n, int64_t k, int64_t p,
    int64_t niters, cudaDataType dataTypeA, const void *A, int64_t lda,
    cudaDataType dataTypeSrand, const void *Srand, cudaDataType dataTypeUrand,
    const void *Urand, int64_t ldUrand, cudaDataType dataTypeVrand,
    const void *Vrand, int64_t ldVrand, cudaDataType computeType,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  return sizesOf(handle, workspaceInBytesOnDevice, workspaceInBytesOnHost,
                 std::max(m, n),
                 agree(dataTypeA, {dataTypeUrand, dataTypeVrand, computeType},
                       {dataTypeSrand}));
}

cusolverStatus_t
cusolverDnXgesvdr(cusolverDnHandle_t handle, cusolverDnParams_t params,
                  signed char jobu, signed char jobv, int64_t m, int64_t n,
                  int64_t k, int64_t p, int64_t niters, cudaDataType dataTypeA,
                  void *A, int64_t lda, cudaDataType dataTypeSrand, void *Srand,
                  cudaDataType dataTypeUrand, void *Urand, int64_t ldUrand,
                  cudaDataType dataTypeVrand, void *Vrand, int64_t ldVrand,
                  cudaDataType computeType, void *bufferOnDevice,
                  size_t workspaceInBytesOnDevice, void *bufferOnHost,
                  size_t workspaceInBytesOnHost, int *d_info) {
  if (!fits({m, n, k, p, niters, lda, ldUrand, ldVrand}))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool agreeing = agree(
      dataTypeA, {dataTypeUrand, dataTypeVrand, computeType}, {dataTypeSrand});
  return forTypes(handle, agreeing, dataTypeA, [&]<typename T>(T) {
    const int rows = int(m), columns = int(n), ld = int(lda), wanted = int(k);
    const int least = std::min(rows, columns);
    auto *a = static_cast<T *>(A);
    auto *s = static_cast<Real<T> *>(Srand);
    auto *u = static_cast<T *>(Urand);
    auto *v = static_cast<T *>(Vrand);
    const bool left = jobu == 'S', right = jobv == 'S';
    if (auto wrong =
            check(handle, rows >= 0 && columns >= 0 && isLeading(ld, rows) &&
                              wanted >= 0 && wanted <= least &&
                              (!left || isLeading(int(ldUrand), rows)) &&
                              (!right || isLeading(int(ldVrand), columns))))
      return wrong;
    // All values are computed, not some by chance; the first ones are given.
    return submit(handle, std::max(rows, columns), [=] {
      touchMatrix(a, rows, columns, ld);
      std::vector<T> us(size_t(std::max(1, rows)) * std::max(1, least)),
          vs(size_t(std::max(1, columns)) * std::max(1, least));
      std::vector<Real<T>> values(size_t(std::max(1, least)));
      *d_info = solveSingularPairs<T>(
          left || right, true, rows, columns, a, ld, values.data(), us.data(),
          std::max(1, rows), vs.data(), std::max(1, columns));
      std::copy_n(values.data(), wanted, s);
      for (int j = 0; j < wanted; ++j) {
        if (left)
          std::copy_n(us.data() + size_t(j) * rows, rows,
                      u + size_t(j) * size_t(ldUrand));
        if (right)
          std::copy_n(vs.data() + size_t(j) * columns, columns,
                      v + size_t(j) * size_t(ldVrand));
      }
    });
  });
}

} // namespace cufort::cusolverDn
