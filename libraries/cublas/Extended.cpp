//===- Extended.cpp - cuBLAS on the CPU: products of given types ----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Half, bfloat16 and 8-bit numbers become floats (doubles where integers are
// summed, which are exact then), are multiplied by BLAS, and the sums rounded
// once at the end.
//
//===----------------------------------------------------------------------===//

#include "libraries/cublas/Batched.h"
#include "libraries/cublas/Gemv.h"
#include "libraries/cublas/Types.h"
#include <optional>
#include <vector>

namespace cufort::cublas {

int scalarTypeOf(cublasComputeType_t compute, const TypedProduct &p) {
  const cudaDataType in = p.typeA, out = p.typeC;
  if (p.typeB != in)
    return -1;
  const bool narrow = in == CUDA_R_16F || in == CUDA_R_16BF;
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return in == CUDA_R_16F && out == in ? CUDA_R_16F : -1;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
  case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
    if (in == CUDA_C_32F && out == in)
      return CUDA_C_32F;
    if ((in == CUDA_R_32F && out == in) ||
        (narrow && (out == in || out == CUDA_R_32F)) ||
        (in == CUDA_R_8I && out == CUDA_R_32F))
      return CUDA_R_32F;
    return -1;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
  case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
    return in == out && (in == CUDA_R_64F || in == CUDA_C_64F) ? in : -1;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return in == CUDA_R_8I && out == CUDA_R_32I ? CUDA_R_32I : -1;
  }
  return -1;
}

namespace {

/// The elements of a matrix as Ws: its own, or converted ones.
template <typename W> class Wide {
public:
  Wide(cudaDataType own, cudaDataType type, const void *a, int rows,
       int columns, int64_t ld) {
    if (type == own) {
      elements = static_cast<const W *>(a);
      leading = static_cast<int>(ld);
      return;
    }
    leading = std::max(1, rows);
    converted.resize(size_t(leading) * columns);
    withType<W>(type, [&](auto load, auto) {
      for (int64_t j = 0; j < columns; ++j)
        for (int64_t i = 0; i < rows; ++i)
          converted[j * leading + i] = load(a, j * ld + i);
    });
    elements = converted.data();
  }
  const W *elements;
  int leading;

private:
  std::vector<W> converted;
};

template <typename W>
void compute(cudaDataType own, const TypedProduct &p, W alpha, const void *A,
             const void *B, W beta, const void *C, void *D, int64_t ldd,
             unsigned threads) {
  const Wide<W> a(own, p.typeA, A, p.rowsA(), p.columnsA(), p.lda),
      b(own, p.typeB, B, p.rowsB(), p.columnsB(), p.ldb);
  const bool direct = p.typeC == own && C == D && p.ldc == ldd;
  std::vector<W> sums;
  W *c = static_cast<W *>(D);
  int ldc = static_cast<int>(ldd);
  if (!direct) {
    ldc = std::max(1, p.m);
    sums.resize(size_t(ldc) * p.n);
    c = sums.data();
    if (beta != W(0))
      withType<W>(p.typeC, [&](auto load, auto) {
        for (int64_t j = 0; j < p.n; ++j)
          for (int64_t i = 0; i < p.m; ++i)
            c[j * ldc + i] = load(C, j * p.ldc + i);
      });
  }
  {
    std::optional<BlasThreads> setting;
    if (threads)
      setting.emplace(threads);
    blas<W, "gemm">(letter(p.transa), letter(p.transb), p.m, p.n, p.k, alpha,
                    a.elements, a.leading, b.elements, b.leading, beta, c, ldc);
  }
  if (!direct)
    withType<W>(p.typeC, [&](auto, auto store) {
      for (int64_t j = 0; j < p.n; ++j)
        for (int64_t i = 0; i < p.m; ++i)
          store(D, j * ldd + i, c[j * ldc + i]);
    });
}

} // namespace

void computeProduct(const TypedProduct &p, std::complex<double> alpha,
                    const void *A, const void *B, std::complex<double> beta,
                    const void *C, void *D, int64_t ldd, unsigned threads) {
  if (p.typeA == CUDA_C_64F)
    return compute<std::complex<double>>(CUDA_C_64F, p, alpha, A, B, beta, C, D,
                                         ldd, threads);
  if (p.typeA == CUDA_C_32F)
    return compute(CUDA_C_32F, p, std::complex<float>(alpha), A, B,
                   std::complex<float>(beta), C, D, ldd, threads);
  if (p.typeA == CUDA_R_64F || p.typeC == CUDA_R_32I)
    return compute(CUDA_R_64F, p, alpha.real(), A, B, beta.real(), C, D, ldd,
                   threads);
  compute(CUDA_R_32F, p, static_cast<float>(alpha.real()), A, B,
          static_cast<float>(beta.real()), C, D, ldd, threads);
}

