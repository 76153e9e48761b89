//===- Products.cpp - products with vectors and matrices ------------------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/cusparse/Support.h"

namespace cufort::cusparse {

namespace {

//===----------------------------------------------------------------------===//
// Matrix times vector
//===----------------------------------------------------------------------===//

/// In how many parts the threads of \p team share work of a \p weight: so many
/// that who is behind at the end has little left, of so much that claiming one
/// costs nothing beside it.
uint64_t partsOf(const Team &team, int64_t weight) {
  constexpr int64_t Least = 8192;
  constexpr uint64_t MostEach = 32;
  return std::clamp<uint64_t>(uint64_t(weight / Least), 1,
                              team.threads() * MostEach);
}

/// Where \p count is cut into \p parts parts of about as many elements each;
/// offsets ascend from \p base on.
template <typename Offset>
int64_t cut(const Offset *offsets, int64_t count, Offset base, uint64_t part,
            uint64_t parts) {
  // An element and a row cost about the same.
  const auto weight = [&](int64_t i) {
    return static_cast<int64_t>(offsets[i] - base) + i;
  };
  const int64_t wanted =
      weight(count) / static_cast<int64_t>(parts) * static_cast<int64_t>(part);
  if (part == parts)
    return count;
  // Of rows of about the same length it is near where it would be of equal
  // ones: from there on in growing steps, then by halves.
  int64_t low = static_cast<int64_t>(double(count) * double(part) /
                                     double(parts)),
          high = low, step = 16;
  for (; low > 0 && weight(low) >= wanted; step *= 2)
    high = low, low = std::max<int64_t>(0, low - step);
  for (; high < count && weight(high) < wanted; step *= 2)
    low = high, high = std::min(count, high + step);
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    weight(middle) < wanted ? low = middle + 1 : high = middle;
  }
  return low;
}

/// The product of a row's elements [\p k, \p last) with x. In several sums: an
/// addition takes four cycles, and two loads one.
template <typename T, bool Conjugated, typename Offset, typename Index>
T rowTimes(const T *values, const Index *indices, Offset k, Offset last,
           const T *x) {
  constexpr int Sums = 4;
  const auto product = [=](Offset at) {
    return (Conjugated ? conjugate(values[at]) : values[at]) * x[indices[at]];
  };
  T sums[Sums] = {};
  for (; last - k >= Sums; k += Sums)
    for (int i = 0; i != Sums; ++i)
      sums[i] += product(k + i);
  for (; k < last; ++k)
    sums[0] += product(k);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// y = alpha A x + beta y of a matrix by rows.
template <typename T, typename Offset, typename Index, bool Conjugated>
void multiplyRows(Team &team, int64_t rows, const Offset *offsets,
                  const Index *indices, const T *values, int64_t base, T alpha,
                  const T *x, T beta, T *y) {
  const auto first = static_cast<Offset>(base);
  const uint64_t parts = partsOf(team, int64_t(offsets[rows] - first) + rows);
  const T *shifted = x - base;
  team.forEach(parts, [&](uint64_t part) {
    const int64_t begin = cut(offsets, rows, first, part, parts),
                  end = cut(offsets, rows, first, part + 1, parts);
    for (int64_t i = begin; i < end; ++i) {
      const T sum = rowTimes<T, Conjugated>(values, indices, offsets[i] - first,
                                            offsets[i + 1] - first, shifted);
      y[i] = beta == T(0) ? alpha * sum : alpha * sum + beta * y[i];
    }
  });
}

/// y = alpha A^T x + beta y of a matrix by rows: each thread adds to a vector
/// of its own.
template <typename T, typename Offset, typename Index, bool Conjugated>
void multiplyTransposed(Team &team, int64_t rows, int64_t columns,
                        const Offset *offsets, const Index *indices,
                        const T *values, int64_t base, T alpha, const T *x,
                        T beta, T *y) {
  const auto first = static_cast<Offset>(base);
  const uint64_t parts = team.threads();
  std::vector<std::vector<T>> sums(parts);
  team.forEach(parts, [&](uint64_t part) {
    sums[part].assign(size_t(columns), T(0));
    T *sum = sums[part].data() - base;
    const int64_t begin = cut(offsets, rows, first, part, parts),
                  end = cut(offsets, rows, first, part + 1, parts);
    for (int64_t i = begin; i < end; ++i)
      for (Offset k = offsets[i] - first, last = offsets[i + 1] - first;
           k < last; ++k)
        sum[indices[k]] +=
            (Conjugated ? conjugate(values[k]) : values[k]) * x[i];
  });
  constexpr int64_t Block = 4096;
  team.forEach(uint64_t((columns + Block - 1) / Block), [&](uint64_t block) {
    const int64_t begin = int64_t(block) * Block,
                  end = std::min(columns, begin + Block);
    for (int64_t j = begin; j < end; ++j) {
      T total(0);
      for (const std::vector<T> &each : sums)
        total += each[size_t(j)];
      y[j] = beta == T(0) ? alpha * total : alpha * total + beta * y[j];
    }
  });
}

/// The offsets of a matrix by coordinates that is sorted by rows.
template <typename Index>
std::vector<int64_t> offsetsOf(const Index *rows, int64_t nonzeros,
                               int64_t count, int64_t base) {
  std::vector<int64_t> offsets(size_t(count) + 1, 0);
  for (int64_t k = 0; k < nonzeros; ++k)
    ++offsets[size_t(rows[k] - base) + 1];
  for (int64_t i = 0; i < count; ++i)
    offsets[size_t(i) + 1] += offsets[size_t(i)];
  // Offsets begin where indices do.
  for (int64_t &each : offsets)
    each += base;
  return offsets;
}

template <typename T, typename Offset, typename Index>
void multiplyBy(Team &team, const cusparseSpMatDescr &matrix, bool transposed,
                bool conjugated, const Offset *offsets, int64_t rows,
                int64_t columns, T alpha, const T *x, T beta, T *y) {
  const auto *indices = static_cast<const Index *>(matrix.indices);
  const auto *values = static_cast<const T *>(matrix.values);
  touch(values, size_t(matrix.nonzeros) * sizeof(T));
  if (transposed)
    conjugated ? multiplyTransposed<T, Offset, Index, true>(
                     team, rows, columns, offsets, indices, values, matrix.base,
                     alpha, x, beta, y)
               : multiplyTransposed<T, Offset, Index, false>(
                     team, rows, columns, offsets, indices, values, matrix.base,
                     alpha, x, beta, y);
  else
    conjugated
        ? multiplyRows<T, Offset, Index, true>(team, rows, offsets, indices,
                                               values, matrix.base, alpha, x,
                                               beta, y)
        : multiplyRows<T, Offset, Index, false>(team, rows, offsets, indices,
                                                values, matrix.base, alpha, x,
                                                beta, y);
}

template <typename T>
void multiply(Team &team, const cusparseSpMatDescr &matrix,
              cusparseOperation_t operation, T alpha, const T *x, T beta,
              T *y) {
  if (!isPlain(matrix)) {
    const Rows<T> rows = rowsOf<T>(matrix, operation);
    multiplyRows<T, int64_t, int64_t, false>(
        team, rows.rows, rows.offsets.data(), rows.indices.data(),
        rows.values.data(), 0, alpha, x, beta, y);
    return;
  }
  const bool byColumns = matrix.format == CUSPARSE_FORMAT_CSC;
  const bool transposed =
      (operation != CUSPARSE_OPERATION_NON_TRANSPOSE) != byColumns;
  const bool conjugated = operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  // By its major dimension.
  const int64_t rows = byColumns ? matrix.columns : matrix.rows,
                columns = byColumns ? matrix.rows : matrix.columns;
  const bool wide = matrix.indexType == CUSPARSE_INDEX_64I;
  const auto with = [&](const auto *offsets) {
    using Offset =
        std::remove_const_t<std::remove_pointer_t<decltype(offsets)>>;
    if (wide)
      multiplyBy<T, Offset, int64_t>(team, matrix, transposed, conjugated,
                                     offsets, rows, columns, alpha, x, beta, y);
    else
      multiplyBy<T, Offset, int32_t>(team, matrix, transposed, conjugated,
                                     offsets, rows, columns, alpha, x, beta, y);
  };
  if (matrix.format == CUSPARSE_FORMAT_COO) {
    const std::vector<int64_t> offsets =
        wide ? offsetsOf(static_cast<const int64_t *>(matrix.offsets),
                         matrix.nonzeros, rows, matrix.base)
             : offsetsOf(static_cast<const int32_t *>(matrix.offsets),
                         matrix.nonzeros, rows, matrix.base);
    with(offsets.data());
  } else if (matrix.offsetType == CUSPARSE_INDEX_64I) {
    with(static_cast<const int64_t *>(matrix.offsets));
  } else {
    with(static_cast<const int32_t *>(matrix.offsets));
  }
}

/// Of half, bfloat16 or bytes, computed in floats.
cusparseStatus_t multiplyNarrow(Handle handle, cusparseOperation_t operation,
                                const void *alpha,
                                const cusparseSpMatDescr &given,
                                const cusparseDnVecDescr &x, const void *beta,
                                const cusparseDnVecDescr &y) {
  const Scalar<float> a(handle, alpha), b(handle, beta);
  return submit(handle, given.nonzeros, [=](Team &team) {
    const std::vector<float> values =
        widened(team, given.type, given.values, storedBy(given));
    const std::vector<float> from = widened(team, x.type, x.values, x.size);
    std::vector<float> to = widened(team, y.type, y.values, y.size);
    cusparseSpMatDescr matrix = given;
    matrix.values = const_cast<float *>(values.data());
    matrix.type = CUDA_R_32F;
    multiply<float>(team, matrix, operation, a.get(), from.data(), b.get(),
                    to.data());
    for (int64_t i = 0; i < y.size; ++i)
      narrow(y.type, to[size_t(i)], y.values, i);
  });
}

bool areVectors(cusparseOperation_t operation, const cusparseSpMatDescr *matrix,
                const cusparseDnVecDescr *x, const cusparseDnVecDescr *y) {
  if (!handles<cusparseSpMatDescr>().isValid(matrix) ||
      !handles<cusparseDnVecDescr>().isValid(x) ||
      !handles<cusparseDnVecDescr>().isValid(y))
    return false;
  const bool plain = operation == CUSPARSE_OPERATION_NON_TRANSPOSE;
  return x->size == (plain ? matrix->columns : matrix->rows) &&
         y->size == (plain ? matrix->rows : matrix->columns);
}

cusparseStatus_t checkVectors(Handle handle, cusparseOperation_t operation,
                              const void *alpha,
                              const cusparseSpMatDescr *matrix,
                              const cusparseDnVecDescr *x, const void *beta,
                              const cusparseDnVecDescr *y, cudaDataType type,
                              cusparseSpMVAlg_t alg) {
  if (auto wrong =
          check(handle, alpha && beta && areVectors(operation, matrix, x, y) &&
                            isAlgorithm(alg, matrix->format)))
    return wrong;
  return supportOfSpMV(operation, *matrix, x->type, y->type, type);
}

} // namespace

cusparseStatus_t
cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                        const void *alpha, cusparseConstSpMatDescr_t matrix,
                        cusparseConstDnVecDescr_t x, const void *beta,
                        cusparseDnVecDescr_t y, cudaDataType type,
                        cusparseSpMVAlg_t alg, size_t *size) {
  if (auto wrong =
          checkVectors(handle, operation, alpha, matrix, x, beta, y, type, alg))
    return wrong;
  return sizeOf(handle, size);
}

