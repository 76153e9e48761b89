//===- Sparse.h - cuSPARSE's objects on the CPU -----------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work areas of the program's are not used; their sizes are one byte.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_LIBRARIES_CUSPARSE_SPARSE_H
#define CUFORT_LIBRARIES_CUSPARSE_SPARSE_H

#include "cusparse_functions.h"
#include "libraries/common/DataTypes.h"
#include "libraries/common/Elements.h"
#include "libraries/common/Handles.h"
#include "libraries/common/Perform.h"
#include <algorithm>
#include <complex>
#include <vector>

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST;
};

struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
};

struct cusparseSpVecDescr {
  int64_t size, nonzeros;
  void *indices, *values;
  cusparseIndexType_t indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
};

struct cusparseDnVecDescr {
  int64_t size;
  void *values;
  cudaDataType type;
};

/// Offsets are those of rows, of CSC of columns, of COO the rows themselves, of
/// BSR those of rows of blocks, of SLICED_ELLPACK those of slices.
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, columns, nonzeros;
  void *offsets, *indices, *values;
  cusparseIndexType_t offsetType, indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  /// BSR, BLOCKED_ELL: the extents of a block; SLICED_ELLPACK: the rows of a
  /// slice.
  int64_t blockRows = 1, blockColumns = 1;
  cusparseOrder_t blockOrder = CUSPARSE_ORDER_ROW;
  int64_t stored = 0; ///< BLOCKED_ELL: columns that a row stores
  int batches = 1;
  int64_t offsetStep = 0, indexStep = 0, valueStep = 0; ///< between batches
};

struct cusparseDnMatDescr {
  int64_t rows, columns, leading;
  void *values;
  cudaDataType type;
  cusparseOrder_t order;
  int batches = 1;
  int64_t step = 0;

  int64_t rowStride() const {
    return order == CUSPARSE_ORDER_COL ? 1 : leading;
  }
  int64_t columnStride() const {
    return order == CUSPARSE_ORDER_COL ? leading : 1;
  }
};

