//===- Descriptors.cpp - handles and descriptors --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusparse/Objects.h"

extern "C" {

#define CUFORT_STATUSES(entry)                                                 \
  entry(SUCCESS, "success") entry(NOT_INITIALIZED, "initialization error")     \
      entry(ALLOC_FAILED, "out of memory")                                     \
          entry(INVALID_VALUE, "invalid value")                                \
              entry(ARCH_MISMATCH, "architecture mismatch")                    \
                  entry(MAPPING_ERROR, "texture memory mapping error")         \
                      entry(EXECUTION_FAILED, "kernel launch failure")         \
                          entry(INTERNAL_ERROR, "internal error")              \
                              entry(MATRIX_TYPE_NOT_SUPPORTED,                 \
                                    "matrix type not supported")               \
                                  entry(ZERO_PIVOT, "zero pivot")              \
                                      entry(NOT_SUPPORTED, "operation not "    \
                                                           "supported")        \
                                          entry(INSUFFICIENT_RESOURCES,        \
                                                "insufficient resources")

[[gnu::visibility("default")]] const char *
cusparseGetErrorName(cusparseStatus_t status) {
  switch (status) {
#define CUFORT_NAME(name, text)                                                \
  case CUSPARSE_STATUS_##name:                                                 \
    return "CUSPARSE_STATUS_" #name;
    CUFORT_STATUSES(CUFORT_NAME)
  }
  return "unrecognized error code";
}

[[gnu::visibility("default")]] const char *
cusparseGetErrorString(cusparseStatus_t status) {
  switch (status) {
#define CUFORT_TEXT(name, text)                                                \
  case CUSPARSE_STATUS_##name:                                                 \
    return text;
    CUFORT_STATUSES(CUFORT_TEXT)
  }
  return "unrecognized error code";
}

} // extern "C"

namespace cufort::cusparse {

namespace {

cusparseStatus_t createMatrix(cusparseSpMatDescr_t *result,
                              cusparseFormat_t format, int64_t rows,
                              int64_t columns, int64_t nonzeros, void *offsets,
                              void *indices, void *values,
                              cusparseIndexType_t offsetType,
                              cusparseIndexType_t indexType,
                              cusparseIndexBase_t base, cudaDataType type) {
  return create(result,
                rows >= 0 && columns >= 0 && nonzeros >= 0 &&
                    isIndexType(offsetType) && isIndexType(indexType) &&
                    isBase(base),
                format, rows, columns, nonzeros, offsets, indices, values,
                offsetType, indexType, base, type);
}

cusparseStatus_t parts(cusparseSpMatDescr_t matrix, cusparseFormat_t format,
                       int64_t *rows, int64_t *columns, int64_t *nonzeros,
                       void **offsets, void **indices, void **values,
                       cusparseIndexType_t *offsetType,
                       cusparseIndexType_t *indexType,
                       cusparseIndexBase_t *base, cudaDataType *type) {
  if (!handles<cusparseSpMatDescr>().isValid(matrix) ||
      matrix->format != format || !rows || !columns || !nonzeros || !offsets ||
      !indices || !values || !offsetType || !indexType || !base || !type)
    return CUSPARSE_STATUS_INVALID_VALUE;
  give(rows, matrix->rows);
  give(columns, matrix->columns);
  give(nonzeros, matrix->nonzeros);
  give(offsets, matrix->offsets);
  give(indices, matrix->indices);
  give(values, matrix->values);
  give(offsetType, matrix->offsetType);
  give(indexType, matrix->indexType);
  give(base, matrix->base);
  give(type, matrix->type);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t setPointers(cusparseSpMatDescr_t matrix,
                             cusparseFormat_t format, void *offsets,
                             void *indices, void *values) {
  if (!handles<cusparseSpMatDescr>().isValid(matrix) ||
      matrix->format != format)
    return CUSPARSE_STATUS_INVALID_VALUE;
  matrix->offsets = offsets;
  matrix->indices = indices;
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  return create(handle, true);
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return !handle || handles<cusparseContext>().destroy(handle)
             ? CUSPARSE_STATUS_SUCCESS
             : CUSPARSE_STATUS_NOT_INITIALIZED;
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) {
  if (auto wrong = check(handle, version))
    return wrong;
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUSPARSE_STATUS_INVALID_VALUE;
  constexpr int Parts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR,
                           CUSPARSE_VER_PATCH};
  *value = Parts[type];
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle,
                                   cudaStream_t stream) {
  if (auto wrong = check(handle))
    return wrong;
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle,
                                   cudaStream_t *stream) {
  if (auto wrong = check(handle, stream))
    return wrong;
  *stream = handle->stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle,
                                        cusparsePointerMode_t mode) {
  if (auto wrong = check(handle, mode == CUSPARSE_POINTER_MODE_HOST ||
                                     mode == CUSPARSE_POINTER_MODE_DEVICE))
    return wrong;
  handle->mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle,
                                        cusparsePointerMode_t *mode) {
  if (auto wrong = check(handle, mode))
    return wrong;
  *mode = handle->mode;
  return CUSPARSE_STATUS_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Properties of matrices
//===----------------------------------------------------------------------===//

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr) {
  return create(descr, true);
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr) {
  return destroy(descr);
}
#define CUFORT_PROPERTY(name, Type, member, last)                              \
  cusparseStatus_t cusparseSetMat##name(cusparseMatDescr_t descr,              \
                                        Type value) {                          \
    if (!descr)                                                                \
      return CUSPARSE_STATUS_NOT_INITIALIZED;                                  \
    if (value < 0 || value > last)                                             \
      return CUSPARSE_STATUS_INVALID_VALUE;                                    \
    return on(descr, [&] { descr->member = value; });                          \
  }                                                                            \
  Type cusparseGetMat##name(cusparseMatDescr_t descr) {                        \
    return handles<cusparseMatDescr>().isValid(descr) ? descr->member          \
                                                      : Type();                \
  }