cusparseStatus_t
cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t operation,
                        const void *alpha, cusparseConstSpMatDescr_t matrix,
                        cusparseConstDnVecDescr_t x, const void *beta,
                        cusparseDnVecDescr_t y, cudaDataType type,
                        cusparseSpMVAlg_t alg, void *) {
  return checkVectors(handle, operation, alpha, matrix, x, beta, y, type, alg);
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle,
                              cusparseOperation_t operation, const void *alpha,
                              cusparseConstSpMatDescr_t matrix,
                              cusparseConstDnVecDescr_t x, const void *beta,
                              cusparseDnVecDescr_t y, cudaDataType type,
                              cusparseSpMVAlg_t alg, void *) {
  if (auto wrong =
          checkVectors(handle, operation, alpha, matrix, x, beta, y, type, alg))
    return wrong;
  if (isMixture(matrix->type, x->type, y->type, type))
    return multiplyNarrow(handle, operation, alpha, *matrix, *x, beta, *y);
  return forType(type, [&]<typename T>(T) {
    const Scalar<T> a(handle, alpha), b(handle, beta);
    return submit(handle, matrix->nonzeros,
                  [a, b, operation, matrix = *matrix,
                   from = static_cast<const T *>(x->values),
                   to = static_cast<T *>(y->values)](Team &team) {
                    multiply<T>(team, matrix, operation, a.get(), from, b.get(),
                                to);
                  });
  });
}

