//===- Rotations.cpp - cuBLAS on the CPU: rotations of given types --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types of BLAS's go to the routine of that type. Half and bfloat16 become
// floats, and results are rounded once.
//
//===----------------------------------------------------------------------===//

#include "libraries/cublas/Types.h"
#include <array>

namespace cufort::cublas {

namespace {

bool isNarrow(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF;
}

float loadFloat(cudaDataType type, const void *a, int64_t i) {
  return static_cast<float>(loadAny(type, a, i).real());
}

/// Computes with scalars: at once where they are the host's.
template <typename Call> cublasStatus_t onScalars(cublasHandle_t h, Call call) {
  if (!onHost(h))
    return submit(h, true, [=](Team &) { call(); });
  call();
  return CUBLAS_STATUS_SUCCESS;
}

/// Scalars of one array, and their types.
struct Scalars {
  void *array;
  cudaDataType type;
};

/// call(floats) on \p all as an array of floats, which go back.
template <size_t N, typename Call>
cublasStatus_t onFloats(cublasHandle_t h, const std::array<Scalars, N> &all,
                        Call call) {
  return onScalars(h, [=] {
    std::array<float, N> floats;
    for (size_t i = 0; i < N; ++i)
      floats[i] = loadFloat(all[i].type, all[i].array, 0);
    call(floats);
    for (size_t i = 0; i < N; ++i)
      storeAny(all[i].type, all[i].array, 0, floats[i]);
  });
}

cublasStatus_t RotgEx(cublasHandle_t h, void *a, void *b, cudaDataType abType,
                      void *c, void *s, cudaDataType csType,
                      cudaDataType executiontype) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!a || !b || !c || !s)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (csType != abType)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto typed = [&]<typename T>(T) {
    return onScalars(h, [=] {
      blas<T, "rotg">(static_cast<T *>(a), static_cast<T *>(b),
                      static_cast<T *>(c), static_cast<T *>(s));
    });
  };
  if (abType == executiontype && abType == CUDA_R_32F)
    return typed(float());
  if (abType == executiontype && abType == CUDA_R_64F)
    return typed(double());
  if (!isNarrow(abType) || executiontype != CUDA_R_32F)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return onFloats<4>(h, {{{a, abType}, {b, abType}, {c, csType}, {s, csType}}},
                     [](std::array<float, 4> &x) {
                       blas<float, "rotg">(&x[0], &x[1], &x[2], &x[3]);
                     });
}

cublasStatus_t RotmgEx(cublasHandle_t h, void *d1, cudaDataType d1Type,
                       void *d2, cudaDataType d2Type, void *x1,
                       cudaDataType x1Type, const void *y1, cudaDataType y1Type,
                       void *param, cudaDataType paramType,
                       cudaDataType executiontype) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!d1 || !d2 || !x1 || !y1 || !param)
    return CUBLAS_STATUS_INVALID_VALUE;
  for (cudaDataType each : {d1Type, d2Type, x1Type, y1Type, paramType})
    if (each != executiontype)
      return CUBLAS_STATUS_NOT_SUPPORTED;
  if (executiontype == CUDA_R_32F)
    return cublas::cublasSrotmg_v2(
        h, static_cast<float *>(d1), static_cast<float *>(d2),
        static_cast<float *>(x1), static_cast<const float *>(y1),
        static_cast<float *>(param));
  if (executiontype == CUDA_R_64F)
    return cublas::cublasDrotmg_v2(
        h, static_cast<double *>(d1), static_cast<double *>(d2),
        static_cast<double *>(x1), static_cast<const double *>(y1),
        static_cast<double *>(param));
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

/// The matrix of rotm's parameters, by rows; the first of them is a flag.
std::array<float, 4> matrixOf(const std::array<float, 5> &p) {
  if (p[0] == -2)
    return {1, 0, 0, 1};
  if (p[0] == 0)
    return {1, p[3], p[2], 1};
  if (p[0] == 1)
    return {p[1], 1, -1, p[4]};
  return {p[1], p[3], p[2], p[4]};
}

cublasStatus_t RotmEx(cublasHandle_t h, int n, void *x, cudaDataType xType,
                      int incx, void *y, cudaDataType yType, int incy,
                      const void *param, cudaDataType paramType,
                      cudaDataType executiontype) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!param)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (xType == executiontype && yType == xType && paramType == xType) {
    if (xType == CUDA_R_32F)
      return cublas::cublasSrotm_v2(h, n, static_cast<float *>(x), incx,
                                    static_cast<float *>(y), incy,
                                    static_cast<const float *>(param));
    if (xType == CUDA_R_64F)
      return cublas::cublasDrotm_v2(h, n, static_cast<double *>(x), incx,
                                    static_cast<double *>(y), incy,
                                    static_cast<const double *>(param));
  }
  if (!isNarrow(xType) || yType != xType || executiontype != CUDA_R_32F ||
      paramType != xType)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto parameters = [=] {
    std::array<float, 5> values;
    for (int i = 0; i < 5; ++i)
      values[i] = loadFloat(paramType, param, i);
    return values;
  };
  const bool ofHost = onHost(h);
  const std::array<float, 5> values =
      ofHost ? parameters() : std::array<float, 5>();
  return submit(h, true, [=](Team &) {
    const auto [h11, h12, h21, h22] = matrixOf(ofHost ? values : parameters());
    for (int i = 0; i < n; ++i) {
      const int64_t a = vectorPlace(i, n, incx), b = vectorPlace(i, n, incy);
      const float p = loadFloat(xType, x, a), q = loadFloat(yType, y, b);
      storeAny(xType, x, a, h11 * p + h12 * q);
      storeAny(yType, y, b, h21 * p + h22 * q);
    }
  });
}

} // namespace

} // namespace cufort::cublas

#include "cublas_Rotations.inc"