CUFORT_PROPERTY(Type, cusparseMatrixType_t, type,
                CUSPARSE_MATRIX_TYPE_TRIANGULAR)
CUFORT_PROPERTY(IndexBase, cusparseIndexBase_t, base, CUSPARSE_INDEX_BASE_ONE)
CUFORT_PROPERTY(FillMode, cusparseFillMode_t, fill, CUSPARSE_FILL_MODE_UPPER)
CUFORT_PROPERTY(DiagType, cusparseDiagType_t, diagonal, CUSPARSE_DIAG_TYPE_UNIT)

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *result, int64_t size,
                                     int64_t nonzeros, void *indices,
                                     void *values,
                                     cusparseIndexType_t indexType,
                                     cusparseIndexBase_t base,
                                     cudaDataType type) {
  return create(result,
                size >= 0 && nonzeros >= 0 && nonzeros <= size &&
                    isIndexType(indexType) && isBase(base),
                size, nonzeros, indices, values, indexType, base, type);
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) {
  return destroy(vector);
}
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t *size,
                                  int64_t *nonzeros, void **indices,
                                  void **values, cusparseIndexType_t *indexType,
                                  cusparseIndexBase_t *base,
                                  cudaDataType *type) {
  return ask(
      vector,
      [&] {
        give(size, vector->size);
        give(nonzeros, vector->nonzeros);
        give(indices, vector->indices);
        give(values, vector->values);
        give(indexType, vector->indexType);
        give(base, vector->base);
        give(type, vector->type);
      },
      size, nonzeros, indices, values, indexType, base, type);
}
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector,
                                           cusparseIndexBase_t *base) {
  return ask(vector, [&] { give(base, vector->base); }, base);
}
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector,
                                        void **values) {
  return ask(vector, [&] { give(values, vector->values); }, values);
}
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector,
                                        void *values) {
  return on(vector, [&] { vector->values = values; });
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *result, int64_t size,
                                     void *values, cudaDataType type) {
  return create(result, size >= 0, size, values, type);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  return destroy(vector);
}
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t *size,
                                  void **values, cudaDataType *type) {
  return ask(
      vector,
      [&] {
        give(size, vector->size);
        give(values, vector->values);
        give(type, vector->type);
      },
      size, values, type);
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector,
                                        void **values) {
  return ask(vector, [&] { give(values, vector->values); }, values);
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector,
                                        void *values) {
  return on(vector, [&] { vector->values = values; });
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  return destroy(matrix);
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix,
                                        cusparseFormat_t *format) {
  return ask(matrix, [&] { give(format, matrix->format); }, format);
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix,
                                           cusparseIndexBase_t *base) {
  return ask(matrix, [&] { give(base, matrix->base); }, base);
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix,
                                        void **values) {
  return ask(matrix, [&] { give(values, matrix->values); }, values);
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix,
                                        void *values) {
  return on(matrix, [&] { matrix->values = values; });
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix,
                                      int64_t *rows, int64_t *columns,
                                      int64_t *nonzeros) {
  return ask(
      matrix,
      [&] {
        give(rows, matrix->rows);
        give(columns, matrix->columns);
        give(nonzeros, matrix->nonzeros);
      },
      rows, columns, nonzeros);
}

/// Reads or writes the attribute of a matrix as a number of four bytes.
template <typename Matrix, typename Call>
static cusparseStatus_t attribute(Matrix *matrix,
                                  cusparseSpMatAttribute_t attribute,
                                  const void *data, size_t size, Call call) {
  if (!handles<cusparseSpMatDescr>().isValid(matrix) || !data || size != 4)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    call(matrix->fill);
  else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE)
    call(matrix->diagonal);
  else
    return CUSPARSE_STATUS_INVALID_VALUE;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t which,
                                           void *data, size_t size) {
  return attribute(matrix, which, data, size,
                   [&](auto value) { *static_cast<int32_t *>(data) = value; });
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t which,
                                           void *data, size_t size) {
  return attribute(matrix, which, data, size, [&](auto &value) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(
        *static_cast<const int32_t *>(data));
  });
}

