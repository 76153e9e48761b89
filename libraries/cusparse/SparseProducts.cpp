//===- SparseProducts.cpp - products that are sparse ----------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusparse/Objects.h"
#include "libraries/cusparse/Support.h"
#include <optional>

/// What SpGEMM has computed and not yet copied, in bytes of the value's type.
struct cusparseSpGEMMDescr {
  std::vector<int64_t> offsets, indices;
  std::vector<char> values;
  int64_t products = 0; ///< of elements, before those of one place are added
};

namespace cufort::cusparse {

namespace {

int64_t rowCount(cusparseOperation_t op, const cusparseSpMatDescr &matrix) {
  return op == Plain ? matrix.rows : matrix.columns;
}
int64_t columnCount(cusparseOperation_t op, const cusparseSpMatDescr &matrix) {
  return op == Plain ? matrix.columns : matrix.rows;
}

bool areFactors(cusparseOperation_t opA, cusparseOperation_t opB,
                const cusparseSpMatDescr *a, const cusparseSpMatDescr *b,
                const cusparseSpMatDescr *c, const cusparseSpGEMMDescr *descr) {
  return handles<cusparseSpMatDescr>().isValid(a) &&
         handles<cusparseSpMatDescr>().isValid(b) &&
         handles<cusparseSpMatDescr>().isValid(c) &&
         handles<cusparseSpGEMMDescr>().isValid(descr) &&
         columnCount(opA, *a) == rowCount(opB, *b) &&
         c->rows == rowCount(opA, *a) && c->columns == columnCount(opB, *b);
}

cusparseStatus_t checkFactors(Handle handle, bool valid,
                              cusparseOperation_t opA, cusparseOperation_t opB,
                              const cusparseSpMatDescr *a,
                              const cusparseSpMatDescr *b,
                              const cusparseSpMatDescr *c,
                              const cusparseSpGEMMDescr *descr,
                              std::optional<cudaDataType> type = {}) {
  if (auto wrong = check(handle, valid && areFactors(opA, opB, a, b, c, descr)))
    return wrong;
  return supportOfSpGEMM(opA, opB, *a, *b, *c, type);
}

/// The number of products of elements.
int64_t countProducts(const cusparseSpMatDescr &left,
                      const cusparseSpMatDescr &right) {
  std::vector<int64_t> lengths(size_t(right.rows), 0);
  forEachElement(right,
                 [&](int64_t i, int64_t, int64_t) { ++lengths[size_t(i)]; });
  int64_t products = 0;
  forEachElement(left, [&](int64_t, int64_t j, int64_t) {
    products += lengths[size_t(j)];
  });
  return products;
}

/// Row after row by sums in a dense row (Gustavson); indices ascend.
template <typename T>
void multiplySparse(Team &team, const cusparseSpMatDescr &left,
                    const cusparseSpMatDescr &right, T alpha,
                    cusparseSpGEMMDescr &result) {
  const Rows<T> a = rowsOf<T>(left, CUSPARSE_OPERATION_NON_TRANSPOSE),
                b = rowsOf<T>(right, CUSPARSE_OPERATION_NON_TRANSPOSE);
  const uint64_t parts = team.threads();
  struct Part {
    std::vector<int64_t> counts, indices;
    std::vector<T> values;
  };
  std::vector<Part> done(parts);
  const auto firstOf = [&](uint64_t part) {
    return a.rows * int64_t(part) / int64_t(parts);
  };
  team.forEach(parts, [&](uint64_t part) {
    Part &own = done[part];
    std::vector<T> sums(size_t(b.columns), T(0));
    std::vector<char> present(size_t(b.columns), 0);
    std::vector<int64_t> columns;
    for (int64_t i = firstOf(part); i < firstOf(part + 1); ++i) {
      columns.clear();
      for (int64_t k = a.offsets[size_t(i)]; k < a.offsets[size_t(i) + 1];
           ++k) {
        const T factor = a.values[size_t(k)];
        const auto row = size_t(a.indices[size_t(k)]);
        for (int64_t l = b.offsets[row]; l < b.offsets[row + 1]; ++l) {
          const auto j = size_t(b.indices[size_t(l)]);
          if (!present[j]) {
            present[j] = 1;
            sums[j] = T(0);
            columns.push_back(int64_t(j));
          }
          sums[j] += factor * b.values[size_t(l)];
        }
      }
      std::sort(columns.begin(), columns.end());
      for (int64_t j : columns) {
        own.indices.push_back(j);
        own.values.push_back(alpha * sums[size_t(j)]);
        present[size_t(j)] = 0;
      }
      own.counts.push_back(int64_t(columns.size()));
    }
  });
  result.offsets.assign(1, 0);
  result.indices.clear();
  result.values.clear();
  for (const Part &part : done) {
    for (int64_t count : part.counts)
      result.offsets.push_back(result.offsets.back() + count);
    result.indices.insert(result.indices.end(), part.indices.begin(),
                          part.indices.end());
    const auto *bytes = reinterpret_cast<const char *>(part.values.data());
    result.values.insert(result.values.end(), bytes,
                         bytes + part.values.size() * sizeof(T));
  }
}

void storePattern(const cusparseSpGEMMDescr &product,
                  const cusparseSpMatDescr &c) {
  for (size_t i = 0; i != product.offsets.size(); ++i)
    store(c.offsets, c.offsetType, int64_t(i), product.offsets[i] + c.base);
  for (size_t k = 0; k != product.indices.size(); ++k)
    store(c.indices, c.indexType, int64_t(k), product.indices[k] + c.base);
}

template <typename T>
void storeValues(const cusparseSpGEMMDescr &product, T scale,
                 const cusparseSpMatDescr &c) {
  const auto *values = reinterpret_cast<const T *>(product.values.data());
  auto *to = static_cast<T *>(c.values);
  for (size_t k = 0; k != product.indices.size(); ++k)
    to[k] = scale == T(0) ? values[k] : values[k] + scale * to[k];
}

} // namespace

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr) {
  return create(descr, true);
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr) {
  return destroy(descr);
}

cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
    const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr, size_t *size,
    void *buffer) {
  if (auto wrong =
          checkFactors(handle, alpha && beta, opA, opB, a, b, c, descr, type))
    return wrong;
  if (auto wrong = sizeOf(handle, size); wrong || !buffer)
    return wrong;
  return submit(
      handle, SmallWork,
      [=, a = *a, b = *b](Team &) { descr->products = countProducts(a, b); },
      /*wait=*/true);
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descr,
                                               int64_t *products) {
  if (!products)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return on(descr, [&] { *products = descr->products; });
}

cusparseStatus_t cusparseSpGEMM_estimateMemory(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
    const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr, float, size_t *size3,
    void *buffer3, size_t *size2) {
  if (auto wrong =
          checkFactors(handle, alpha && beta, opA, opB, a, b, c, descr, type))
    return wrong;
  if (auto wrong = sizeOf(handle, size3); wrong || !buffer3)
    return wrong;
  return sizeOf(handle, size2);
}

cusparseStatus_t cusparseSpGEMM_compute(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
    const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr, size_t *size,
    void *buffer) {
  if (auto wrong = checkFactors(handle, alpha && beta && size, opA, opB, a, b,
                                c, descr, type))
    return wrong;
  *size = 1;
  if (!buffer) // a question for the size
    return CUSPARSE_STATUS_SUCCESS;
  return forType(type, [&]<typename T>(T) {
    const Scalar<T> factor(handle, alpha);
    // The host asks for the number of elements next.
    return submit(
        handle, SmallWork,
        [=, a = *a, b = *b](Team &team) {
          multiplySparse<T>(team, a, b, factor.get(), *descr);
          c->nonzeros = descr->offsets.back();
        },
        /*wait=*/true);
  });
}

cusparseStatus_t
cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                    cusparseOperation_t opB, const void *alpha,
                    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                    const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr) {
  if (auto wrong =
          checkFactors(handle, alpha && beta, opA, opB, a, b, c, descr, type))
    return wrong;
  return forType(type, [&]<typename T>(T) {
    const Scalar<T> old(handle, beta);
    // The descriptor may be destroyed when this has returned.
    return submit(
        handle, 0,
        [=, c = *c](Team &) {
          storePattern(*descr, c);
          storeValues<T>(*descr, old.get(), c);
        },
        /*wait=*/true);
  });
}

