//===- ExtendedVectors.cpp - cuBLAS on the CPU: vectors of given types ----===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors of one type and of BLAS's go to the routine of that type; those of
// half and bfloat16 are computed one element after the other.
//
//===----------------------------------------------------------------------===//

#include "libraries/cublas/Types.h"

namespace cufort::cublas {

namespace {

using Number = std::complex<double>;

bool isNarrow(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF;
}
/// Whether all vectors, scalars and sums have the type \p type.
bool are(cudaDataType type, std::initializer_list<cudaDataType> types) {
  for (cudaDataType each : types)
    if (each != type)
      return false;
  return true;
}
cudaDataType realOf(cudaDataType type) {
  return type == CUDA_C_32F   ? CUDA_R_32F
         : type == CUDA_C_64F ? CUDA_R_64F
                              : type;
}

/// Returns what the routines S, D, C and Z return for \p type; T is its type, R
/// that of its real numbers.
#define CUFORT_TYPED(type, S, D, C, Z, arguments)                              \
  switch (type) {                                                              \
    CUFORT_CASE(CUDA_R_32F, float, float, S, arguments)                        \
    CUFORT_CASE(CUDA_R_64F, double, double, D, arguments)                      \
    CUFORT_CASE(CUDA_C_32F, cuComplex, float, C, arguments)                    \
    CUFORT_CASE(CUDA_C_64F, cuDoubleComplex, double, Z, arguments)             \
  default:                                                                     \
    return CUBLAS_STATUS_NOT_SUPPORTED;                                        \
  }
#define CUFORT_CASE(type, Type, Real, name, arguments)                         \
  case type: {                                                                 \
    using T [[maybe_unused]] = Type;                                           \
    using R [[maybe_unused]] = Real;                                           \
    return cublas::cublas##name##_v2 arguments;                                \
  }

/// A sum over elements of narrow types, whose \p element(i) are numbers.
template <typename Element, typename Finish>
cublasStatus_t sumOf(cublasHandle_t h, int n, void *result,
                     cudaDataType resultType, Element element, Finish finish) {
  if (!result)
    return CUBLAS_STATUS_INVALID_VALUE;
  return submit(
      h, true,
      [=](Team &) {
        double sum = 0;
        for (int i = 0; i < n; ++i)
          sum += element(i);
        storeAny(resultType, result, 0, finish(sum));
      },
      onHost(h));
}

/// Something done to each pair of elements of narrow types.
template <typename Element>
cublasStatus_t forElements(cublasHandle_t h, int n, Element element) {
  return submit(h, true, [=](Team &) {
    for (int i = 0; i < n; ++i)
      element(i);
  });
}

constexpr auto Same = [](double sum) { return sum; };

cublasStatus_t Nrm2Ex(cublasHandle_t h, int n, const void *x,
                      cudaDataType xtype, int incx, void *result,
                      cudaDataType resulttype, cudaDataType executiontype) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!areTypes({xtype, resulttype, executiontype}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (isNarrow(xtype) && resulttype == xtype && executiontype == CUDA_R_32F)
    return sumOf(
        h, incx < 1 ? 0 : n, result, resulttype,
        [=](int i) { return std::norm(loadAny(xtype, x, int64_t(i) * incx)); },
        [](double sum) { return std::sqrt(sum); });
  if (!are(realOf(xtype), {resulttype, executiontype}))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  CUFORT_TYPED(
      xtype, Snrm2, Dnrm2, Scnrm2, Dznrm2,
      (h, n, static_cast<const T *>(x), incx, static_cast<R *>(result)))
}
cublasStatus_t AsumEx(cublasHandle_t h, int n, const void *x,
                      cudaDataType xtype, int incx, void *result,
                      cudaDataType resulttype, cudaDataType executiontype) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (isNarrow(xtype) && are(CUDA_R_32F, {resulttype, executiontype}))
    return sumOf(
        h, incx < 1 ? 0 : n, result, resulttype,
        [=](int i) { return std::abs(loadAny(xtype, x, int64_t(i) * incx)); },
        Same);
  if (resulttype != realOf(xtype) || executiontype != xtype)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  CUFORT_TYPED(
      xtype, Sasum, Dasum, Scasum, Dzasum,
      (h, n, static_cast<const T *>(x), incx, static_cast<R *>(result)))
}

template <bool Conjugated>
cublasStatus_t dotOf(cublasHandle_t h, int n, const void *x, cudaDataType xtype,
                     int incx, const void *y, cudaDataType ytype, int incy,
                     void *result, cudaDataType resulttype,
                     cudaDataType executiontype) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!areTypes({xtype, ytype, resulttype, executiontype}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!result)
    return CUBLAS_STATUS_MAPPING_ERROR;
  if (isNarrow(xtype) && are(xtype, {ytype, resulttype}) &&
      executiontype == CUDA_R_32F)
    return sumOf(
        h, n, result, resulttype,
        [=](int i) {
          return loadAny(xtype, x, vectorPlace(i, n, incx)).real() *
                 loadAny(ytype, y, vectorPlace(i, n, incy)).real();
        },
        Same);
  if (!are(xtype, {ytype, resulttype, executiontype}))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if constexpr (Conjugated)
    CUFORT_TYPED(xtype, Sdot, Ddot, Cdotc, Zdotc,
                 (h, n, static_cast<const T *>(x), incx,
                  static_cast<const T *>(y), incy, static_cast<T *>(result)))
  else
    CUFORT_TYPED(xtype, Sdot, Ddot, Cdotu, Zdotu,
                 (h, n, static_cast<const T *>(x), incx,
                  static_cast<const T *>(y), incy, static_cast<T *>(result)))
}
cublasStatus_t DotEx(cublasHandle_t h, int n, const void *x, cudaDataType xtype,
                     int incx, const void *y, cudaDataType ytype, int incy,
                     void *result, cudaDataType resulttype,
                     cudaDataType executiontype) {
  return dotOf<false>(h, n, x, xtype, incx, y, ytype, incy, result, resulttype,
                      executiontype);
}
cublasStatus_t DotcEx(cublasHandle_t h, int n, const void *x,
                      cudaDataType xtype, int incx, const void *y,
                      cudaDataType ytype, int incy, void *result,
                      cudaDataType resulttype, cudaDataType executiontype) {
  return dotOf<true>(h, n, x, xtype, incx, y, ytype, incy, result, resulttype,
                     executiontype);
}