cusparseStatus_t
cusparseCreateCsr(cusparseSpMatDescr_t *result, int64_t rows, int64_t columns,
                  int64_t nonzeros, void *offsets, void *indices, void *values,
                  cusparseIndexType_t offsetType, cusparseIndexType_t indexType,
                  cusparseIndexBase_t base, cudaDataType type) {
  return createMatrix(result, CUSPARSE_FORMAT_CSR, rows, columns, nonzeros,
                      offsets, indices, values, offsetType, indexType, base,
                      type);
}
cusparseStatus_t
cusparseCreateCsc(cusparseSpMatDescr_t *result, int64_t rows, int64_t columns,
                  int64_t nonzeros, void *offsets, void *indices, void *values,
                  cusparseIndexType_t offsetType, cusparseIndexType_t indexType,
                  cusparseIndexBase_t base, cudaDataType type) {
  return createMatrix(result, CUSPARSE_FORMAT_CSC, rows, columns, nonzeros,
                      offsets, indices, values, offsetType, indexType, base,
                      type);
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *result, int64_t rows,
                                   int64_t columns, int64_t nonzeros,
                                   void *rowIndices, void *columnIndices,
                                   void *values, cusparseIndexType_t indexType,
                                   cusparseIndexBase_t base,
                                   cudaDataType type) {
  return createMatrix(result, CUSPARSE_FORMAT_COO, rows, columns, nonzeros,
                      rowIndices, columnIndices, values, indexType, indexType,
                      base, type);
}
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t *rows,
                                int64_t *columns, int64_t *nonzeros,
                                void **offsets, void **indices, void **values,
                                cusparseIndexType_t *offsetType,
                                cusparseIndexType_t *indexType,
                                cusparseIndexBase_t *base, cudaDataType *type) {
  return parts(matrix, CUSPARSE_FORMAT_CSR, rows, columns, nonzeros, offsets,
               indices, values, offsetType, indexType, base, type);
}
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t matrix, int64_t *rows,
                                int64_t *columns, int64_t *nonzeros,
                                void **offsets, void **indices, void **values,
                                cusparseIndexType_t *offsetType,
                                cusparseIndexType_t *indexType,
                                cusparseIndexBase_t *base, cudaDataType *type) {
  return parts(matrix, CUSPARSE_FORMAT_CSC, rows, columns, nonzeros, offsets,
               indices, values, offsetType, indexType, base, type);
}
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t *rows,
                                int64_t *columns, int64_t *nonzeros,
                                void **rowIndices, void **columnIndices,
                                void **values, cusparseIndexType_t *indexType,
                                cusparseIndexBase_t *base, cudaDataType *type) {
  return parts(matrix, CUSPARSE_FORMAT_COO, rows, columns, nonzeros, rowIndices,
               columnIndices, values, indexType, indexType, base, type);
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix,
                                        void *offsets, void *indices,
                                        void *values) {
  return setPointers(matrix, CUSPARSE_FORMAT_CSR, offsets, indices, values);
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix,
                                        void *offsets, void *indices,
                                        void *values) {
  return setPointers(matrix, CUSPARSE_FORMAT_CSC, offsets, indices, values);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *rows,
                                        void *columns, void *values) {
  return setPointers(matrix, CUSPARSE_FORMAT_COO, rows, columns, values);
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *result, int64_t rows,
                                     int64_t columns, int64_t leading,
                                     void *values, cudaDataType type,
                                     cusparseOrder_t order) {
  const bool byColumns = order == CUSPARSE_ORDER_COL;
  return create(result,
                rows >= 0 && columns >= 0 &&
                    leading >= (byColumns ? rows : columns) &&
                    (byColumns || order == CUSPARSE_ORDER_ROW),
                rows, columns, leading, values, type, order);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  return destroy(matrix);
}
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t *rows,
                                  int64_t *columns, int64_t *leading,
                                  void **values, cudaDataType *type,
                                  cusparseOrder_t *order) {
  return ask(
      matrix,
      [&] {
        give(rows, matrix->rows);
        give(columns, matrix->columns);
        give(leading, matrix->leading);
        give(values, matrix->values);
        give(type, matrix->type);
        give(order, matrix->order);
      },
      rows, columns, leading, values, type, order);
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix,
                                        void **values) {
  return ask(matrix, [&] { give(values, matrix->values); }, values);
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix,
                                        void *values) {
  return on(matrix, [&] { matrix->values = values; });
}

} // namespace cufort::cusparse