namespace {

/// All products of a given kind; in(i) is where the arrays of problem i are.
template <typename InA, typename InB, typename InC>
cublasStatus_t products(cublasHandle_t h, const TypedProduct &p,
                        cublasComputeType_t computeType, const void *alpha,
                        InA a, InB b, const void *beta, InC c, int count) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha || !beta || p.isWrong())
    return CUBLAS_STATUS_INVALID_VALUE;
  if (count < 0)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  if (!areTypes({p.typeC}))
    return CUBLAS_STATUS_INVALID_VALUE;
  const int scalarType = scalarTypeOf(computeType, p);
  if (scalarType < 0)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (p.m == 0 || p.n == 0 || count == 0)
    return CUBLAS_STATUS_SUCCESS;
  const AnyScalar x(h, alpha, static_cast<cudaDataType>(scalarType)),
      y(h, beta, static_cast<cudaDataType>(scalarType));
  const double work = double(p.m) * p.n * p.k;
  const bool single = work <= BlasSmall::Level3;
  return submit(h, work * count <= BlasSmall::Level3, [=](Team &team) {
    const std::complex<double> factor = x(), kept = y();
    if (count == 1)
      return computeProduct(p, factor, a(0), b(0), kept, c(0), c(0), p.ldc,
                            single ? 0 : team.threads());
    forProblems(team, count, single, [&](uint64_t i) {
      computeProduct(p, factor, a(i), b(i), kept, c(i), c(i), p.ldc, 0);
    });
  });
}

/// The algorithms that have a name; all are the same here.
bool isAlgorithm(cublasGemmAlgo_t algo) {
  return (algo >= CUBLAS_GEMM_DEFAULT && algo <= CUBLAS_GEMM_ALGO23) ||
         (algo >= CUBLAS_GEMM_DEFAULT_TENSOR_OP &&
          algo <= CUBLAS_GEMM_ALGO15_TENSOR_OP) ||
         algo == CUBLAS_GEMM_AUTOTUNE;
}

/// As AtStride, of elements of a given type.
template <typename Void> struct AtTypedStride {
  Void *first;
  long long bytes;
  Void *operator()(uint64_t i) const {
    using Byte = std::conditional_t<std::is_const_v<Void>, const char, char>;
    return static_cast<Byte *>(first) + static_cast<int64_t>(i) * bytes;
  }
};

cublasStatus_t GemmStridedBatchedEx(
    cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int m,
    int n, int k, const void *alpha, const void *A, cudaDataType typeA, int lda,
    long long strideA, const void *B, cudaDataType typeB, int ldb,
    long long strideB, const void *beta, void *C, cudaDataType typeC, int ldc,
    long long strideC, int batchCount, cublasComputeType_t computeType,
    cublasGemmAlgo_t algo) {
  if (isValid(h) && !isAlgorithm(algo))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = [](long long stride, cudaDataType type) {
    return stride * static_cast<long long>(sizeOf(type));
  };
  return products(
      h, {transa, transb, m, n, k, typeA, typeB, typeC, lda, ldb, ldc},
      computeType, alpha, AtTypedStride<const void>{A, bytes(strideA, typeA)},
      AtTypedStride<const void>{B, bytes(strideB, typeB)}, beta,
      AtTypedStride<void>{C, bytes(strideC, typeC)}, batchCount);
}
cublasStatus_t GemmEx(cublasHandle_t h, cublasOperation_t transa,
                      cublasOperation_t transb, int m, int n, int k,
                      const void *alpha, const void *A, cudaDataType typeA,
                      int lda, const void *B, cudaDataType typeB, int ldb,
                      const void *beta, void *C, cudaDataType typeC, int ldc,
                      cublasComputeType_t computeType, cublasGemmAlgo_t algo) {
  return GemmStridedBatchedEx(h, transa, transb, m, n, k, alpha, A, typeA, lda,
                              0, B, typeB, ldb, 0, beta, C, typeC, ldc, 0, 1,
                              computeType, algo);
}
cublasStatus_t GemmBatchedEx(
    cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int m,
    int n, int k, const void *alpha, const void *const *Aarray,
    cudaDataType typeA, int lda, const void *const *Barray, cudaDataType typeB,
    int ldb, const void *beta, void *const *Carray, cudaDataType typeC, int ldc,
    int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo) {
  if (isValid(h) && !isAlgorithm(algo))
    return CUBLAS_STATUS_INVALID_VALUE;
  return products(h,
                  {transa, transb, m, n, k, typeA, typeB, typeC, lda, ldb, ldc},
                  computeType, alpha, AtAddresses<const void>{Aarray},
                  AtAddresses<const void>{Barray}, beta,
                  AtAddresses<void>{Carray}, batchCount);
}

