//===- Extensions.cpp - cuBLAS on the CPU: what BLAS has not --------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cublas/Context.h"
#include <algorithm>

namespace cufort::cublas {

namespace {

/// How many elements are worth more than one thread.
bool small(double rows, double columns) { return rows * columns <= 16384; }

/// Squares of matrices, small enough that a transposed one stays in the cache.
constexpr int Tile = 32;

/// A matrix as an operand: element (i, j) of op(A).
template <typename T> struct Operand {
  const T *a;
  int64_t lda;
  cublasOperation_t op;

  T operator()(int64_t i, int64_t j) const {
    const T value = op == CUBLAS_OP_N ? a[j * lda + i] : a[i * lda + j];
    return op == CUBLAS_OP_C ? conjugate(value) : value;
  }
};

template <typename T>
cublasStatus_t geam(cublasHandle_t h, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, const T *alpha,
                    const T *A, int lda, const T *beta, const T *B, int ldb,
                    T *C, int ldc) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const int rowsA = transa == CUBLAS_OP_N ? m : n,
            rowsB = transb == CUBLAS_OP_N ? m : n;
  // A scalar that is absent is zero.
  const Scalar<T> a(h, alpha), b(h, beta);
  // One that is multiplied by zero may be absent, as far as that is known.
  const bool noA = onHost(h) && a() == T(0), noB = onHost(h) && b() == T(0);
  if (refuse<T>("GEAM",
                {{wrong(transa), 1},
                 {wrong(transb), 2},
                 {m < 0, 3},
                 {n < 0, 4},
                 {!noA && lda < std::max(1, rowsA), 7},
                 {A == C && !noA && (transa != CUBLAS_OP_N || lda != ldc), 7},
                 {!noB && ldb < std::max(1, rowsB), 10},
                 {B == C && !noB && (transb != CUBLAS_OP_N || ldb != ldc), 10},
                 {ldc < std::max(1, m), 12}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  return submit(h, small(m, n), [=](Team &team) {
    const T factorA = a(), factorB = b();
    const bool hasA = factorA != T(0), hasB = factorB != T(0);
    const Operand<T> first{A, lda, transa}, second{B, ldb, transb};
    team.forEach(uint64_t((n + Tile - 1) / Tile), [&](uint64_t column) {
      const int begin = static_cast<int>(column) * Tile,
                end = std::min(begin + Tile, n);
      for (int row = 0; row < m; row += Tile)
        for (int j = begin; j < end; ++j)
          for (int i = row; i < std::min(row + Tile, m); ++i) {
            T value(0);
            if (hasA)
              value = times(factorA, first(i, j));
            if (hasB)
              value += times(factorB, second(i, j));
            C[int64_t(j) * ldc + i] = value;
          }
    });
  });
}

template <typename T>
cublasStatus_t dgmm(cublasHandle_t h, cublasSideMode_t mode, int m, int n,
                    const T *A, int lda, const T *x, int incx, T *C, int ldc) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T>("DGMM", {{wrong(mode), 1},
                         {m < 0, 2},
                         {n < 0, 3},
                         {lda < std::max(1, m), 5},
                         {ldc < std::max(1, m), 9}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  const int length = mode == CUBLAS_SIDE_LEFT ? m : n;
  return submit(h, small(m, n), [=](Team &team) {
    const T *first = incx < 0 ? x + int64_t(length - 1) * -incx : x;
    team.forEach(uint64_t(n), [&](uint64_t j) {
      const T *from = A + j * lda;
      T *to = C + j * ldc;
      for (int i = 0; i < m; ++i)
        to[i] = times(
            from[i], first[(mode == CUBLAS_SIDE_LEFT ? i : int64_t(j)) * incx]);
    });
  });
}

/// Calls \p element(place in the packed triangle, place in the matrix).
template <typename Element>
void forTriangle(Team &team, cublasFillMode_t uplo, int n, int lda,
                 Element &&element) {
  team.forEach(uint64_t(n), [&](uint64_t column) {
    const auto j = static_cast<int64_t>(column);
    const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    // Where the column's element of row zero would be.
    const int64_t packed = upper ? j * (j + 1) / 2 : j * n - j * (j + 1) / 2;
    for (int64_t i = upper ? 0 : j; i < (upper ? j + 1 : n); ++i)
      element(packed + i, j * lda + i);
  });
}

template <typename T>
cublasStatus_t tpttr(cublasHandle_t h, cublasFillMode_t uplo, int n,
                     const T *AP, T *A, int lda) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T>("TPTTR",
                {{wrong(uplo), 1}, {n < 0, 2}, {lda < std::max(1, n), 5}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  return submit(h, small(n, n), [=](Team &team) {
    forTriangle(team, uplo, n, lda,
                [&](int64_t packed, int64_t place) { A[place] = AP[packed]; });
  });
}
template <typename T>
cublasStatus_t trttp(cublasHandle_t h, cublasFillMode_t uplo, int n, const T *A,
                     int lda, T *AP) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (refuse<T>("TRTTP",
                {{wrong(uplo), 1}, {n < 0, 2}, {lda < std::max(1, n), 4}}))
    return CUBLAS_STATUS_INVALID_VALUE;
  return submit(h, small(n, n), [=](Team &team) {
    forTriangle(team, uplo, n, lda,
                [&](int64_t packed, int64_t place) { AP[packed] = A[place]; });
  });
}

} // namespace

} // namespace cufort::cublas

#include "cublas_Extensions.inc"