namespace cufort::cusparse {

using namespace cufort::libraries;
using Handle = cusparseHandle_t;

inline bool isLive(const cusparseContext *handle) {
  return handles<cusparseContext>().isValid(handle);
}

/// What every routine of the generic interface returns for such a handle and
/// arguments: without a handle the argument is wrong.
inline cusparseStatus_t check(Handle handle, bool valid = true) {
  return handle && !isLive(handle) ? CUSPARSE_STATUS_NOT_INITIALIZED
         : handle && valid         ? CUSPARSE_STATUS_SUCCESS
                                   : CUSPARSE_STATUS_INVALID_VALUE;
}

/// The same of the older interface, where a handle is missing that was to be
/// created.
inline cusparseStatus_t checkOlder(Handle handle, bool valid) {
  return handle ? check(handle, valid) : CUSPARSE_STATUS_NOT_INITIALIZED;
}

inline cusparseStatus_t statusOf(Error error) {
  return error == cudaSuccess ? CUSPARSE_STATUS_SUCCESS
         : error == cudaErrorMemoryAllocation
             ? CUSPARSE_STATUS_ALLOC_FAILED
             : CUSPARSE_STATUS_EXECUTION_FAILED;
}

/// Answers a question for the size of a work area.
template <typename Size>
cusparseStatus_t sizeOf(Handle handle, Size *size, bool valid = true) {
  if (auto wrong = check(handle, valid && size))
    return wrong;
  *size = 1;
  return CUSPARSE_STATUS_SUCCESS;
}

/// Below so many operations one thread is as fast as several.
constexpr int64_t SmallWork = 1 << 13;

template <typename Routine>
cusparseStatus_t submit(Handle handle, int64_t work, Routine routine,
                        bool wait = false) {
  return statusOf(perform(handle->stream,
                          {.small = work < SmallWork, .wait = wait}, routine));
}

/// What \p call returns for a number of the type \p type.
template <typename Call>
cusparseStatus_t forType(cudaDataType type, Call call) {
  return libraries::forDataType(type, CUSPARSE_STATUS_NOT_SUPPORTED, call);
}

/// A scalar of the host, captured at the call, or one of the device, read when
/// the routine runs.
template <typename T> class Scalar {
public:
  Scalar(Handle handle, const void *given)
      : device(handle->mode == CUSPARSE_POINTER_MODE_DEVICE
                   ? static_cast<const T *>(given)
                   : nullptr),
        value(device ? T() : *static_cast<const T *>(given)) {}
  T get() const { return device ? *device : value; }

private:
  const T *device;
  T value;
};

/// Integers of either kind.
class Integers {
public:
  Integers(const void *array, cusparseIndexType_t type)
      : narrow(type == CUSPARSE_INDEX_64I
                   ? nullptr
                   : static_cast<const int32_t *>(array)),
        wide(static_cast<const int64_t *>(array)) {}
  int64_t operator[](int64_t i) const { return narrow ? narrow[i] : wide[i]; }

private:
  const int32_t *narrow;
  const int64_t *wide;
};

inline void store(void *array, cusparseIndexType_t type, int64_t i,
                  int64_t value) {
  if (type == CUSPARSE_INDEX_64I)
    static_cast<int64_t *>(array)[i] = value;
  else
    static_cast<int32_t *>(array)[i] = static_cast<int32_t>(value);
}

/// A matrix by rows, its indices from zero.
template <typename T> struct Rows {
  int64_t rows = 0, columns = 0;
  std::vector<int64_t> offsets, indices;
  std::vector<T> values;
};

/// call(row, column, place of its value) for each element of \p matrix, in the
/// order in which they are stored.
template <typename Call>
void forEachElement(const cusparseSpMatDescr &matrix, Call call) {
  const Integers offsets(matrix.offsets, matrix.offsetType),
      indices(matrix.indices, matrix.indexType);
  const int64_t base = matrix.base, height = matrix.blockRows,
                width = matrix.blockColumns;
  switch (matrix.format) {
  case CUSPARSE_FORMAT_COO:
    for (int64_t k = 0; k < matrix.nonzeros; ++k)
      call(offsets[k] - base, indices[k] - base, k);
    return;
  case CUSPARSE_FORMAT_CSR:
    for (int64_t i = 0; i < matrix.rows; ++i)
      for (int64_t k = offsets[i] - base; k < offsets[i + 1] - base; ++k)
        call(i, indices[k] - base, k);
    return;
  case CUSPARSE_FORMAT_CSC:
    for (int64_t j = 0; j < matrix.columns; ++j)
      for (int64_t k = offsets[j] - base; k < offsets[j + 1] - base; ++k)
        call(indices[k] - base, j, k);
    return;
  case CUSPARSE_FORMAT_BSR:
    for (int64_t block = 0; block < matrix.rows / height; ++block)
      for (int64_t i = 0; i < height; ++i)
        for (int64_t k = offsets[block] - base; k < offsets[block + 1] - base;
             ++k)
          for (int64_t j = 0; j < width; ++j)
            call(block * height + i, (indices[k] - base) * width + j,
                 k * height * width + (matrix.blockOrder == CUSPARSE_ORDER_ROW
                                           ? i * width + j
                                           : j * height + i));
    return;
  case CUSPARSE_FORMAT_BLOCKED_ELL: {
    const int64_t blocks = matrix.stored / width;
    for (int64_t i = 0; i < matrix.rows; ++i)
      for (int64_t b = 0; b < blocks; ++b)
        if (const int64_t block = indices[i / height * blocks + b] - base;
            block >= 0) // else there is none
          for (int64_t j = 0; j < width; ++j)
            if (block * width + j < matrix.columns)
              call(i, block * width + j, i * matrix.stored + b * width + j);
    return;
  }
  case CUSPARSE_FORMAT_SLICED_ELLPACK:
    for (int64_t i = 0; i < matrix.rows; ++i) {
      const int64_t slice = i / height;
      for (int64_t k = offsets[slice] - base + i % height;
           k < offsets[slice + 1] - base; k += height)
        if (const int64_t j = indices[k] - base; j >= 0)
          call(i, j, k);
    }
    return;
  }
}

/// op(\p matrix) by rows; within a row elements keep their order. A copy.
template <typename T>
Rows<T> rowsOf(const cusparseSpMatDescr &matrix,
               cusparseOperation_t operation) {
  const bool transposed = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool conjugated = operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const auto *values = static_cast<const T *>(matrix.values);
  Rows<T> result;
  result.rows = transposed ? matrix.columns : matrix.rows;
  result.columns = transposed ? matrix.rows : matrix.columns;
  result.offsets.assign(size_t(result.rows) + 1, 0);
  // Counted by row and then placed.
  forEachElement(matrix, [&](int64_t i, int64_t j, int64_t) {
    // Elements outside are somebody else's memory, on a GPU as well.
    if (uint64_t(i) >= uint64_t(matrix.rows) ||
        uint64_t(j) >= uint64_t(matrix.columns))
      touch(reinterpret_cast<const void *>(uintptr_t(1)), 1);
    ++result.offsets[size_t(transposed ? j : i) + 1];
  });
  for (int64_t i = 0; i < result.rows; ++i)
    result.offsets[size_t(i) + 1] += result.offsets[size_t(i)];
  result.indices.resize(size_t(result.offsets.back()));
  result.values.resize(result.indices.size());
  std::vector<int64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  forEachElement(matrix, [&](int64_t i, int64_t j, int64_t k) {
    const auto place = size_t(next[size_t(transposed ? j : i)]++);
    result.indices[place] = transposed ? i : j;
    if (values)
      result.values[place] = conjugated ? conjugate(values[k]) : values[k];
  });
  return result;
}

/// Whether elements lie as CSR, CSC or COO have them.
inline bool isPlain(const cusparseSpMatDescr &matrix) {
  return matrix.format <= CUSPARSE_FORMAT_COO;
}

/// A batch has a matrix for each result, or one for all.
inline bool isBatch(int count, int results) {
  return count == 1 || count == results;
}

/// One matrix of a batch, whose elements have \p bytes bytes.
inline cusparseSpMatDescr memberOf(cusparseSpMatDescr matrix, int which,
                                   size_t bytes) {
  const auto move = [&](void *&array, int64_t step, size_t size) {
    if (array)
      array = static_cast<char *>(array) + which * step * int64_t(size);
  };
  const auto sizeOfIndex = [](cusparseIndexType_t type) {
    return type == CUSPARSE_INDEX_64I ? sizeof(int64_t) : sizeof(int32_t);
  };
  move(matrix.offsets, matrix.offsetStep, sizeOfIndex(matrix.offsetType));
  move(matrix.indices, matrix.indexStep, sizeOfIndex(matrix.indexType));
  move(matrix.values, matrix.valueStep, bytes);
  return matrix;
}
inline cusparseDnMatDescr memberOf(cusparseDnMatDescr matrix, int which,
                                   size_t bytes) {
  matrix.values =
      static_cast<char *>(matrix.values) + which * matrix.step * int64_t(bytes);
  return matrix;
}

} // namespace cufort::cusparse

#endif // CUFORT_LIBRARIES_CUSPARSE_SPARSE_H
