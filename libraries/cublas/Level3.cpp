//===- Level3.cpp - cuBLAS on the CPU: matrices ---------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cublas/Context.h"
#include <algorithm>
#include <vector>

namespace cufort::cublas {

namespace {

bool small(double m, double n, double k) {
  return m * n * k <= BlasSmall::Level3;
}

/// C = alpha*(product of \p inputs) + beta*C: \p inputs touches what is only
/// read, \p call(alpha, beta) is BLAS's.
template <typename S, typename S2, typename T, typename Inputs, typename Call>
cublasStatus_t productInto(cublasHandle_t h, bool isSmall, const S *alpha,
                           const S2 *beta, T *C, int rows, int columns, int ldc,
                           Inputs inputs, Call call) {
  if (!alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Scalar<S> a(h, alpha);
  const Scalar<S2> b(h, beta);
  return submitBlas(
      h, isSmall,
      [=] {
        if (a() != S(0))
          inputs();
        touchMatrix(C, rows, columns, ldc);
      },
      [=] { call(a(), b()); });
}

template <typename T>
cublasStatus_t gemm(cublasHandle_t h, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, int k,
                    const T *alpha, const T *A, int lda, const T *B, int ldb,
                    const T *beta, T *C, int ldc) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const int rowsA = transa == CUBLAS_OP_N ? m : k,
            columnsA = transa == CUBLAS_OP_N ? k : m,
            rowsB = transb == CUBLAS_OP_N ? k : n,
            columnsB = transb == CUBLAS_OP_N ? n : k;
  if (refuse<T>("GEMM", {{wrong(transa), 1},
                         {wrong(transb), 2},
                         {m < 0, 3},
                         {n < 0, 4},
                         {k < 0, 5},
                         {lda < std::max(1, rowsA), 8},
                         {ldb < std::max(1, rowsB), 10},
                         {ldc < std::max(1, m), 13}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return productInto(
      h, small(m, n, k), alpha, beta, C, m, n, ldc,
      [=] {
        touchMatrix(A, rowsA, columnsA, lda);
        touchMatrix(B, rowsB, columnsB, ldb);
      },
      [=](T a, T b) {
        blas<T, "gemm">(letter(transa), letter(transb), m, n, k, a, A, lda, B,
                        ldb, b, C, ldc);
      });
}

template <typename T, typename Call>
cublasStatus_t symmetric(const char *name, cublasHandle_t h,
                         cublasSideMode_t side, cublasFillMode_t uplo, int m,
                         int n, const T *alpha, const T *A, int lda, const T *B,
                         int ldb, const T *beta, T *C, int ldc, Call call) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  if (refuse<T>(name, {{wrong(side), 1},
                       {wrong(uplo), 2},
                       {m < 0, 3},
                       {n < 0, 4},
                       {lda < std::max(1, order), 7},
                       {ldb < std::max(1, m), 9},
                       {ldc < std::max(1, m), 12}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return productInto(
      h, small(m, n, order), alpha, beta, C, m, n, ldc,
      [=] {
        touchMatrix(A, order, order, lda);
        touchMatrix(B, m, n, ldb);
      },
      call);
}

template <typename T>
cublasStatus_t symm(cublasHandle_t h, cublasSideMode_t side,
                    cublasFillMode_t uplo, int m, int n, const T *alpha,
                    const T *A, int lda, const T *B, int ldb, const T *beta,
                    T *C, int ldc) {
  return symmetric("SYMM", h, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C,
                   ldc, [=](T a, T b) {
                     blas<T, "symm">(letter(side), letter(uplo), m, n, a, A,
                                     lda, B, ldb, b, C, ldc);
                   });
}
template <typename T>
cublasStatus_t hemm(cublasHandle_t h, cublasSideMode_t side,
                    cublasFillMode_t uplo, int m, int n, const T *alpha,
                    const T *A, int lda, const T *B, int ldb, const T *beta,
                    T *C, int ldc) {
  return symmetric("HEMM", h, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C,
                   ldc, [=](T a, T b) {
                     blas<T, "hemm">(letter(side), letter(uplo), m, n, a, A,
                                     lda, B, ldb, b, C, ldc);
                   });
}

/// The rank-k updates: of one matrix where \p B is null. \p S, \p S2: what
/// alpha and beta are.
template <typename T, typename S, typename S2, typename Call>
cublasStatus_t rankUpdate(const char *name, cublasHandle_t h,
                          cublasFillMode_t uplo, cublasOperation_t trans, int n,
                          int k, const S *alpha, const T *A, int lda,
                          const T *B, int ldb, bool hasB, const S2 *beta, T *C,
                          int ldc, Call call) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const int rows = trans == CUBLAS_OP_N ? n : k,
            columns = trans == CUBLAS_OP_N ? k : n;
  if (refuse<T>(name, {{wrong(uplo), 1},
                       {wrong(trans), 2},
                       {n < 0, 3},
                       {k < 0, 4},
                       {lda < std::max(1, rows), 7},
                       {hasB && ldb < std::max(1, rows), 9},
                       {ldc < std::max(1, n), hasB ? 12 : 10}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return productInto(
      h, small(n, n, k), alpha, beta, C, n, n, ldc,
      [=] {
        touchMatrix(A, rows, columns, lda);
        if (hasB)
          touchMatrix(B, rows, columns, ldb);
      },
      call);
}

/// The transposition of a rank-k update as BLAS has it. As NVIDIA's library,
/// symmetric ones take the conjugate transpose for the transpose, and Hermitian
/// ones the reverse.
template <bool Hermitian> char transposition(cublasOperation_t trans) {
  return trans == CUBLAS_OP_N ? 'N' : Hermitian ? 'C' : 'T';
}

template <typename T>
cublasStatus_t syrk(cublasHandle_t h, cublasFillMode_t uplo,
                    cublasOperation_t trans, int n, int k, const T *alpha,
                    const T *A, int lda, const T *beta, T *C, int ldc) {
  return rankUpdate("SYRK", h, uplo, trans, n, k, alpha, A, lda, A, lda, false,
                    beta, C, ldc, [=](T a, T b) {
                      blas<T, "syrk">(letter(uplo), transposition<false>(trans),
                                      n, k, a, A, lda, b, C, ldc);
                    });
}
template <typename T>
cublasStatus_t herk(cublasHandle_t h, cublasFillMode_t uplo,
                    cublasOperation_t trans, int n, int k, const Real<T> *alpha,
                    const T *A, int lda, const Real<T> *beta, T *C, int ldc) {
  return rankUpdate("HERK", h, uplo, trans, n, k, alpha, A, lda, A, lda, false,
                    beta, C, ldc, [=](Real<T> a, Real<T> b) {
                      blas<T, "herk">(letter(uplo), transposition<true>(trans),
                                      n, k, a, A, lda, b, C, ldc);
                    });
}
template <typename T>
cublasStatus_t syr2k(cublasHandle_t h, cublasFillMode_t uplo,
                     cublasOperation_t trans, int n, int k, const T *alpha,
                     const T *A, int lda, const T *B, int ldb, const T *beta,
                     T *C, int ldc) {
  return rankUpdate("SYR2K", h, uplo, trans, n, k, alpha, A, lda, B, ldb, true,
                    beta, C, ldc, [=](T a, T b) {
                      blas<T, "syr2k">(letter(uplo),
                                       transposition<false>(trans), n, k, a, A,
                                       lda, B, ldb, b, C, ldc);
                    });
}
template <typename T>
cublasStatus_t her2k(cublasHandle_t h, cublasFillMode_t uplo,
                     cublasOperation_t trans, int n, int k, const T *alpha,
                     const T *A, int lda, const T *B, int ldb,
                     const Real<T> *beta, T *C, int ldc) {
  return rankUpdate("HER2K", h, uplo, trans, n, k, alpha, A, lda, B, ldb, true,
                    beta, C, ldc, [=](T a, Real<T> b) {
                      blas<T, "her2k">(letter(uplo), transposition<true>(trans),
                                       n, k, a, A, lda, B, ldb, b, C, ldc);
                    });
}

/// One triangle of C = alpha*op(A)*op(B)' + beta*C, which BLAS has not: columns
/// of blocks, of which the block at the diagonal is computed apart.
template <bool Hermitian, typename T>
void triangleOfProduct(cublasFillMode_t uplo, cublasOperation_t trans, int n,
                       int k, T alpha, const T *A, int lda, const T *B, int ldb,
                       T beta, T *C, int ldc) {
  constexpr int Block = 256;
  const char first = transposition<Hermitian>(trans),
             second = trans == CUBLAS_OP_N
                          ? transposition<Hermitian>(CUBLAS_OP_T)
                          : 'N';
  const auto row = [=](const T *x, int ld, int i) {
    return trans == CUBLAS_OP_N ? x + i : x + int64_t(i) * ld;
  };
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  std::vector<T> diagonal(size_t(std::min(n, Block)) * std::min(n, Block));
  for (int j = 0; j < n; j += Block) {
    const int width = std::min(Block, n - j);
    const int begin = upper ? 0 : j + width, rows = upper ? j : n - begin;
    const T *right = row(B, ldb, j);
    T *column = C + int64_t(j) * ldc;
    if (rows)
      blas<T, "gemm">(first, second, rows, width, k, alpha, row(A, lda, begin),
                      lda, right, ldb, beta, column + begin, ldc);
    blas<T, "gemm">(first, second, width, width, k, alpha, row(A, lda, j), lda,
                    right, ldb, T(0), diagonal.data(), width);
    for (int c = 0; c < width; ++c)
      for (int r = upper ? 0 : c; r < (upper ? c + 1 : width); ++r) {
        T &element = column[int64_t(c) * ldc + j + r];
        element = diagonal[c * width + r] +
                  (beta == T(0) ? T(0) : times(beta, element));
        if constexpr (Hermitian)
          if (r == c)
            element = element.real();
      }
  }
}

template <typename T>
cublasStatus_t syrkx(cublasHandle_t h, cublasFillMode_t uplo,
                     cublasOperation_t trans, int n, int k, const T *alpha,
                     const T *A, int lda, const T *B, int ldb, const T *beta,
                     T *C, int ldc) {
  return rankUpdate("SYRKX", h, uplo, trans, n, k, alpha, A, lda, B, ldb, true,
                    beta, C, ldc, [=](T a, T b) {
                      triangleOfProduct<false>(uplo, trans, n, k, a, A, lda, B,
                                               ldb, b, C, ldc);
                    });
}
template <typename T>
cublasStatus_t herkx(cublasHandle_t h, cublasFillMode_t uplo,
                     cublasOperation_t trans, int n, int k, const T *alpha,
                     const T *A, int lda, const T *B, int ldb,
                     const Real<T> *beta, T *C, int ldc) {
  return rankUpdate("HERKX", h, uplo, trans, n, k, alpha, A, lda, B, ldb, true,
                    beta, C, ldc, [=](T a, Real<T> b) {
                      triangleOfProduct<true>(uplo, trans, n, k, a, A, lda, B,
                                              ldb, T(b), C, ldc);
                    });
}

/// What is wrong with the arguments of trmm and trsm; \p ldc: of trmm's result.
template <typename T>
bool refuseTriangular(const char *name, cublasSideMode_t side,
                      cublasFillMode_t uplo, cublasOperation_t trans,
                      cublasDiagType_t diag, int m, int n, int lda, int ldb,
                      int ldc) {
  return refuse<T>(name,
                   {{wrong(side), 1},
                    {wrong(uplo), 2},
                    {wrong(trans), 3},
                    {wrong(diag), 4},
                    {m < 0, 5},
                    {n < 0, 6},
                    {lda < std::max(1, side == CUBLAS_SIDE_LEFT ? m : n), 9},
                    {ldb < std::max(1, m), 11},
                    {ldc < std::max(1, m), 13}});
}

template <typename T>
cublasStatus_t trmm(cublasHandle_t h, cublasSideMode_t side,
                    cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, int m, int n, const T *alpha,
                    const T *A, int lda, const T *B, int ldb, T *C, int ldc) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuseTriangular<T>("TRMM", side, uplo, trans, diag, m, n, lda, ldb, ldc))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  const Scalar<T> a(h, alpha);
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  const bool isSmall = small(m, n, order);
  return submit(h, isSmall, [=](Team &team) {
    // BLAS's works in place. Of a factor zero it reads neither.
    touchMatrix(C, m, n, ldc);
    if (a() != T(0)) {
      touchMatrix(A, order, order, lda);
      touchMatrix(B, m, n, ldb);
      if (B != C || ldb != ldc)
        team.forEach(uint64_t(n), [&](uint64_t j) {
          std::copy_n(B + j * ldb, m, C + j * ldc);
        });
    }
    const auto call = [&] {
      blas<T, "trmm">(letter(side), letter(uplo), letter(trans), letter(diag),
                      m, n, a(), A, lda, C, ldc);
    };
    if (isSmall)
      return call();
    const BlasThreads threads(team.threads());
    call();
  });
}

template <typename T>
cublasStatus_t trsm(cublasHandle_t h, cublasSideMode_t side,
                    cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, int m, int n, const T *alpha,
                    const T *A, int lda, T *B, int ldb) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuseTriangular<T>("TRSM", side, uplo, trans, diag, m, n, lda, ldb,
                          std::max(1, m)))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  const Scalar<T> a(h, alpha);
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  return submitBlas(
      h, small(m, n, order),
      [=] {
        if (a() != T(0))
          touchMatrix(A, order, order, lda);
        touchMatrix(B, m, n, ldb);
      },
      [=] {
        blas<T, "trsm">(letter(side), letter(uplo), letter(trans), letter(diag),
                        m, n, a(), A, lda, B, ldb);
      });
}

} // namespace

} // namespace cufort::cublas

#include "cublas_Level3.inc"