//===----------------------------------------------------------------------===//
// Products of the same pattern
//===----------------------------------------------------------------------===//

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
    cusparseSpMatDescr_t c, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
    size_t *size, void *) {
  if (auto wrong = checkFactors(handle, true, opA, opB, a, b, c, descr))
    return wrong;
  return sizeOf(handle, size);
}

cusparseStatus_t
cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t opA,
                        cusparseOperation_t opB, cusparseConstSpMatDescr_t a,
                        cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                        cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                        size_t *size2, void *buffer2, size_t *size3, void *,
                        size_t *size4, void *) {
  if (auto wrong = checkFactors(handle, size2 && size3 && size4, opA, opB, a, b,
                                c, descr))
    return wrong;
  *size2 = *size3 = *size4 = 1;
  if (!buffer2) // a question for the sizes
    return CUSPARSE_STATUS_SUCCESS;
  return submit(
      handle, SmallWork,
      [=, a = *a, b = *b](Team &team) {
        // The pattern alone.
        cusparseSpMatDescr left = a, right = b;
        left.values = right.values = nullptr;
        multiplySparse<float>(team, left, right, 1, *descr);
        c->nonzeros = descr->offsets.back();
      },
      /*wait=*/true);
}

cusparseStatus_t
cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                         cusparseOperation_t opB, cusparseConstSpMatDescr_t a,
                         cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                         cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                         size_t *size, void *buffer) {
  if (auto wrong = checkFactors(handle, true, opA, opB, a, b, c, descr))
    return wrong;
  if (auto wrong = sizeOf(handle, size); wrong || !buffer)
    return wrong;
  return submit(
      handle, 0, [=, c = *c](Team &) { storePattern(*descr, c); },
      /*wait=*/true);
}

cusparseStatus_t cusparseSpGEMMreuse_compute(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
    const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr) {
  if (auto wrong =
          checkFactors(handle, alpha && beta, opA, opB, a, b, c, descr, type))
    return wrong;
  return forType(type, [&]<typename T>(T) {
    const Scalar<T> factor(handle, alpha), old(handle, beta);
    return submit(handle, SmallWork, [=, a = *a, b = *b, c = *c](Team &team) {
      cusparseSpGEMMDescr product;
      multiplySparse<T>(team, a, b, factor.get(), product);
      storeValues<T>(product, old.get(), c);
    });
  });
}

//===----------------------------------------------------------------------===//
// A dense product where a sparse matrix has elements
//===----------------------------------------------------------------------===//