//===----------------------------------------------------------------------===//
// Matrix times dense matrix
//===----------------------------------------------------------------------===//

namespace {

bool areMatrices(cusparseOperation_t opA, cusparseOperation_t opB,
                 const cusparseSpMatDescr *a, const cusparseDnMatDescr *b,
                 const cusparseDnMatDescr *c) {
  if (!handles<cusparseSpMatDescr>().isValid(a) ||
      !handles<cusparseDnMatDescr>().isValid(b) ||
      !handles<cusparseDnMatDescr>().isValid(c))
    return false;
  const bool plainA = opA == CUSPARSE_OPERATION_NON_TRANSPOSE,
             plainB = opB == CUSPARSE_OPERATION_NON_TRANSPOSE;
  return (plainA ? a->rows : a->columns) == c->rows &&
         (plainA ? a->columns : a->rows) == (plainB ? b->rows : b->columns) &&
         (plainB ? b->columns : b->rows) == c->columns &&
         isBatch(a->batches, c->batches) && isBatch(b->batches, c->batches);
}

template <typename T>
void multiplyMatrices(Team &team, const cusparseSpMatDescr &matrix,
                      cusparseOperation_t opA, cusparseOperation_t opB, T alpha,
                      const cusparseDnMatDescr &b, T beta,
                      const cusparseDnMatDescr &c) {
  const Rows<T> a = rowsOf<T>(matrix, opA);
  const bool transposed = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool conjugated = opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const int64_t bRow = transposed ? b.columnStride() : b.rowStride(),
                bColumn = transposed ? b.rowStride() : b.columnStride(),
                cRow = c.rowStride(), cColumn = c.columnStride();
  const auto *from = static_cast<const T *>(b.values);
  auto *to = static_cast<T *>(c.values);
  constexpr int64_t Width = 8; // columns at once
  const uint64_t parts = team.threads() * 4;
  team.forEach(parts, [&](uint64_t part) {
    const int64_t begin =
                      cut<int64_t>(a.offsets.data(), a.rows, 0, part, parts),
                  end = cut<int64_t>(a.offsets.data(), a.rows, 0, part + 1,
                                     parts);
    for (int64_t i = begin; i < end; ++i)
      for (int64_t j = 0; j < c.columns; j += Width) {
        const int64_t width = std::min(Width, c.columns - j);
        T sums[Width] = {};
        for (int64_t k = a.offsets[size_t(i)]; k < a.offsets[size_t(i) + 1];
             ++k) {
          const T value = a.values[size_t(k)];
          const T *row = from + a.indices[size_t(k)] * bRow + j * bColumn;
          for (int64_t w = 0; w < width; ++w)
            sums[w] += value * (conjugated ? conjugate(row[w * bColumn])
                                           : row[w * bColumn]);
        }
        for (int64_t w = 0; w < width; ++w) {
          T &place = to[i * cRow + (j + w) * cColumn];
          place =
              beta == T(0) ? alpha * sums[w] : alpha * sums[w] + beta * place;
        }
      }
  });
}

/// Of half, bfloat16 or bytes, computed in floats; scalars are of the type that
/// was asked for.
cusparseStatus_t multiplyNarrow(Handle handle, cusparseOperation_t opA,
                                cusparseOperation_t opB, const void *alpha,
                                const cusparseSpMatDescr &a,
                                const cusparseDnMatDescr &b, const void *beta,
                                const cusparseDnMatDescr &c,
                                cudaDataType computed) {
  const NarrowScalar first(handle, alpha, computed),
      second(handle, beta, computed);
  const auto bytes = size_t(narrowBytes(a.type)),
             bytesOfC = c.type == CUDA_R_32F ? sizeof(float) : bytes;
  const auto one = [=](Team &team, int i) {
    cusparseSpMatDescr matrix = memberOf(a, i, bytes);
    cusparseDnMatDescr from = memberOf(b, i, bytes);
    const cusparseDnMatDescr result = memberOf(c, i, bytesOfC);
    cusparseDnMatDescr to = result;
    std::vector<float> values =
        widened(team, a.type, matrix.values, storedBy(a));
    std::vector<float> factors =
        widened(team, b.type, from.values, storedBy(b));
    std::vector<float> sums = widened(team, c.type, to.values, storedBy(c));
    matrix.values = values.data();
    from.values = factors.data();
    to.values = sums.data();
    matrix.type = from.type = to.type = CUDA_R_32F;
    multiplyMatrices<float>(team, matrix, opA, opB, first.get(), from,
                            second.get(), to);
    // What lies between the elements is somebody else's.
    team.forEach(uint64_t(c.columns), [&](uint64_t j) {
      for (int64_t k = 0; k < c.rows; ++k) {
        const int64_t place = k * c.rowStride() + int64_t(j) * c.columnStride();
        narrow(c.type, sums[size_t(place)], result.values, place);
      }
    });
  };
  return submit(handle, a.nonzeros * std::max<int64_t>(1, c.columns),
                [=](Team &team) {
                  for (int i = 0; i < c.batches; ++i)
                    one(team, i);
                });
}

cusparseStatus_t checkMatrices(Handle handle, cusparseOperation_t opA,
                               cusparseOperation_t opB, const void *alpha,
                               const cusparseSpMatDescr *a,
                               const cusparseDnMatDescr *b, const void *beta,
                               const cusparseDnMatDescr *c, cudaDataType type,
                               cusparseSpMMAlg_t alg) {
  if (auto wrong =
          check(handle, alpha && beta && areMatrices(opA, opB, a, b, c) &&
                            isAlgorithm(alg, a->format)))
    return wrong;
  return supportOfSpMM(opA, opB, *a, b->type, c->type, type);
}

} // namespace

