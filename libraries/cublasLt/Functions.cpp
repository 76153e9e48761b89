//===- Functions.cpp - cublasLt on the CPU: handles, transformations ------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cublas/Types.h"
#include "libraries/cublasLt/Descriptors.h"

struct cublasLtContext {};

namespace cufort::cublasLt {

using namespace cufort::libraries;

bool isValid(cublasLtHandle_t h) {
  // A handle of cuBLAS is one of this library as well.
  return handles<cublasLtContext>().isValid(h) ||
         cublas::isValid(reinterpret_cast<cublasHandle_t>(h));
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *h) {
  if (!h)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!blasPresent())
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *h = handles<cublasLtContext>().make();
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t h) {
  return handles<cublasLtContext>().destroy(h) ? CUBLAS_STATUS_SUCCESS
                                               : CUBLAS_STATUS_NOT_INITIALIZED;
}
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
const char *cublasLtGetStatusName(cublasStatus_t status) {
  return cublas::cublasGetStatusName(status);
}
const char *cublasLtGetStatusString(cublasStatus_t status) {
  return cublas::cublasGetStatusString(status);
}
size_t cublasLtGetCudartVersion() { return cublas::cublasGetCudartVersion(); }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value) {
  return cublas::cublasGetProperty(type, value);
}

// There are no heuristics to keep, and no messages.
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *capacity) {
  if (!capacity)
    return CUBLAS_STATUS_INVALID_VALUE;
  *capacity = 0;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetFile(FILE *) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerOpenFile(const char *) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetLevel(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetMask(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerForceDisable() { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t
cublasLtMatrixTransform(cublasLtHandle_t h, cublasLtMatrixTransformDesc_t desc,
                        const void *alpha, const void *A,
                        cublasLtMatrixLayout_t a, const void *beta,
                        const void *B, cublasLtMatrixLayout_t b, void *C,
                        cublasLtMatrixLayout_t c, cudaStream_t stream) {
  if (!isValid(h))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!desc || !a || !c || !alpha || !C || !A || (beta && B && !b))
    return CUBLAS_STATUS_INVALID_VALUE;
  const TransformDesc t = held<TransformDesc>(desc);
  const MatrixLayout la = held<MatrixLayout>(a), lc = held<MatrixLayout>(c);
  const bool hasB = beta && B;
  const MatrixLayout lb = hasB ? held<MatrixLayout>(b) : la;
  for (const MatrixLayout *layout : {&la, &lb, &lc})
    if (layout->order > CUBLASLT_ORDER_ROW || layout->batchCount != 1 ||
        !cublas::sizeOf(static_cast<cudaDataType>(layout->type)))
      return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto matches = [&](const MatrixLayout &m, int op) {
    return (op == CUBLAS_OP_N ? m.rows : m.columns) == lc.rows &&
           (op == CUBLAS_OP_N ? m.columns : m.rows) == lc.columns;
  };
  if (!matches(la, t.transa) || (hasB && !matches(lb, t.transb)))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto type = static_cast<cudaDataType>(t.scaleType);
  const bool fromHost = t.pointerMode == CUBLASLT_POINTER_MODE_HOST;
  const Number x = fromHost ? cublas::loadAny(type, alpha, 0) : 0,
               y = fromHost && hasB ? cublas::loadAny(type, beta, 0) : 0;
  const auto place = [](const MatrixLayout &m, int64_t i, int64_t j) {
    return m.order == CUBLASLT_ORDER_COL ? j * m.ld + i : i * m.ld + j;
  };
  const auto element = [=](const MatrixLayout &m, const void *array, int op,
                           int64_t i, int64_t j) {
    const Number e =
        cublas::loadAny(static_cast<cudaDataType>(m.type), array,
                        op == CUBLAS_OP_N ? place(m, i, j) : place(m, j, i));
    return op == CUBLAS_OP_C ? std::conj(e) : e;
  };
  const Error error = perform(
      stream, {.small = double(lc.rows) * double(lc.columns) <= 16384},
      [=](Team &team) {
        const Number f = fromHost ? x : cublas::loadAny(type, alpha, 0),
                     g = fromHost || !hasB ? y : cublas::loadAny(type, beta, 0);
        team.forEach(lc.columns, [&](uint64_t column) {
          const auto j = static_cast<int64_t>(column);
          for (int64_t i = 0; i < int64_t(lc.rows); ++i) {
            Number value = f * element(la, A, t.transa, i, j);
            if (hasB)
              value += g * element(lb, B, t.transb, i, j);
            cublas::storeAny(static_cast<cudaDataType>(lc.type), C,
                             place(lc, i, j), value);
          }
        });
      });
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

} // namespace cufort::cublasLt