/// SgemmEx, CgemmEx: products of floats of whatever the arrays hold.
template <typename T>
cublasStatus_t gemmOfTypes(cublasHandle_t h, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k,
                           const T *alpha, const void *A, cudaDataType typeA,
                           int lda, const void *B, cudaDataType typeB, int ldb,
                           const T *beta, void *C, cudaDataType typeC,
                           int ldc) {
  if (isValid(h) &&
      (!areTypes({typeC}) || (!IsComplex<T> && typeA == CUDA_C_32F)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return GemmEx(h, transa, transb, m, n, k, alpha, A, typeA, lda, B, typeB, ldb,
                beta, C, typeC, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t halfGemm(cublasHandle_t h, cublasOperation_t transa,
                        cublasOperation_t transb, int m, int n, int k,
                        const __half *alpha, const __half *A, int lda,
                        const __half *B, int ldb, const __half *beta, __half *C,
                        int ldc) {
  return GemmEx(h, transa, transb, m, n, k, alpha, A, CUDA_R_16F, lda, B,
                CUDA_R_16F, ldb, beta, C, CUDA_R_16F, ldc, CUBLAS_COMPUTE_16F,
                CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t halfGemmBatched(cublasHandle_t h, cublasOperation_t transa,
                               cublasOperation_t transb, int m, int n, int k,
                               const __half *alpha, const __half *const *A,
                               int lda, const __half *const *B, int ldb,
                               const __half *beta, __half *const *C, int ldc,
                               int batchCount) {
  if (isValid(h) && batchCount < 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  return products(h,
                  {transa, transb, m, n, k, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F,
                   lda, ldb, ldc},
                  CUBLAS_COMPUTE_16F, alpha, AtAddresses<const __half>{A},
                  AtAddresses<const __half>{B}, beta, AtAddresses<__half>{C},
                  batchCount);
}
cublasStatus_t halfGemmStridedBatched(
    cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int m,
    int n, int k, const __half *alpha, const __half *A, int lda,
    long long strideA, const __half *B, int ldb, long long strideB,
    const __half *beta, __half *C, int ldc, long long strideC, int batchCount) {
  if (isValid(h) && batchCount < 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  return GemmStridedBatchedEx(h, transa, transb, m, n, k, alpha, A, CUDA_R_16F,
                              lda, strideA, B, CUDA_R_16F, ldb, strideB, beta,
                              C, CUDA_R_16F, ldc, strideC, batchCount,
                              CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

template <typename Integer>
cublasStatus_t GemmGroupedBatchedEx(
    cublasHandle_t h, const cublasOperation_t *transa,
    const cublasOperation_t *transb, const Integer *m, const Integer *n,
    const Integer *k, const void *alpha, const void *const *Aarray,
    cudaDataType typeA, const Integer *lda, const void *const *Barray,
    cudaDataType typeB, const Integer *ldb, const void *beta,
    void *const *Carray, cudaDataType typeC, const Integer *ldc, Integer groups,
    const Integer *sizes, cublasComputeType_t computeType) {
  if (isValid(h) && (!transa || !transb))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (isValid(h) && !areTypes({typeC}))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const int scalarType =
      scalarTypeOf(computeType, {CUBLAS_OP_N, CUBLAS_OP_N, 0, 0, 0, typeA,
                                 typeB, typeC, 1, 1, 1});
  const size_t bytes =
      scalarType < 0 ? 0 : sizeOf(static_cast<cudaDataType>(scalarType));
  const auto scalar = [=](const void *array, Integer g) -> const void * {
    return array ? static_cast<const char *>(array) + g * bytes : nullptr;
  };
  return forGroups(
      h, groups, sizes, {m, n, k, lda, ldb, ldc},
      [&](Integer g, int64_t first, const std::array<int, 6> &s, int count) {
        return GemmBatchedEx(h, transa[g], transb[g], s[0], s[1], s[2],
                             scalar(alpha, g), Aarray + first, typeA, s[3],
                             Barray + first, typeB, s[4], scalar(beta, g),
                             Carray + first, typeC, s[5], count, computeType,
                             CUBLAS_GEMM_DEFAULT);
      });
}

/// What is wrong with the types of CsyrkEx, CherkEx and their variants: of
/// 8-bit numbers there is none here, and the result is of C_32F whatever its
/// type says.
cublasStatus_t wrongTypes(cublasHandle_t h, cudaDataType typeA,
                          cudaDataType typeC) {
  if (!isValid(h) || (typeA == CUDA_C_32F && areTypes({typeC})))
    return CUBLAS_STATUS_SUCCESS;
  return areTypes({typeA, typeC}) ? CUBLAS_STATUS_NOT_SUPPORTED
                                  : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t syrkOfTypes(cublasHandle_t h, cublasFillMode_t uplo,
                           cublasOperation_t trans, int n, int k,
                           const std::complex<float> *alpha, const void *A,
                           cudaDataType typeA, int lda,
                           const std::complex<float> *beta, void *C,
                           cudaDataType typeC, int ldc) {
  if (cublasStatus_t wrong = wrongTypes(h, typeA, typeC))
    return wrong;
  return cublas::cublasCsyrk_v2(h, uplo, trans, n, k,
                                reinterpret_cast<const cuComplex *>(alpha),
                                static_cast<const cuComplex *>(A), lda,
                                reinterpret_cast<const cuComplex *>(beta),
                                static_cast<cuComplex *>(C), ldc);
}
cublasStatus_t herkOfTypes(cublasHandle_t h, cublasFillMode_t uplo,
                           cublasOperation_t trans, int n, int k,
                           const float *alpha, const void *A,
                           cudaDataType typeA, int lda, const float *beta,
                           void *C, cudaDataType typeC, int ldc) {
  if (cublasStatus_t wrong = wrongTypes(h, typeA, typeC))
    return wrong;
  return cublas::cublasCherk_v2(h, uplo, trans, n, k, alpha,
                                static_cast<const cuComplex *>(A), lda, beta,
                                static_cast<cuComplex *>(C), ldc);
}

template <typename T>
constexpr cudaDataType TypeOf = std::is_same_v<T, __half>  ? CUDA_R_16F
                                : std::is_same_v<T, float> ? CUDA_R_32F
                                                           : CUDA_R_16BF;

/// y = alpha*op(A)*x + beta*y, of floats.
template <typename X, typename Y>
void multiplyVector(bool transposed, int m, int n, float alpha, const X *A,
                    int64_t lda, const X *x, int incx, float beta, Y *y,
                    int incy) {
  const int rows = transposed ? n : m, columns = transposed ? m : n;
  std::vector<float> sums(rows);
  withType<float>(TypeOf<X>, [&](auto load, auto) {
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < m; ++i) {
        const int64_t row = transposed ? j : i, column = transposed ? i : j;
        sums[row] +=
            load(A, j * lda + i) * load(x, vectorPlace(column, columns, incx));
      }
  });
  withType<float>(TypeOf<Y>, [&](auto load, auto store) {
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t at = vectorPlace(i, rows, incy);
      store(y, at, alpha * sums[i] + (beta == 0 ? 0.0f : beta * load(y, at)));
    }
  });
}

template <typename A, typename X, typename Y>
cublasStatus_t vectorProducts(cublasHandle_t h, cublasOperation_t trans, int m,
                              int n, const float *alpha, A a, int lda, X x,
                              int incx, const float *beta, Y y, int incy,
                              int count) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  // As gemvBatched.
  if (count < 0)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  if (m <= 0 || n <= 0 || incx == 0 || incy == 0 || count == 0)
    return CUBLAS_STATUS_SUCCESS;
  const Scalar<float> factor(h, alpha), kept(h, beta);
  return submit(h, double(m) * n * count <= BlasSmall::Level3, [=](Team &team) {
    team.forEach(static_cast<uint64_t>(count), [&](uint64_t i) {
      multiplyVector(!keepsRows(trans), m, n, factor(), a(i), lda, x(i), incx,
                     kept(), y(i), incy);
    });
  });
}

/// gemvBatched of matrices and vectors of other types than the scalars.
template <typename X, typename Y>
cublasStatus_t gemvOfTypes(cublasHandle_t h, cublasOperation_t trans, int m,
                           int n, const float *alpha, const X *const *Aarray,
                           int lda, const X *const *xarray, int incx,
                           const float *beta, Y *const *yarray, int incy,
                           int batchCount) {
  return vectorProducts(h, trans, m, n, alpha, AtAddresses<const X>{Aarray},
                        lda, AtAddresses<const X>{xarray}, incx, beta,
                        AtAddresses<Y>{yarray}, incy, batchCount);
}
template <typename X, typename Y>
cublasStatus_t
gemvOfTypesStrided(cublasHandle_t h, cublasOperation_t trans, int m, int n,
                   const float *alpha, const X *A, int lda, long long strideA,
                   const X *x, int incx, long long stridex, const float *beta,
                   Y *y, int incy, long long stridey, int batchCount) {
  return vectorProducts(h, trans, m, n, alpha, AtStride<const X>{A, strideA},
                        lda, AtStride<const X>{x, stridex}, incx, beta,
                        AtStride<Y>{y, stridey}, incy, batchCount);
}

} // namespace

} // namespace cufort::cublas

#include "cublas_Extended.inc"
