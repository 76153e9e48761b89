//===- Conversions.cpp - matrices in other forms --------------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusparse/Objects.h"
#include "libraries/cusparse/Support.h"

namespace cufort::cusparse {

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows,
                                  int nonzeros, int count, int *offsets,
                                  cusparseIndexBase_t base) {
  if (auto wrong =
          checkOlder(handle, nonzeros >= 0 && count >= 0 && isBase(base)))
    return wrong;
  return submit(handle, 0, [=](Team &) {
    int k = 0;
    for (int i = 0; i <= count; ++i) {
      while (k < nonzeros && rows[k] - base < i)
        ++k;
      offsets[i] = k + base;
    }
  });
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets,
                                  int nonzeros, int count, int *rows,
                                  cusparseIndexBase_t base) {
  if (auto wrong =
          checkOlder(handle, nonzeros >= 0 && count >= 0 && isBase(base)))
    return wrong;
  return submit(handle, nonzeros, [=](Team &team) {
    team.forEach(uint64_t(count), [&](uint64_t i) {
      for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k)
        rows[k] = int(i) + base;
    });
  });
}

static bool isTransposition(int m, int n, int nonzeros, cudaDataType type,
                            cusparseAction_t action, cusparseIndexBase_t base,
                            cusparseCsr2CscAlg_t alg) {
  return m >= 0 && n >= 0 && nonzeros >= 0 && isBase(base) && isType(type) &&
         (action == CUSPARSE_ACTION_SYMBOLIC ||
          action == CUSPARSE_ACTION_NUMERIC) &&
         alg == CUSPARSE_CSR2CSC_ALG_DEFAULT;
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(
    cusparseHandle_t handle, int m, int n, int nonzeros, const void *,
    const int *, const int *, void *, int *, int *, cudaDataType type,
    cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t alg,
    size_t *size) {
  return sizeOf(handle, size,
                isTransposition(m, n, nonzeros, type, action, base, alg));
}

cusparseStatus_t
cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nonzeros,
                   const void *values, const int *offsets, const int *indices,
                   void *cscValues, int *cscOffsets, int *cscIndices,
                   cudaDataType type, cusparseAction_t action,
                   cusparseIndexBase_t base, cusparseCsr2CscAlg_t alg, void *) {
  if (auto wrong = check(
          handle, isTransposition(m, n, nonzeros, type, action, base, alg)))
    return wrong;
  if (m == 0 || n == 0)
    return CUSPARSE_STATUS_SUCCESS;
  const bool numeric = action == CUSPARSE_ACTION_NUMERIC;
  return forType(type, [&]<typename T>(T) {
    const cusparseSpMatDescr matrix{CUSPARSE_FORMAT_CSR,
                                    m,
                                    n,
                                    nonzeros,
                                    const_cast<int *>(offsets),
                                    const_cast<int *>(indices),
                                    numeric ? const_cast<void *>(values)
                                            : nullptr,
                                    CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_32I,
                                    base,
                                    type};
    return submit(handle, 0, [=](Team &) {
      const Rows<T> columns = rowsOf<T>(matrix, CUSPARSE_OPERATION_TRANSPOSE);
      for (size_t j = 0; j != columns.offsets.size(); ++j)
        cscOffsets[j] = int(columns.offsets[j]) + base;
      for (size_t k = 0; k != columns.indices.size(); ++k)
        cscIndices[k] = int(columns.indices[k]) + base;
      if (numeric)
        std::copy(columns.values.begin(), columns.values.end(),
                  static_cast<T *>(cscValues));
    });
  });
}

//===----------------------------------------------------------------------===//
// Dense and sparse
//===----------------------------------------------------------------------===//

namespace {

bool areAlike(const cusparseSpMatDescr *sparse,
              const cusparseDnMatDescr *dense) {
  return handles<cusparseSpMatDescr>().isValid(sparse) &&
         handles<cusparseDnMatDescr>().isValid(dense) &&
         sparse->rows == dense->rows && sparse->columns == dense->columns;
}

cusparseStatus_t checkAlike(Handle handle, const cusparseSpMatDescr *sparse,
                            const cusparseDnMatDescr *dense, bool toSparse,
                            int alg) {
  // There is one algorithm, the default.
  if (auto wrong = check(handle, areAlike(sparse, dense) && alg == 0))
    return wrong;
  if (sparse->type != dense->type)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return supportOfDense(*sparse, toSparse);
}

/// A number of \p Bits of which only zero is known: either sign's is one.
template <typename Bits, Bits Magnitude> struct Moved {
  Bits bits = 0;
  bool operator!=(const Moved &) const { return (bits & Magnitude) != 0; }
  Moved() = default;
  explicit Moved(int) {}
};

/// What \p call returns for a number of any type, to be moved.
template <typename Call>
cusparseStatus_t forStored(cudaDataType type, Call call) {
  switch (type) {
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return call(Moved<uint16_t, 0x7fff>());
  case CUDA_C_16F:
  case CUDA_C_16BF:
    return call(Moved<uint32_t, 0x7fff7fff>());
  case CUDA_R_8I:
    return call(Moved<uint8_t, 0xff>());
  default:
    return forType(type, call);
  }
}

/// Calls \p call(major, minor, value) for what is not zero, in the order of the
/// sparse matrix's format.
template <typename T, typename Call>
void forNonzeros(const cusparseDnMatDescr &dense, bool byColumns, Call call) {
  const auto *values = static_cast<const T *>(dense.values);
  const int64_t majors = byColumns ? dense.columns : dense.rows,
                minors = byColumns ? dense.rows : dense.columns,
                major = byColumns ? dense.columnStride() : dense.rowStride(),
                minor = byColumns ? dense.rowStride() : dense.columnStride();
  for (int64_t i = 0; i < majors; ++i)
    for (int64_t j = 0; j < minors; ++j)
      if (const T value = values[i * major + j * minor]; value != T(0))
        call(i, j, value);
}

} // namespace