cublasStatus_t ScalEx(cublasHandle_t h, int n, const void *alpha,
                      cudaDataType alphatype, void *x, cudaDataType xtype,
                      int incx, cudaDataType executiontype) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha || !areTypes({alphatype, xtype, executiontype}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (isNarrow(xtype) && are(CUDA_R_32F, {alphatype, executiontype})) {
    const AnyScalar a(h, alpha, alphatype);
    return forElements(h, incx < 1 ? 0 : n, [=](int i) {
      const int64_t at = int64_t(i) * incx;
      storeAny(xtype, x, at, a() * loadAny(xtype, x, at));
    });
  }
  if (!are(xtype, {alphatype, executiontype}))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  CUFORT_TYPED(xtype, Sscal, Dscal, Cscal, Zscal,
               (h, n, static_cast<const T *>(alpha), static_cast<T *>(x), incx))
}
cublasStatus_t AxpyEx(cublasHandle_t h, int n, const void *alpha,
                      cudaDataType alphatype, const void *x, cudaDataType xtype,
                      int incx, void *y, cudaDataType ytype, int incy,
                      cudaDataType executiontype) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha || !areTypes({alphatype, xtype, ytype, executiontype}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (isNarrow(xtype) && xtype == ytype &&
      are(CUDA_R_32F, {alphatype, executiontype})) {
    const AnyScalar a(h, alpha, alphatype);
    return forElements(h, n, [=](int i) {
      const int64_t at = vectorPlace(i, n, incy);
      storeAny(ytype, y, at,
               a() * loadAny(xtype, x, vectorPlace(i, n, incx)) +
                   loadAny(ytype, y, at));
    });
  }
  if (!are(xtype, {alphatype, ytype, executiontype}))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  CUFORT_TYPED(xtype, Saxpy, Daxpy, Caxpy, Zaxpy,
               (h, n, static_cast<const T *>(alpha), static_cast<const T *>(x),
                incx, static_cast<T *>(y), incy))
}