cusparseStatus_t cusparseSpMM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
    const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
    cusparseSpMMAlg_t alg, size_t *size) {
  if (auto wrong =
          checkMatrices(handle, opA, opB, alpha, a, b, beta, c, type, alg))
    return wrong;
  return sizeOf(handle, size);
}

cusparseStatus_t cusparseSpMM_preprocess(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
    const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
    cusparseSpMMAlg_t alg, void *) {
  return checkMatrices(handle, opA, opB, alpha, a, b, beta, c, type, alg);
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void *alpha,
                              cusparseConstSpMatDescr_t a,
                              cusparseConstDnMatDescr_t b, const void *beta,
                              cusparseDnMatDescr_t c, cudaDataType type,
                              cusparseSpMMAlg_t alg, void *) {
  if (auto wrong =
          checkMatrices(handle, opA, opB, alpha, a, b, beta, c, type, alg))
    return wrong;
  if (!isWide(type) || a->type != type)
    return multiplyNarrow(handle, opA, opB, alpha, *a, *b, beta, *c, type);
  return forType(type, [&]<typename T>(T) {
    const Scalar<T> first(handle, alpha), second(handle, beta);
    return submit(handle, a->nonzeros * std::max<int64_t>(1, c->columns),
                  [=, a = *a, b = *b, c = *c](Team &team) {
                    for (int i = 0; i < c.batches; ++i)
                      multiplyMatrices<T>(
                          team, memberOf(a, i, sizeof(T)), opA, opB,
                          first.get(), memberOf(b, i, sizeof(T)), second.get(),
                          memberOf(c, i, sizeof(T)));
                  });
  });
}

} // namespace cufort::cusparse