namespace {

bool areSampled(cusparseOperation_t opA, cusparseOperation_t opB,
                const cusparseDnMatDescr *a, const cusparseDnMatDescr *b,
                const cusparseSpMatDescr *c) {
  if (!handles<cusparseDnMatDescr>().isValid(a) ||
      !handles<cusparseDnMatDescr>().isValid(b) ||
      !handles<cusparseSpMatDescr>().isValid(c) ||
      !isBatch(a->batches, c->batches) || !isBatch(b->batches, c->batches))
    return false;
  const bool plainA = opA == CUSPARSE_OPERATION_NON_TRANSPOSE,
             plainB = opB == CUSPARSE_OPERATION_NON_TRANSPOSE;
  return (plainA ? a->rows : a->columns) == c->rows &&
         (plainA ? a->columns : a->rows) == (plainB ? b->rows : b->columns) &&
         (plainB ? b->columns : b->rows) == c->columns;
}

cusparseStatus_t checkSampled(Handle handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void *alpha,
                              const cusparseDnMatDescr *a,
                              const cusparseDnMatDescr *b, const void *beta,
                              const cusparseSpMatDescr *c, cudaDataType type,
                              cusparseSDDMMAlg_t alg) {
  if (auto wrong =
          check(handle, alpha && beta && alg == CUSPARSE_SDDMM_ALG_DEFAULT &&
                            areSampled(opA, opB, a, b, c)))
    return wrong;
  return supportOfSDDMM(opA, opB, *a, *b, *c, type);
}

/// C = alpha (op(A) op(B)) where C has elements + beta C; an element of CSR is
/// a block of one.
template <typename T>
void sample(Team &team, cusparseOperation_t opA, cusparseOperation_t opB,
            T alpha, const cusparseDnMatDescr &a, const cusparseDnMatDescr &b,
            T beta, const cusparseSpMatDescr &c) {
  const bool plainA = opA == CUSPARSE_OPERATION_NON_TRANSPOSE,
             plainB = opB == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool conjugatedA = opA == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
             conjugatedB = opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const int64_t length = plainA ? a.columns : a.rows,
                aRow = plainA ? a.rowStride() : a.columnStride(),
                aStep = plainA ? a.columnStride() : a.rowStride(),
                bStep = plainB ? b.rowStride() : b.columnStride(),
                bColumn = plainB ? b.columnStride() : b.rowStride();
  const auto *left = static_cast<const T *>(a.values),
             *right = static_cast<const T *>(b.values);
  auto *to = static_cast<T *>(c.values);
  const Integers offsets(c.offsets, c.offsetType),
      indices(c.indices, c.indexType);
  const int64_t height = c.blockRows, width = c.blockColumns;
  const bool byRows = c.blockOrder == CUSPARSE_ORDER_ROW;
  const auto set = [&](int64_t i, int64_t j, T &place) {
    const T *x = left + i * aRow, *y = right + j * bColumn;
    T sum(0);
    for (int64_t l = 0; l < length; ++l)
      sum += (conjugatedA ? conjugate(x[l * aStep]) : x[l * aStep]) *
             (conjugatedB ? conjugate(y[l * bStep]) : y[l * bStep]);
    place = beta == T(0) ? alpha * sum : alpha * sum + beta * place;
  };
  team.forEach(uint64_t(c.rows / height), [&](uint64_t line) {
    for (int64_t k = offsets[int64_t(line)] - c.base;
         k < offsets[int64_t(line) + 1] - c.base; ++k)
      for (int64_t i = 0; i < height; ++i)
        for (int64_t j = 0; j < width; ++j)
          set(int64_t(line) * height + i, (indices[k] - c.base) * width + j,
              to[k * height * width +
                 (byRows ? i * width + j : j * height + i)]);
  });
}

} // namespace

cusparseStatus_t cusparseSDDMM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
    const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
    cusparseSDDMMAlg_t alg, size_t *size) {
  if (auto wrong =
          checkSampled(handle, opA, opB, alpha, a, b, beta, c, type, alg))
    return wrong;
  return sizeOf(handle, size);
}
cusparseStatus_t cusparseSDDMM_preprocess(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
    const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
    cusparseSDDMMAlg_t alg, void *) {
  return checkSampled(handle, opA, opB, alpha, a, b, beta, c, type, alg);
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA,
                               cusparseOperation_t opB, const void *alpha,
                               cusparseConstDnMatDescr_t a,
                               cusparseConstDnMatDescr_t b, const void *beta,
                               cusparseSpMatDescr_t c, cudaDataType type,
                               cusparseSDDMMAlg_t alg, void *) {
  if (auto wrong =
          checkSampled(handle, opA, opB, alpha, a, b, beta, c, type, alg))
    return wrong;
  return forType(type, [&]<typename T>(T) {
    const Scalar<T> first(handle, alpha), second(handle, beta);
    return submit(handle, c->nonzeros * std::max<int64_t>(1, a->columns),
                  [=, a = *a, b = *b, c = *c](Team &team) {
                    for (int i = 0; i < c.batches; ++i)
                      sample<T>(team, opA, opB, first.get(),
                                memberOf(a, i, sizeof(T)),
                                memberOf(b, i, sizeof(T)), second.get(),
                                memberOf(c, i, sizeof(T)));
                  });
  });
}

} // namespace cufort::cusparse
