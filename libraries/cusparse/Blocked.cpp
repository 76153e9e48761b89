//===- Blocked.cpp - matrices of blocks and slices, and batches -----------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusparse/Objects.h"

namespace cufort::cusparse {

namespace {

/// Where a matrix has its blocks or slices.
struct Form {
  int64_t height, width;
  cusparseOrder_t order = CUSPARSE_ORDER_ROW;
  int64_t stored = 0;
};

cusparseStatus_t
createMatrix(cusparseSpMatDescr_t *result, bool valid, cusparseFormat_t format,
             int64_t rows, int64_t columns, int64_t elements, void *offsets,
             void *indices, void *values, cusparseIndexType_t offsetType,
             cusparseIndexType_t indexType, cusparseIndexBase_t base,
             cudaDataType type, Form form) {
  valid &= rows >= 0 && columns >= 0 && elements >= 0 &&
           isIndexType(offsetType) && isIndexType(indexType) && isBase(base);
  if (auto wrong =
          create(result, valid, format, rows, columns, elements, offsets,
                 indices, values, offsetType, indexType, base, type))
    return wrong;
  (*result)->blockRows = form.height;
  (*result)->blockColumns = form.width;
  (*result)->blockOrder = form.order;
  (*result)->stored = form.stored;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t setBatches(cusparseSpMatDescr_t matrix,
                            cusparseFormat_t format, int count,
                            int64_t offsetStep, int64_t indexStep,
                            int64_t valueStep) {
  if (!handles<cusparseSpMatDescr>().isValid(matrix) ||
      matrix->format != format || count < 1 || offsetStep < 0 ||
      indexStep < 0 || valueStep < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  matrix->batches = count;
  matrix->offsetStep = offsetStep;
  matrix->indexStep = indexStep;
  matrix->valueStep = valueStep;
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace

cusparseStatus_t cusparseCreateBsr(
    cusparseSpMatDescr_t *result, int64_t blockRows, int64_t blockColumns,
    int64_t blocks, int64_t height, int64_t width, void *offsets, void *indices,
    void *values, cusparseIndexType_t offsetType, cusparseIndexType_t indexType,
    cusparseIndexBase_t base, cudaDataType type, cusparseOrder_t order) {
  return createMatrix(
      result,
      height > 0 && width == height &&
          (order == CUSPARSE_ORDER_ROW || order == CUSPARSE_ORDER_COL),
      CUSPARSE_FORMAT_BSR, blockRows * height, blockColumns * width,
      blocks * height * width, offsets, indices, values, offsetType, indexType,
      base, type, {height, width, order});
}

cusparseStatus_t cusparseCreateBlockedEll(
    cusparseSpMatDescr_t *result, int64_t rows, int64_t columns, int64_t size,
    int64_t stored, void *indices, void *values, cusparseIndexType_t indexType,
    cusparseIndexBase_t base, cudaDataType type) {
  return createMatrix(result,
                      size > 0 && stored >= 0 && stored <= columns &&
                          stored % size == 0,
                      CUSPARSE_FORMAT_BLOCKED_ELL, rows, columns, rows * stored,
                      nullptr, indices, values, indexType, indexType, base,
                      type, {size, size, CUSPARSE_ORDER_ROW, stored});
}

cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t matrix,
                                       int64_t *rows, int64_t *columns,
                                       int64_t *size, int64_t *stored,
                                       void **indices, void **values,
                                       cusparseIndexType_t *indexType,
                                       cusparseIndexBase_t *base,
                                       cudaDataType *type) {
  if (!handles<cusparseSpMatDescr>().isValid(matrix) ||
      matrix->format != CUSPARSE_FORMAT_BLOCKED_ELL)
    return CUSPARSE_STATUS_INVALID_VALUE;
  give(rows, matrix->rows);
  give(columns, matrix->columns);
  give(size, matrix->blockRows);
  give(stored, matrix->stored);
  give(indices, matrix->indices);
  give(values, matrix->values);
  give(indexType, matrix->indexType);
  give(base, matrix->base);
  give(type, matrix->type);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t
cusparseCreateSlicedEll(cusparseSpMatDescr_t *result, int64_t rows,
                        int64_t columns, int64_t nonzeros, int64_t stored,
                        int64_t slice, void *offsets, void *indices,
                        void *values, cusparseIndexType_t offsetType,
                        cusparseIndexType_t indexType, cusparseIndexBase_t base,
                        cudaDataType type) {
  return createMatrix(result, slice > 0 && stored >= nonzeros,
                      CUSPARSE_FORMAT_SLICED_ELLPACK, rows, columns, nonzeros,
                      offsets, indices, values, offsetType, indexType, base,
                      type, {slice, 1, CUSPARSE_ORDER_ROW, stored});
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix,
                                            int count, int64_t step) {
  return setBatches(matrix, CUSPARSE_FORMAT_COO, count, step, step, step);
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix,
                                            int count, int64_t offsetStep,
                                            int64_t step) {
  return setBatches(matrix, CUSPARSE_FORMAT_CSR, count, offsetStep, step, step);
}
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t matrix,
                                            int count, int64_t offsetStep,
                                            int64_t indexStep,
                                            int64_t valueStep) {
  return setBatches(matrix, CUSPARSE_FORMAT_BSR, count, offsetStep, indexStep,
                    valueStep);
}
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix,
                                              int *count) {
  if (!count)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return on(matrix, [&] { *count = matrix->batches; });
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix,
                                              int count, int64_t step) {
  if (count < 1 || step < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return on(matrix, [&] {
    matrix->batches = count;
    matrix->step = step;
  });
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix,
                                              int *count, int64_t *step) {
  if (!count || !step)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return on(matrix, [&] {
    *count = matrix->batches;
    *step = matrix->step;
  });
}

} // namespace cufort::cusparse