cublasStatus_t CopyEx(cublasHandle_t h, int n, const void *x,
                      cudaDataType xtype, int incx, void *y, cudaDataType ytype,
                      int incy) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (isNarrow(xtype) && xtype == ytype)
    return forElements(h, n, [=](int i) {
      storeAny(ytype, y, vectorPlace(i, n, incy),
               loadAny(xtype, x, vectorPlace(i, n, incx)));
    });
  if (xtype != ytype)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  CUFORT_TYPED(
      xtype, Scopy, Dcopy, Ccopy, Zcopy,
      (h, n, static_cast<const T *>(x), incx, static_cast<T *>(y), incy))
}
cublasStatus_t SwapEx(cublasHandle_t h, int n, void *x, cudaDataType xtype,
                      int incx, void *y, cudaDataType ytype, int incy) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (isNarrow(xtype) && xtype == ytype)
    return forElements(h, n, [=](int i) {
      const int64_t a = vectorPlace(i, n, incx), b = vectorPlace(i, n, incy);
      const Number kept = loadAny(xtype, x, a);
      storeAny(xtype, x, a, loadAny(ytype, y, b));
      storeAny(ytype, y, b, kept);
    });
  if (xtype != ytype)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  CUFORT_TYPED(xtype, Sswap, Dswap, Cswap, Zswap,
               (h, n, static_cast<T *>(x), incx, static_cast<T *>(y), incy))
}

template <bool Greatest, typename Index>
cublasStatus_t extremeOf(cublasHandle_t h, int n, const void *x,
                         cudaDataType xtype, int incx, Index *result) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!isNarrow(xtype) && realOf(xtype) != CUDA_R_32F &&
      realOf(xtype) != CUDA_R_64F)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return submit(
      h, n <= 8192,
      [=](Team &) {
        Index best = 0;
        double value = 0;
        for (int i = 0; incx > 0 && i < n; ++i) {
          const Number e = loadAny(xtype, x, int64_t(i) * incx);
          const double size = std::abs(e.real()) + std::abs(e.imag());
          if (i == 0 || (Greatest ? size > value : size < value))
            value = size, best = i + 1;
        }
        *result = best;
      },
      onHost(h));
}
template <typename Index>
cublasStatus_t IamaxEx(cublasHandle_t h, int n, const void *x,
                       cudaDataType xtype, int incx, Index *result) {
  return extremeOf<true>(h, n, x, xtype, incx, result);
}
template <typename Index>
cublasStatus_t IaminEx(cublasHandle_t h, int n, const void *x,
                       cudaDataType xtype, int incx, Index *result) {
  return extremeOf<false>(h, n, x, xtype, incx, result);
}

cublasStatus_t RotEx(cublasHandle_t h, int n, void *x, cudaDataType xtype,
                     int incx, void *y, cudaDataType ytype, int incy,
                     const void *c, const void *s, cudaDataType cstype,
                     cudaDataType executiontype) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!c || !s)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (isNarrow(xtype) && are(xtype, {ytype, cstype}) &&
      executiontype == CUDA_R_32F) {
    const AnyScalar cosine(h, c, cstype), sine(h, s, cstype);
    return forElements(h, n, [=](int i) {
      const int64_t a = vectorPlace(i, n, incx), b = vectorPlace(i, n, incy);
      const Number p = loadAny(xtype, x, a), q = loadAny(ytype, y, b);
      storeAny(xtype, x, a, cosine() * p + sine() * q);
      storeAny(ytype, y, b, cosine() * q - sine() * p);
    });
  }
  if (!are(xtype, {ytype, executiontype}) ||
      (cstype != xtype && cstype != realOf(xtype)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (cstype == realOf(xtype))
    CUFORT_TYPED(xtype, Srot, Drot, Csrot, Zdrot,
                 (h, n, static_cast<T *>(x), incx, static_cast<T *>(y), incy,
                  static_cast<const R *>(c), static_cast<const R *>(s)))
  // The cosine comes as a complex number here.
  CUFORT_TYPED(xtype, Srot, Drot, Crot, Zrot,
               (h, n, static_cast<T *>(x), incx, static_cast<T *>(y), incy,
                static_cast<const R *>(c), static_cast<const T *>(s)))
}

} // namespace

} // namespace cufort::cublas

#include "cublas_ExtendedVectors.inc"
