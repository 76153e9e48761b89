//===- Blocks.cpp - BSR and other conversions of the old interface --------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix of blocks (BSR) is one of rows whose elements are square blocks, the
// elements of a block by rows or by columns.
//
//===----------------------------------------------------------------------===//

#include "libraries/cusparse/Sparse.h"
#include <numeric>

namespace cufort::cusparse {

namespace {

bool areDescriptors(std::initializer_list<cusparseMatDescr_t> all) {
  return std::all_of(all.begin(), all.end(), [](cusparseMatDescr_t each) {
    return handles<cusparseMatDescr>().isValid(each);
  });
}
bool isDirection(cusparseDirection_t direction) {
  return direction == CUSPARSE_DIRECTION_ROW ||
         direction == CUSPARSE_DIRECTION_COLUMN;
}
int blocksOf(int n, int size) { return (n + size - 1) / size; }

/// Where element (\p i, \p j) of a block is.
int placeInBlock(cusparseDirection_t direction, int i, int j, int size) {
  return direction == CUSPARSE_DIRECTION_ROW ? i * size + j : j * size + i;
}

/// The columns of blocks in the row of blocks \p row, ascending.
std::vector<int> blockColumns(int row, int m, int size, const int *offsets,
                              const int *indices, int base) {
  std::vector<int> columns;
  for (int i = row * size; i < std::min(m, (row + 1) * size); ++i)
    for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k)
      columns.push_back((indices[k] - base) / size);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

/// Sets \p offsets from the number of elements of each row, and their sum.
template <typename CountOf>
void setOffsets(Team &team, int rows, int base, int *offsets, int *total,
                CountOf countOf) {
  offsets[0] = base;
  team.forEach(uint64_t(rows),
               [&](uint64_t i) { offsets[i + 1] = countOf(int(i)); });
  for (int i = 0; i < rows; ++i)
    offsets[i + 1] += offsets[i];
  *total = offsets[rows] - base;
}

bool onHost(Handle handle) {
  return handle->mode == CUSPARSE_POINTER_MODE_HOST;
}

cusparseStatus_t Xcsr2bsrNnz(Handle handle, cusparseDirection_t direction,
                             int m, int n, cusparseMatDescr_t descrA,
                             const int *offsets, const int *indices,
                             int blockDim, cusparseMatDescr_t descrC,
                             int *blockOffsets, int *total) {
  if (auto wrong = checkOlder(handle, m >= 0 && n >= 0 && blockDim >= 1 &&
                                          total && isDirection(direction) &&
                                          areDescriptors({descrA, descrC})))
    return wrong;
  const int base = descrA->base, baseC = descrC->base;
  return submit(
      handle, m,
      [=](Team &team) {
        setOffsets(team, blocksOf(m, blockDim), baseC, blockOffsets, total,
                   [=](int row) {
                     return int(
                         blockColumns(row, m, blockDim, offsets, indices, base)
                             .size());
                   });
      },
      onHost(handle));
}

template <typename T>
cusparseStatus_t csr2bsr(Handle handle, cusparseDirection_t direction, int m,
                         int n, cusparseMatDescr_t descrA, const T *values,
                         const int *offsets, const int *indices, int blockDim,
                         cusparseMatDescr_t descrC, T *blockValues,
                         int *blockOffsets, int *blockIndices) {
  if (auto wrong = checkOlder(handle, m >= 0 && n >= 0 && blockDim >= 1 &&
                                          isDirection(direction) &&
                                          areDescriptors({descrA, descrC})))
    return wrong;
  const int base = descrA->base, baseC = descrC->base;
  return submit(handle, m, [=](Team &team) {
    const auto elements = size_t(blockDim) * blockDim;
    team.forEach(uint64_t(blocksOf(m, blockDim)), [&](uint64_t r) {
      const int row = int(r);
      const std::vector<int> columns =
          blockColumns(row, m, blockDim, offsets, indices, base);
      const auto first = size_t(blockOffsets[row] - baseC);
      std::fill_n(blockValues + first * elements, columns.size() * elements,
                  T(0));
      for (size_t b = 0; b < columns.size(); ++b)
        blockIndices[first + b] = columns[b] + baseC;
      for (int i = row * blockDim; i < std::min(m, (row + 1) * blockDim); ++i)
        for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k) {
          const int j = indices[k] - base;
          const auto b = size_t(
              std::lower_bound(columns.begin(), columns.end(), j / blockDim) -
              columns.begin());
          blockValues[(first + b) * elements +
                      size_t(placeInBlock(direction, i % blockDim, j % blockDim,
                                          blockDim))] = values[k];
        }
    });
  });
}

template <typename T>
cusparseStatus_t bsr2csr(Handle handle, cusparseDirection_t direction, int mb,
                         int nb, cusparseMatDescr_t descrA, const T *values,
                         const int *offsets, const int *indices, int blockDim,
                         cusparseMatDescr_t descrC, T *csrValues,
                         int *csrOffsets, int *csrIndices) {
  if (auto wrong = checkOlder(handle, mb >= 0 && nb >= 0 && blockDim >= 1 &&
                                          isDirection(direction) &&
                                          areDescriptors({descrA, descrC})))
    return wrong;
  const int base = descrA->base, baseC = descrC->base;
  return submit(handle, int64_t(mb) * blockDim, [=](Team &team) {
    csrOffsets[0] = baseC;
    team.forEach(uint64_t(mb) * uint64_t(blockDim), [&](uint64_t row) {
      const int block = int(row) / blockDim, i = int(row) % blockDim;
      const int first = offsets[block] - base,
                count = offsets[block + 1] - offsets[block];
      int64_t k = (int64_t(first) * blockDim + int64_t(i) * count) * blockDim;
      for (int b = first; b < first + count; ++b)
        for (int j = 0; j < blockDim; ++j, ++k) {
          csrIndices[k] = (indices[b] - base) * blockDim + j + baseC;
          csrValues[k] = values[int64_t(b) * blockDim * blockDim +
                                placeInBlock(direction, i, j, blockDim)];
        }
      csrOffsets[row + 1] = int(k) + baseC;
    });
  });
}

// As with NVIDIA's library, blocks of one element are no blocks.
template <typename T>
cusparseStatus_t bsrmv(Handle handle, cusparseDirection_t direction,
                       cusparseOperation_t operation, int mb, int nb, int nnzb,
                       const T *alpha, cusparseMatDescr_t descr,
                       const T *values, const int *offsets, const int *indices,
                       int blockDim, const T *x, const T *beta, T *y) {
  if (auto wrong =
          checkOlder(handle, mb >= 0 && nb >= 0 && nnzb >= 0 && blockDim > 1 &&
                                 alpha && beta && isDirection(direction) &&
                                 areDescriptors({descr})))
    return wrong;
  if (operation != CUSPARSE_OPERATION_NON_TRANSPOSE)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (descr->type != CUSPARSE_MATRIX_TYPE_GENERAL)
    return CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  const Scalar<T> factor(handle, alpha), kept(handle, beta);
  const int base = descr->base;
  return submit(handle, int64_t(nnzb) * blockDim * blockDim, [=](Team &team) {
    const T a = factor.get(), c = kept.get();
    team.forEach(uint64_t(mb) * uint64_t(blockDim), [&](uint64_t row) {
      const int block = int(row) / blockDim, i = int(row) % blockDim;
      T sum(0);
      for (int b = offsets[block] - base; b < offsets[block + 1] - base; ++b)
        for (int j = 0; j < blockDim; ++j)
          sum += values[int64_t(b) * blockDim * blockDim +
                        placeInBlock(direction, i, j, blockDim)] *
                 x[int64_t(indices[b] - base) * blockDim + j];
      y[row] = c == T(0) ? a * sum : a * sum + c * y[row];
    });
  });
}

template <typename T>
cusparseStatus_t bsrmm(Handle handle, cusparseDirection_t direction,
                       cusparseOperation_t opA, cusparseOperation_t opB, int mb,
                       int n, int kb, int nnzb, const T *alpha,
                       cusparseMatDescr_t descr, const T *values,
                       const int *offsets, const int *indices, int blockDim,
                       const T *b, int ldb, const T *beta, T *c, int ldc) {
  const bool transposed = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  if (auto wrong = checkOlder(
          handle, mb >= 0 && n >= 0 && kb >= 0 && nnzb >= 0 && blockDim > 1 &&
                      alpha && beta && isDirection(direction) &&
                      areDescriptors({descr}) &&
                      ldb >= std::max(1, transposed ? n : kb * blockDim) &&
                      ldc >= std::max(1, mb * blockDim)))
    return wrong;
  if (opA != CUSPARSE_OPERATION_NON_TRANSPOSE ||
      opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (descr->type != CUSPARSE_MATRIX_TYPE_GENERAL)
    return CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  const Scalar<T> factor(handle, alpha), kept(handle, beta);
  const int base = descr->base;
  const int64_t row = transposed ? ldb : 1, column = transposed ? 1 : ldb;
  const int64_t work = int64_t(nnzb) * blockDim * blockDim * n;
  return submit(handle, work, [=](Team &team) {
    const T first = factor.get(), second = kept.get();
    team.forEach(uint64_t(mb) * uint64_t(blockDim), [&](uint64_t place) {
      const int block = int(place) / blockDim, i = int(place) % blockDim;
      for (int j = 0; j < n; ++j) {
        T sum(0);
        for (int k = offsets[block] - base; k < offsets[block + 1] - base; ++k)
          for (int l = 0; l < blockDim; ++l)
            sum += values[int64_t(k) * blockDim * blockDim +
                          placeInBlock(direction, i, l, blockDim)] *
                   b[(int64_t(indices[k] - base) * blockDim + l) * row +
                     j * column];
        T &to = c[int64_t(place) + int64_t(j) * ldc];
        to = second == T(0) ? first * sum : first * sum + second * to;
      }
    });
  });
}

template <typename T>
cusparseStatus_t nnz(Handle handle, cusparseDirection_t direction, int m, int n,
                     cusparseMatDescr_t descr, const T *A, int lda, int *counts,
                     int *total) {
  if (auto wrong = checkOlder(
          handle, m >= 0 && n >= 0 && total && lda >= std::max(1, m) &&
                      isDirection(direction) && areDescriptors({descr})))
    return wrong;
  const bool byRows = direction == CUSPARSE_DIRECTION_ROW;
  const int majors = byRows ? m : n, minors = byRows ? n : m;
  const int64_t major = byRows ? 1 : lda, minor = byRows ? lda : 1;
  return submit(
      handle, int64_t(m) * n,
      [=](Team &team) {
        team.forEach(uint64_t(majors), [&](uint64_t i) {
          int count = 0;
          for (int j = 0; j < minors; ++j)
            count += A[int64_t(i) * major + j * minor] != T(0);
          counts[i] = count;
        });
        *total = std::accumulate(counts, counts + majors, 0);
      },
      onHost(handle));
}

/// One matrix of a sum.
template <typename T> struct Summand {
  int base;
  const T *values;
  const int *offsets, *indices;
};

/// call(column, place in a or -1, place in b or -1) for each column that the
/// row
/// \p i of a or b has; their columns ascend.
template <typename T, typename Call>
void forColumns(const Summand<T> &a, const Summand<T> &b, int i, Call call) {
  int k = a.offsets[i] - a.base, l = b.offsets[i] - b.base;
  const int endA = a.offsets[i + 1] - a.base, endB = b.offsets[i + 1] - b.base;
  while (k < endA || l < endB) {
    const int p = k < endA ? a.indices[k] - a.base : INT32_MAX,
              q = l < endB ? b.indices[l] - b.base : INT32_MAX;
    call(std::min(p, q), p <= q ? k : -1, q <= p ? l : -1);
    k += p <= q;
    l += q <= p;
  }
}

template <typename T>
cusparseStatus_t csrgeam2_bufferSizeExt(
    Handle handle, int m, int n, const T *, cusparseMatDescr_t descrA, int nnzA,
    const T *, const int *, const int *, const T *, cusparseMatDescr_t descrB,
    int nnzB, const T *, const int *, const int *, cusparseMatDescr_t descrC,
    const T *, const int *, const int *, size_t *size) {
  if (auto wrong = checkOlder(handle, true))
    return wrong;
  return sizeOf(handle, size,
                m >= 0 && n >= 0 && nnzA >= 0 && nnzB >= 0 &&
                    areDescriptors({descrA, descrB, descrC}));
}

cusparseStatus_t Xcsrgeam2Nnz(Handle handle, int m, int n,
                              cusparseMatDescr_t descrA, int nnzA,
                              const int *offsetsA, const int *indicesA,
                              cusparseMatDescr_t descrB, int nnzB,
                              const int *offsetsB, const int *indicesB,
                              cusparseMatDescr_t descrC, int *offsetsC,
                              int *total, void *) {
  if (auto wrong = checkOlder(
          handle, m >= 0 && n >= 0 && nnzA >= 0 && nnzB >= 0 && total &&
                      areDescriptors({descrA, descrB, descrC})))
    return wrong;
  const Summand<float> a{descrA->base, nullptr, offsetsA, indicesA},
      b{descrB->base, nullptr, offsetsB, indicesB};
  const int base = descrC->base;
  return submit(
      handle, int64_t(nnzA) + nnzB,
      [=](Team &team) {
        setOffsets(team, m, base, offsetsC, total, [&](int i) {
          int count = 0;
          forColumns(a, b, i, [&](int, int, int) { ++count; });
          return count;
        });
      },
      onHost(handle));
}

template <typename T>
cusparseStatus_t
csrgeam2(Handle handle, int m, int n, const T *alpha, cusparseMatDescr_t descrA,
         int nnzA, const T *valuesA, const int *offsetsA, const int *indicesA,
         const T *beta, cusparseMatDescr_t descrB, int nnzB, const T *valuesB,
         const int *offsetsB, const int *indicesB, cusparseMatDescr_t descrC,
         T *valuesC, int *offsetsC, int *indicesC, void *) {
  if (auto wrong = checkOlder(
          handle, m >= 0 && n >= 0 && nnzA >= 0 && nnzB >= 0 && alpha && beta &&
                      areDescriptors({descrA, descrB, descrC})))
    return wrong;
  const Scalar<T> factorA(handle, alpha), factorB(handle, beta);
  const Summand<T> a{descrA->base, valuesA, offsetsA, indicesA},
      b{descrB->base, valuesB, offsetsB, indicesB};
  const int base = descrC->base;
  return submit(handle, int64_t(nnzA) + nnzB, [=](Team &team) {
    const T x = factorA.get(), y = factorB.get();
    team.forEach(uint64_t(m), [&](uint64_t i) {
      int place = offsetsC[i] - base;
      forColumns(a, b, int(i), [&](int column, int k, int l) {
        indicesC[place] = column + base;
        valuesC[place++] =
            (k < 0 ? T(0) : x * a.values[k]) + (l < 0 ? T(0) : y * b.values[l]);
      });
    });
  });
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

cusparseStatus_t CreateIdentityPermutation(Handle handle, int n, int *p) {
  if (auto wrong = checkOlder(handle, n >= 0 && (n == 0 || p)))
    return wrong;
  return submit(handle, 0, [=](Team &) { std::iota(p, p + n, 0); });
}

cusparseStatus_t sort_bufferSize(Handle handle, int m, int n, int nonzeros,
                                 const int *, const int *, size_t *size) {
  if (auto wrong = checkOlder(handle, true))
    return wrong;
  return sizeOf(handle, size, m >= 0 && n >= 0 && nonzeros >= 0);
}

/// Sorts the elements from \p begin to \p end; their arrays go along.
template <typename Less>
void sortElements(int begin, int end, std::initializer_list<int *> arrays,
                  Less less) {
  std::vector<int> order(size_t(end - begin)), old(order.size());
  std::iota(order.begin(), order.end(), begin);
  // Equal ones keep their order.
  std::sort(order.begin(), order.end(),
            [&](int k, int l) { return less(k, l) || (!less(l, k) && k < l); });
  for (int *array : arrays) {
    if (!array)
      continue;
    std::copy(array + begin, array + end, old.begin());
    for (size_t k = 0; k < order.size(); ++k)
      array[size_t(begin) + k] = old[size_t(order[k] - begin)];
  }
}

cusparseStatus_t sortPairs(Handle handle, int m, int n, int nonzeros,
                           int *first, int *second, int *p) {
  if (auto wrong = checkOlder(handle, m >= 0 && n >= 0 && nonzeros >= 0))
    return wrong;
  return submit(handle, 0, [=](Team &) {
    sortElements(0, nonzeros, {first, second, p}, [=](int k, int l) {
      return std::pair(first[k], second[k]) < std::pair(first[l], second[l]);
    });
  });
}
cusparseStatus_t XcoosortByRow(Handle handle, int m, int n, int nonzeros,
                               int *rows, int *columns, int *p, void *) {
  return sortPairs(handle, m, n, nonzeros, rows, columns, p);
}
cusparseStatus_t XcoosortByColumn(Handle handle, int m, int n, int nonzeros,
                                  int *rows, int *columns, int *p, void *) {
  return sortPairs(handle, m, n, nonzeros, columns, rows, p);
}

/// Sorts each of \p majors rows, or columns.
cusparseStatus_t sortMinors(Handle handle, bool valid, int majors,
                            cusparseMatDescr_t descr, const int *offsets,
                            int *indices, int *p) {
  if (auto wrong = checkOlder(handle, valid && areDescriptors({descr})))
    return wrong;
  return submit(handle, majors, [=, base = int(descr->base)](Team &team) {
    team.forEach(uint64_t(majors), [&](uint64_t i) {
      sortElements(offsets[i] - base, offsets[i + 1] - base, {indices, p},
                   [=](int k, int l) { return indices[k] < indices[l]; });
    });
  });
}
cusparseStatus_t Xcsrsort(Handle handle, int m, int n, int nonzeros,
                          cusparseMatDescr_t descr, const int *offsets,
                          int *indices, int *p, void *) {
  return sortMinors(handle, m >= 0 && n >= 0 && nonzeros >= 0, m, descr,
                    offsets, indices, p);
}
cusparseStatus_t Xcscsort(Handle handle, int m, int n, int nonzeros,
                          cusparseMatDescr_t descr, const int *offsets,
                          int *indices, int *p, void *) {
  return sortMinors(handle, m >= 0 && n >= 0 && nonzeros >= 0, n, descr,
                    offsets, indices, p);
}

} // namespace

} // namespace cufort::cusparse

#include "cusparse_Blocks.inc"