cusparseStatus_t cusparseSparseToDense_bufferSize(
    cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
    cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t alg, size_t *size) {
  if (auto wrong = checkAlike(handle, a, b, /*toSparse=*/false, alg))
    return wrong;
  return sizeOf(handle, size);
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle,
                                       cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b,
                                       cusparseSparseToDenseAlg_t alg, void *) {
  if (auto wrong = checkAlike(handle, a, b, /*toSparse=*/false, alg))
    return wrong;
  return forStored(a->type, [&]<typename T>(T) {
    return submit(handle, b->rows * b->columns, [a = *a, b = *b](Team &team) {
      const Rows<T> rows = rowsOf<T>(a, CUSPARSE_OPERATION_NON_TRANSPOSE);
      auto *to = static_cast<T *>(b.values);
      team.forEach(uint64_t(b.rows), [&](uint64_t i) {
        T *row = to + int64_t(i) * b.rowStride();
        for (int64_t j = 0; j < b.columns; ++j)
          row[j * b.columnStride()] = T(0);
        for (int64_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k)
          row[rows.indices[size_t(k)] * b.columnStride()] =
              rows.values[size_t(k)];
      });
    });
  });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(
    cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
    cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t alg, size_t *size) {
  if (auto wrong = checkAlike(handle, b, a, /*toSparse=*/true, alg))
    return wrong;
  return sizeOf(handle, size);
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t a,
                                                cusparseSpMatDescr_t b,
                                                cusparseDenseToSparseAlg_t alg,
                                                void *) {
  if (auto wrong = checkAlike(handle, b, a, /*toSparse=*/true, alg))
    return wrong;
  // The blocks of BLOCKED_ELL are given, and only filled.
  if (b->format == CUSPARSE_FORMAT_BLOCKED_ELL)
    return CUSPARSE_STATUS_SUCCESS;
  return forStored(a->type, [&]<typename T>(T) {
    // The host asks for the number next.
    return submit(
        handle, 0,
        [a = *a, b](Team &) {
          const bool byColumns = b->format == CUSPARSE_FORMAT_CSC;
          const int64_t majors = byColumns ? a.columns : a.rows;
          std::vector<int64_t> counts(size_t(majors) + 1, 0);
          forNonzeros<T>(a, byColumns, [&](int64_t i, int64_t, T) {
            ++counts[size_t(i) + 1];
          });
          for (int64_t i = 0; i < majors; ++i)
            counts[size_t(i) + 1] += counts[size_t(i)];
          if (b->format != CUSPARSE_FORMAT_COO)
            for (int64_t i = 0; i <= majors; ++i)
              store(b->offsets, b->offsetType, i, counts[size_t(i)] + b->base);
          b->nonzeros = counts.back();
        },
        /*wait=*/true);
  });
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                               cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b,
                                               cusparseDenseToSparseAlg_t alg,
                                               void *) {
  if (auto wrong = checkAlike(handle, b, a, /*toSparse=*/true, alg))
    return wrong;
  return forStored(a->type, [&]<typename T>(T) {
    return submit(handle, 0, [a = *a, b = *b](Team &) {
      if (b.format == CUSPARSE_FORMAT_BLOCKED_ELL) {
        forEachElement(b, [&](int64_t i, int64_t j, int64_t k) {
          static_cast<T *>(b.values)[k] = static_cast<const T *>(
              a.values)[i * a.rowStride() + j * a.columnStride()];
        });
        return;
      }
      int64_t k = 0;
      forNonzeros<T>(a, b.format == CUSPARSE_FORMAT_CSC,
                     [&](int64_t i, int64_t j, T value) {
                       if (b.format == CUSPARSE_FORMAT_COO)
                         store(b.offsets, b.offsetType, k, i + b.base);
                       store(b.indices, b.indexType, k, j + b.base);
                       static_cast<T *>(b.values)[k++] = value;
                     });
    });
  });
}

} // namespace cufort::cusparse
